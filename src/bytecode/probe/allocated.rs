//! Allocations whose size is the number on top of the operand stack: arrays, and buffers and containers of the JDK.

/// Operations that make arrays (JVMS §6.5).
const NEWARRAY: u8 = 0xbc;
const ANEWARRAY: u8 = 0xbd;

/// Constructors of which the last argument is a capacity, with the binary logarithm of the bytes that each place takes.
const CONTAINERS: [(&str, u8); 19] = [
    ("java/lang/StringBuilder", 0),
    ("java/lang/StringBuffer", 0),
    ("java/io/BufferedInputStream", 0),
    ("java/io/BufferedOutputStream", 0),
    ("java/io/BufferedReader", 1),
    ("java/io/BufferedWriter", 1),
    ("java/io/ByteArrayOutputStream", 0),
    ("java/io/CharArrayWriter", 1),
    ("java/io/StringWriter", 0),
    ("java/util/ArrayDeque", 2),
    ("java/util/ArrayList", 2),
    ("java/util/HashMap", 2),
    ("java/util/HashSet", 2),
    ("java/util/LinkedHashMap", 2),
    ("java/util/LinkedHashSet", 2),
    ("java/util/PriorityQueue", 2),
    ("java/util/Vector", 2),
    ("java/util/concurrent/ArrayBlockingQueue", 2),
    ("java/util/concurrent/ConcurrentHashMap", 2),
];

/// The binary logarithm of the bytes that each element takes of the array that the instruction at `at` makes; `None` of other
/// instructions, and of arrays of several dimensions.
pub(super) fn of_array(code: &[u8], at: usize) -> Option<u8> {
    match (code[at], code.get(at + 1)) {
        (ANEWARRAY, _) => Some(2),
        (NEWARRAY, Some(kind)) => Some(element(match kind {
            4 => 'Z',
            5 => 'C',
            6 => 'F',
            7 => 'D',
            8 => 'B',
            9 => 'S',
            10 => 'I',
            _ => 'J',
        })),
        _ => None,
    }
}

/// The same of a call whose last argument is a size.
pub(super) fn of_call(class: &str, name: &str, descriptor: &str) -> Option<u8> {
    let inside = descriptor.rsplit_once(')')?.0.strip_suffix('I')?;
    match (class, name) {
        (_, "<init>") => CONTAINERS.iter().find(|c| c.0 == class).map(|c| c.1),
        ("java/lang/StringBuilder" | "java/lang/StringBuffer", "setLength" | "ensureCapacity") => {
            Some(0)
        }
        ("java/util/ArrayList" | "java/util/Vector", "ensureCapacity") => Some(2),
        ("java/util/Vector", "setSize") => Some(2),
        ("java/nio/ByteBuffer", "allocate" | "allocateDirect") => Some(0),
        ("java/nio/CharBuffer", "allocate") => Some(1),
        ("java/util/Arrays", "copyOf") => Some(element(inside.strip_prefix("([")?.chars().next()?)),
        ("java/lang/reflect/Array", "newInstance") => Some(2),
        _ => None,
    }
}

/// The binary logarithm of the bytes that an element takes, by the first letter of its descriptor.
fn element(of: char) -> u8 {
    match of {
        'B' | 'Z' => 0,
        'C' | 'S' => 1,
        'D' | 'J' => 3,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_of_an_array_takes_what_its_type_does() {
        let kinds = [4, 5, 6, 7, 8, 9, 10, 11];
        let sizes = kinds.map(|kind| of_array(&[NEWARRAY, kind], 0));
        assert_eq!(sizes, [0, 1, 2, 3, 0, 1, 2, 3].map(Some));
        assert_eq!(of_array(&[ANEWARRAY, 0, 1], 0), Some(2));
        assert_eq!(of_array(&[0xc5, 0, 1, 2], 0), None);
    }

    #[test]
    fn sizes_are_last_arguments_only() {
        let of = |class, name, descriptor| of_call(class, name, descriptor);
        assert_eq!(of("java/util/ArrayList", "<init>", "(I)V"), Some(2));
        let reader = "(Ljava/io/Reader;I)V";
        assert_eq!(of("java/io/BufferedReader", "<init>", reader), Some(1));
        assert_eq!(of("java/util/Arrays", "copyOf", "([JI)[J"), Some(3));
        assert_eq!(of("java/util/HashMap", "<init>", "(IF)V"), None);
        assert_eq!(
            of("java/util/ArrayList", "get", "(I)Ljava/lang/Object;"),
            None
        );
    }
}
