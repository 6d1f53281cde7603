//! Types of the random methods: what they are written with, and the narrow domain that brute force goes through.

use shadow_ci::model::{Input, MethodRef};

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int,
    Long,
    Byte,
    Char,
    Bool,
    Double,
    Text,
    Ints,
    Color,
    Boxed,
    Point,
}

use Kind::{Bool, Boxed, Byte, Char, Color, Double, Int, Ints, Long, Point, Text};

/// An expression with `{}` where others come, and their types.
type Form = (&'static str, &'static [Kind]);

const INT: &[Form] = &[
    ("({} + {})", &[Int, Int]),
    ("({} - {})", &[Int, Int]),
    ("({} * {})", &[Int, Int]),
    ("({} / {})", &[Int, Int]),
    ("({} % {})", &[Int, Int]),
    ("({} ^ {})", &[Int, Int]),
    ("({} << {})", &[Int, Int]),
    ("({} >>> {})", &[Int, Int]),
    ("(- {})", &[Int]),
    ("Math.max({}, {})", &[Int, Int]),
    ("Math.abs({})", &[Int]),
    ("{}.length()", &[Text]),
    ("{}.indexOf({})", &[Text, Text]),
    ("{}.indexOf({})", &[Text, Char]),
    ("{}.compareTo({})", &[Text, Text]),
    ("{}.hashCode()", &[Text]),
    ("Integer.parseInt({})", &[Text]),
    ("{}.length", &[Ints]),
    ("{}[{}]", &[Ints, Int]),
    ("{}.ordinal()", &[Color]),
    ("((int) {})", &[Boxed]),
    ("{}.x", &[Point]),
    ("((int) {})", &[Double]),
    ("((int) {})", &[Long]),
    ("((int) {})", &[Byte]),
    ("((int) {})", &[Char]),
    ("Long.compare({}, {})", &[Long, Long]),
    ("Double.compare({}, {})", &[Double, Double]),
];

const BOOL: &[Form] = &[
    ("({} < {})", &[Int, Int]),
    ("({} == {})", &[Int, Int]),
    ("({} > {})", &[Long, Long]),
    ("({} <= {})", &[Double, Double]),
    ("({} != {})", &[Double, Double]),
    ("({} == {})", &[Char, Char]),
    ("({} && {})", &[Bool, Bool]),
    ("({} || {})", &[Bool, Bool]),
    ("(!{})", &[Bool]),
    ("{}.equals({})", &[Text, Text]),
    ("{}.isEmpty()", &[Text]),
    ("{}.startsWith({})", &[Text, Text]),
    ("{}.contains({})", &[Text, Text]),
    ("({} == null)", &[Text]),
    ("({} == null)", &[Ints]),
    ("({} == null)", &[Point]),
    ("({} == {})", &[Color, Color]),
    ("java.util.Objects.equals({}, {})", &[Boxed, Boxed]),
    ("Character.isDigit({})", &[Char]),
    ("Character.isLetter({})", &[Char]),
    ("Double.isNaN({})", &[Double]),
];

const TEXT: &[Form] = &[
    ("({} + {})", &[Text, Text]),
    ("({} + {})", &[Text, Char]),
    ("({} + {})", &[Text, Int]),
    ("{}.substring({})", &[Text, Int]),
    ("{}.trim()", &[Text]),
    ("{}.toUpperCase()", &[Text]),
    ("String.valueOf({})", &[Char]),
    ("{}.replace({}, {})", &[Text, Char, Char]),
    ("{}.name()", &[Color]),
    ("{}.s", &[Point]),
    ("{}.concat({})", &[Text, Text]),
    ("new StringBuilder({}).reverse().toString()", &[Text]),
    ("String.valueOf({})", &[Boxed]),
];

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 11] = [
        Int, Long, Byte, Char, Bool, Double, Text, Ints, Color, Boxed, Point,
    ];

    /// Its name in Java.
    pub fn name(self) -> &'static str {
        match self {
            Int => "int",
            Long => "long",
            Byte => "byte",
            Char => "char",
            Bool => "boolean",
            Double => "double",
            Text => "String",
            Ints => "int[]",
            Color => "Color",
            Boxed => "Integer",
            Point => "Point",
        }
    }

    /// Its descriptor.
    pub fn descriptor(self) -> &'static str {
        match self {
            Int => "I",
            Long => "J",
            Byte => "B",
            Char => "C",
            Bool => "Z",
            Double => "D",
            Text => "Ljava/lang/String;",
            Ints => "[I",
            Color => "Lpairs/Color;",
            Boxed => "Ljava/lang/Integer;",
            Point => "Lpairs/Point;",
        }
    }

    /// Expressions of the type that have parts.
    pub fn forms(self) -> &'static [Form] {
        match self {
            Int => INT,
            Bool => BOOL,
            Text => TEXT,
            Long => &[
                ("((long) {})", &[Int]),
                ("({} + {})", &[Long, Long]),
                ("({} * {})", &[Long, Long]),
                ("({} >> {})", &[Long, Int]),
                ("((long) {})", &[Double]),
            ],
            Byte => &[("((byte) {})", &[Int]), ("((byte) {})", &[Long])],
            Char => &[
                ("{}.charAt({})", &[Text, Int]),
                ("((char) {})", &[Int]),
                ("Character.toUpperCase({})", &[Char]),
            ],
            Double => &[
                ("({} + {})", &[Double, Double]),
                ("({} * {})", &[Double, Double]),
                ("(- {})", &[Double]),
                ("((double) {})", &[Int]),
                ("Math.max({}, {})", &[Double, Double]),
            ],
            Ints => &[
                ("new int[] {{}, {}}", &[Int, Int]),
                ("{}.clone()", &[Ints]),
                ("(new int[{} & 3])", &[Int]),
            ],
            Color => &[
                ("Color.values()[{}]", &[Int]),
                ("Color.valueOf({})", &[Text]),
            ],
            Boxed => &[("Integer.valueOf({})", &[Int])],
            Point => &[("new Point({}, {})", &[Int, Text])],
        }
    }

    /// Expressions of the type without parts.
    pub fn literals(self) -> &'static [&'static str] {
        match self {
            Int => &["0", "1", "2", "-1", "7", "Integer.MAX_VALUE"],
            Long => &["0L", "1L", "-3L", "Long.MIN_VALUE"],
            Byte => &["(byte) 1", "(byte) -128"],
            Char => &["'a'", "'b'", "'0'", "' '"],
            Bool => &["true", "false"],
            Double => &["0.0", "-0.0", "1.0", "0.5", "Double.NaN"],
            Text => &["\"\"", "\"a\"", "\"b\"", "\"ab\"", "\" \"", "\"1\""],
            Ints => &["new int[] {1}", "new int[] {0, 2}", "(new int[0])"],
            Color => &["Color.RED", "Color.GREEN", "Color.BLUE"],
            Boxed => &["Integer.valueOf(1)", "Integer.valueOf(128)"],
            Point => &["new Point(1, \"a\")", "((Point) null)"],
        }
    }

    /// The values that brute force goes through.
    pub fn domain(self) -> Vec<Input> {
        let ints = [0, 1, -1, 2, 3, i32::MAX, i32::MIN];
        match self {
            Int => ints.map(Input::Int).to_vec(),
            Long => [0, 1, -1, 1 << 32, i64::MAX, i64::MIN]
                .map(Input::Long)
                .to_vec(),
            Byte => [0, 1, -1, 127, -128].map(Input::Byte).to_vec(),
            Char => "ab0 Zé".encode_utf16().map(Input::Char).collect(),
            Bool => [false, true].map(Input::Boolean).to_vec(),
            Double => [
                0.0,
                -0.0,
                1.0,
                -1.5,
                0.5,
                f64::NAN,
                f64::INFINITY,
                f64::MAX,
                5e-324,
                1e10,
            ]
            .map(|d: f64| Input::Double(d.to_bits()))
            .to_vec(),
            Text => {
                let texts = [
                    "", "a", "b", " ", "1", "ab", "ba", "aa", "a ", " b", "-1", "é",
                ];
                or_null(texts.map(text))
            }
            Ints => {
                let arrays: [&[i32]; 6] = [&[], &[0], &[1], &[-1, 2], &[2, 2], &[1, 0, i32::MAX]];
                or_null(arrays.map(|values| Input::Array {
                    element: "I".into(),
                    values: values.iter().map(|v| Input::Int(*v)).collect(),
                }))
            }
            Color => or_null(["RED", "GREEN", "BLUE"].map(|constant| Input::Enum {
                class: "pairs.Color".into(),
                constant: constant.into(),
            })),
            Boxed => {
                or_null([0, 1, -1, 128, i32::MIN].map(|n| Input::Boxed(Box::new(Input::Int(n)))))
            }
            Point => or_null([(0, "a"), (1, ""), (-1, "ab")].map(|(x, s)| Input::Object {
                method: MethodRef {
                    class: "pairs.Point".into(),
                    name: "<init>".into(),
                    descriptor: "(ILjava/lang/String;)V".into(),
                },
                args: vec![Input::Int(x), text(s)],
                calls: Vec::new(),
            })),
        }
    }
}

fn text(text: &str) -> Input {
    Input::Str(text.encode_utf16().collect())
}

fn or_null<const N: usize>(values: [Input; N]) -> Vec<Input> {
    std::iter::once(Input::Null).chain(values).collect()
}
