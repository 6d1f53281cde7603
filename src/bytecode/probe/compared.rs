//! Calls of library methods that compare texts, arrays and containers: which ones probes tell of, and how near their operands are to a
//! match, as a kind that `Trace.objects` knows.

/// Methods of `String` with further operands: the probe is called in their place, with the same arguments.
pub(super) const IN_PLACE: [(&str, &str); 8] = [
    ("startsWith", "(Ljava/lang/String;I)Z"),
    ("regionMatches", "(ILjava/lang/String;II)Z"),
    ("regionMatches", "(ZILjava/lang/String;II)Z"),
    ("indexOf", "(Ljava/lang/String;I)I"),
    ("lastIndexOf", "(Ljava/lang/String;I)I"),
    ("indexOf", "(I)I"),
    ("indexOf", "(II)I"),
    ("lastIndexOf", "(I)I"),
];

/// How operands match: by being equal, or equal but for case, by the beginning or end, or anywhere.
const EQUAL: u8 = 0;
const BUT_FOR_CASE: u8 = 1;
const BEGINNING: u8 = 2;
const END: u8 = 3;
const ANYWHERE: u8 = 4;

/// The kind of a method that is called on one operand with another, by its name and the part of its descriptor before `)`.
pub(super) fn with_one(name: &str, inside: &str) -> Option<u8> {
    if !matches!(
        inside,
        "(Ljava/lang/Object;" | "(Ljava/lang/String;" | "(Ljava/lang/CharSequence;"
    ) {
        return None;
    }
    Some(match name {
        "equals" | "compareTo" | "contentEquals" | "get" | "containsKey" | "matches" => EQUAL,
        "equalsIgnoreCase" | "compareToIgnoreCase" => BUT_FOR_CASE,
        "startsWith" => BEGINNING,
        "endsWith" => END,
        "contains" | "indexOf" | "lastIndexOf" => ANYWHERE,
        _ => return None,
    })
}

/// The kind of a static method of two operands.
pub(super) fn of_two(class: &str, name: &str, inside: &str) -> Option<u8> {
    let objects = inside == "(Ljava/lang/Object;Ljava/lang/Object;" && name == "equals";
    let arrays = class == "java/util/Arrays" && matches!(name, "equals" | "deepEquals");
    let of_two_arrays = || {
        let inside = inside.trim_start_matches('(');
        let half = inside.len() / 2;
        inside.starts_with('[') && inside.get(..half) == inside.get(half..)
    };
    (objects || arrays && of_two_arrays()).then_some(EQUAL)
}
