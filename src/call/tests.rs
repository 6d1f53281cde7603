//! Tests that calls can be read back, and that errors say why they can't.

use super::expression::{Expression, Step, TypeText};
use super::fit::{fits, value};
use super::{Classes, parse};
use crate::java_text::call::call_text;
use crate::model::{
    DivergenceClass, End, Finding, Input, Inputs, Kind, MethodRef, Outcome, Replay, Seen,
};
use proptest::prelude::*;

/// No classes: enough for values of primitive types, boxes, strings and arrays of primitives.
fn nothing() -> Classes {
    Classes::new(Vec::new())
}

fn finding(args: Vec<Input>, parameters: &[String]) -> Finding {
    let outcome = Outcome::of(End::Returned(Seen::Void));
    Finding {
        class: DivergenceClass::Changed,
        kind: Kind::Data,
        entry: MethodRef {
            class: "a.B$C".into(),
            name: "f".into(),
            descriptor: format!("({})V", parameters.concat()),
        },
        entry_static: true,
        direct: true,
        inputs: Inputs {
            receiver: None,
            args,
        },
        parameter_names: Vec::new(),
        old: outcome.clone(),
        new: outcome,
        path_condition: String::new(),
        diverges_at: None,
        replay: Replay::Confirmed,
        represents: 1,
        found_by: Default::default(),
        situation: None,
        telling: Default::default(),
    }
}

fn primitive() -> impl Strategy<Value = (Input, &'static str, &'static str)> {
    prop_oneof![
        any::<bool>().prop_map(|v| (Input::Boolean(v), "Z", "Boolean")),
        any::<i8>().prop_map(|v| (Input::Byte(v), "B", "Byte")),
        any::<i16>().prop_map(|v| (Input::Short(v), "S", "Short")),
        any::<u16>().prop_map(|v| (Input::Char(v), "C", "Character")),
        any::<i32>().prop_map(|v| (Input::Int(v), "I", "Integer")),
        any::<i64>().prop_map(|v| (Input::Long(v), "J", "Long")),
        any::<u32>().prop_map(|v| (Input::Float(v), "F", "Float")),
        any::<u64>().prop_map(|v| (Input::Double(v), "D", "Double")),
    ]
}

/// A value and its parameter's descriptor.
fn argument() -> impl Strategy<Value = (Input, String)> {
    let box_of = |name: &str| format!("Ljava/lang/{name};");
    prop_oneof![
        primitive().prop_map(|(v, d, _)| (v, d.to_string())),
        primitive().prop_map(move |(v, _, b)| (Input::Boxed(Box::new(v)), box_of(b))),
        any::<Vec<u16>>().prop_map(|v| (Input::Str(v), "Ljava/lang/String;".into())),
        prop::sample::select(vec!["int", "[I", "[[J"])
            .prop_map(|name| (Input::Class(name.into()), "Ljava/lang/Class;".into())),
        proptest::collection::vec(any::<i16>(), 0..4).prop_map(|values| {
            let values = values.into_iter().map(Input::Short).collect();
            let element = "S".to_string();
            (Input::Array { element, values }, "[S".into())
        }),
        proptest::collection::vec(any::<i64>(), 0..3).prop_map(|values| {
            let inner = Input::Array {
                element: "J".into(),
                values: values.into_iter().map(Input::Long).collect(),
            };
            let values = vec![inner, Input::Null];
            let element = "[J".to_string();
            (Input::Array { element, values }, "[[J".into())
        }),
    ]
}

proptest! {
    #[test]
    fn every_value_is_read_back_as_it_was(arguments in proptest::collection::vec(argument(), 0..5)) {
        let (args, parameters): (Vec<Input>, Vec<String>) = arguments.into_iter().unzip();
        let text = call_text(&finding(args.clone(), &parameters));
        let Expression::Static { path, args: written, .. } = parse(&text).unwrap() else {
            panic!("{text}");
        };
        prop_assert_eq!(path.join("."), "a.B$C.f");
        let classes = nothing();
        for ((expression, parameter), input) in written.iter().zip(&parameters).zip(&args) {
            prop_assert_eq!(fits(&classes, expression, parameter).unwrap(), Some(0), "{}", text);
            prop_assert_eq!(&value(&classes, expression, parameter).unwrap(), input, "{}", text);
        }
    }

    #[test]
    fn no_text_makes_the_reader_fall_over(text in "[a-z0-9(){}\\[\\].,'\"\\\\ -]{0,40}", noise in ".{0,20}") {
        let _ = parse(&text);
        let _ = parse(&noise);
    }
}

#[test]
fn what_people_write_is_read() {
    let array = |name: &str| TypeText {
        name: name.into(),
        dimensions: 0,
    };
    for (text, expected) in [
        ("0xff", Expression::Int(255)),
        ("1_000", Expression::Int(1000)),
        ("-1L", Expression::Long(-1)),
        ("1.5", Expression::Double(1.5f64.to_bits())),
        ("2e-3f", Expression::Float(2e-3f32.to_bits())),
        ("Integer.MIN_VALUE", Expression::Int(i32::MIN)),
        ("'\\''", Expression::Char(39)),
        ("\"\\u0041é\"", Expression::Str(vec![0x41, 0xe9])),
        (
            "a.B.\\u202eC",
            Expression::Path(vec!["a".into(), "B".into(), "\u{202e}C".into()]),
        ),
        ("new int[] {}", Expression::Array(array("int"), Vec::new())),
        (
            "(a.B) null",
            Expression::Cast(array("a.B"), Box::new(Expression::Null)),
        ),
    ] {
        assert_eq!(parse(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn a_cast_holds_the_calls_behind_it_and_calls_follow_any_result() {
    let parsed = parse("((a.B) c.D.e().f() after g(1) after h()).i()").unwrap();
    let Expression::Method { receiver, name, .. } = parsed else {
        panic!("{parsed:?}");
    };
    assert_eq!(name, "i");
    let Expression::Cast(_, object) = *receiver else {
        panic!("{receiver:?}");
    };
    let Expression::Method { name, after, .. } = *object else {
        panic!("{object:?}");
    };
    assert_eq!(name, "f");
    assert_eq!(
        after[0],
        Step::Call("g".to_string(), vec![Expression::Int(1)])
    );
    assert_eq!(after[1], Step::Call("h".to_string(), Vec::new()));
}

#[test]
fn what_cannot_be_read_says_why() {
    for (text, part) in [
        ("", "unexpected end"),
        ("f(1", "instead of"),
        ("f(1) 2", "after the call"),
        ("f(3000000000)", "write 3000000000L"),
        ("f(\"a)", "a closing"),
        ("f('ab')", "exactly one"),
        ("f(a; b)", "';'"),
        ("f(\"\\q\")", "not an escape"),
        ("f(Byte.valueOf(300))", "out of range"),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    let deep = format!("f{}1{}", "(".repeat(5000), ")".repeat(5000));
    assert!(parse(&deep).unwrap_err().to_string().contains("nested"));
}

#[test]
fn literals_become_what_the_parameter_takes() {
    let classes = nothing();
    for (text, parameter, expected) in [
        ("7", "B", Input::Byte(7)),
        ("7", "J", Input::Long(7)),
        ("7", "D", Input::Double(7f64.to_bits())),
        (
            "7",
            "Ljava/lang/Integer;",
            Input::Boxed(Box::new(Input::Int(7))),
        ),
        (
            "7",
            "Ljava/lang/Object;",
            Input::Boxed(Box::new(Input::Int(7))),
        ),
        ("'a'", "I", Input::Int(97)),
        ("(byte) 0xC8", "B", Input::Byte(-56)),
        ("(short) 0xffff", "S", Input::Short(-1)),
        ("(char) -1", "C", Input::Char(0xffff)),
        ("(int) 4294967297L", "I", Input::Int(1)),
        ("null", "[I", Input::Null),
    ] {
        let written = parse(text).unwrap();
        assert!(
            fits(&classes, &written, parameter).unwrap().is_some(),
            "{text} {parameter}"
        );
        assert_eq!(
            value(&classes, &written, parameter).unwrap(),
            expected,
            "{text} {parameter}"
        );
    }
    for (text, parameter) in [
        ("300", "B"),
        ("null", "I"),
        ("\"a\"", "I"),
        ("1.5", "F"),
        ("-1", "C"),
        ("true", "I"),
    ] {
        let written = parse(text).unwrap();
        assert_eq!(
            fits(&classes, &written, parameter).unwrap(),
            None,
            "{text} {parameter}"
        );
    }
}

#[test]
fn fields_that_are_set_end_where_the_next_step_begins() {
    let text =
        "new a.B() after next = (new a.B() after n = 1) after all = new int[] {2} after f(3)";
    let Ok(Expression::New { after, .. }) = parse(text) else {
        panic!("{text} is no object");
    };
    let Step::Set(name, Expression::New { after: inner, .. }) = &after[0] else {
        panic!("{after:?}");
    };
    assert_eq!((name.as_str(), inner.len()), ("next", 1));
    assert!(matches!(&after[1], Step::Set(name, Expression::Array(..)) if name == "all"));
    assert!(matches!(&after[2], Step::Call(name, args) if name == "f" && args.len() == 1));
    assert!(parse("new a.B() after n == 1").is_err());
}
