//! Nulls that calls make: parts of an input whose expression is a call that returns `null` in both versions.

use crate::error::Error;
use crate::jvm::Worker;
use crate::model::{DivergenceClass, End, Finding, Input, Inputs, MethodRef, MethodResult, Seen};
use crate::replay::{ClassPaths, observe};
use crate::util::deadline::Deadline;
use std::collections::BTreeMap;

/// Most calls that are asked for a finding.
const MOST: usize = 8;

/// Inputs by the numbers of their method and their finding.
pub(super) type MadeInputs = BTreeMap<(usize, usize), Inputs>;

/// The inputs of findings on which a version fails for a `null`, with `null` in the place of the calls that return it; none of the others.
///
/// # Errors
/// The process that runs them does not start.
pub(super) fn of(
    (worker, deadline): (&mut Worker, Deadline),
    builds: &ClassPaths,
    methods: &[MethodResult],
) -> Result<MadeInputs, Error> {
    let mut all = MadeInputs::new();
    for (m, method) in methods.iter().enumerate() {
        let open = method.findings.iter().enumerate();
        for (i, finding) in open.filter(|(_, f)| fails_on_null(f)) {
            let mut made = Made {
                worker,
                builds,
                left: MOST,
                any: false,
            };
            let mut inputs = finding.inputs.clone();
            for part in inputs.receiver.iter_mut().chain(&mut inputs.args) {
                made.replace(part)?;
            }
            if made.any {
                all.insert((m, i), inputs);
            }
            if deadline.is_over() {
                return Ok(all);
            }
        }
    }
    Ok(all)
}

fn fails_on_null(f: &Finding) -> bool {
    let thrown = [&f.old, &f.new].map(|o| o.end.thrown());
    f.class != DivergenceClass::ControlOnly
        && f.is_written()
        && thrown.contains(&Some("java.lang.NullPointerException"))
}

/// Whether a part is another one's object, which may stand elsewhere in the input.
fn refers(part: &Input) -> bool {
    matches!(part, Input::Same(_)) || part.parts().any(refers)
}

/// What asks the calls of one input.
struct Made<'a> {
    worker: &'a mut Worker,
    builds: &'a ClassPaths,
    left: usize,
    any: bool,
}

impl Made<'_> {
    /// Puts `null` in the place of calls that return it, the inner ones first.
    fn replace(&mut self, part: &mut Input) -> Result<(), Error> {
        for inner in part.parts_mut() {
            self.replace(inner)?;
        }
        let (receiver, method, args, calls) = match part {
            Input::Object {
                method,
                args,
                calls,
            } if method.name != "<init>" => (None, method, args, calls),
            Input::Result {
                receiver,
                method,
                args,
                calls,
            } => (Some((**receiver).clone()), method, args, calls),
            _ => return Ok(()),
        };
        let inputs = Inputs {
            receiver,
            args: args.clone(),
        };
        if calls.is_empty() && self.is_null(method, &inputs)? {
            *part = Input::Null;
            self.any = true;
        }
        Ok(())
    }

    /// Whether a call returns `null` in both versions.
    fn is_null(&mut self, method: &MethodRef, inputs: &Inputs) -> Result<bool, Error> {
        let mut parts = inputs.receiver.iter().chain(&inputs.args);
        if self.left == 0 || method.is_field() || parts.any(refers) {
            return Ok(false);
        }
        self.left -= 1;
        let is_static = inputs.receiver.is_none();
        let seen = observe(self.worker, self.builds, method, is_static, inputs)?;
        let is_null = |end: &End| *end == End::Returned(Seen::Null);
        Ok(is_null(&seen.old.end) && is_null(&seen.new.end))
    }
}
