//! Recipes for objects of the JDK's types as inputs: for each type a few public constructors, factories and constants, with
//! calls on the new object. A parameter of type `Object` takes the type argument of its place.

use super::super::class::{Key, Method};
use super::super::vm::Vm;
use crate::model::Version;
use std::sync::Arc;

/// Types and what makes their objects, most telling first: `Class.member(parameters)result; call(parameters)result; …`, or
/// `Class#CONSTANT`, in class-file notation. What the clock, the machine or its settings decide is left out.
const RECIPES: &[(&str, &[&str])] = &[
    ("java/util/ArrayList", LISTS),
    ("java/util/List", LISTS),
    ("java/util/AbstractList", LISTS),
    ("java/util/Collection", LISTS),
    ("java/util/AbstractCollection", LISTS),
    ("java/lang/Iterable", LISTS),
    ("java/util/RandomAccess", LISTS),
    (
        "java/util/LinkedList",
        &[
            "java/util/LinkedList.<init>()V; add(Ljava/lang/Object;)Z",
            "java/util/LinkedList.<init>()V",
        ],
    ),
    ("java/util/Set", SETS),
    ("java/util/AbstractSet", SETS),
    ("java/util/HashSet", HASH_SETS),
    (
        "java/util/LinkedHashSet",
        &[
            "java/util/LinkedHashSet.<init>()V; add(Ljava/lang/Object;)Z",
            "java/util/LinkedHashSet.<init>()V",
        ],
    ),
    ("java/util/SortedSet", SORTED_SETS),
    ("java/util/NavigableSet", SORTED_SETS),
    ("java/util/TreeSet", SORTED_SETS),
    ("java/util/Map", MAPS),
    ("java/util/AbstractMap", MAPS),
    ("java/util/HashMap", HASH_MAPS),
    (
        "java/util/LinkedHashMap",
        &[
            "java/util/LinkedHashMap.<init>()V; put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
            "java/util/LinkedHashMap.<init>()V",
        ],
    ),
    ("java/util/SortedMap", SORTED_MAPS),
    ("java/util/NavigableMap", SORTED_MAPS),
    ("java/util/TreeMap", SORTED_MAPS),
    (
        "java/util/Map$Entry",
        &["java/util/AbstractMap$SimpleEntry.<init>(Ljava/lang/Object;Ljava/lang/Object;)V"],
    ),
    ("java/util/Deque", DEQUES),
    ("java/util/Queue", DEQUES),
    ("java/util/ArrayDeque", DEQUES),
    ("java/util/Iterator", ITERATORS),
    (
        "java/util/ListIterator",
        &[
            "java/util/ArrayList.<init>()V; add(Ljava/lang/Object;)Z > java/util/ArrayList.listIterator()Ljava/util/ListIterator;",
        ],
    ),
    (
        "java/util/Enumeration",
        &["java/util/Collections.enumeration(Ljava/util/Collection;)Ljava/util/Enumeration;"],
    ),
    (
        "java/util/Optional",
        &[
            "java/util/Optional.ofNullable(Ljava/lang/Object;)Ljava/util/Optional;",
            "java/util/Optional.empty()Ljava/util/Optional;",
        ],
    ),
    (
        "java/util/OptionalInt",
        &[
            "java/util/OptionalInt.of(I)Ljava/util/OptionalInt;",
            "java/util/OptionalInt.empty()Ljava/util/OptionalInt;",
        ],
    ),
    (
        "java/util/OptionalLong",
        &[
            "java/util/OptionalLong.of(J)Ljava/util/OptionalLong;",
            "java/util/OptionalLong.empty()Ljava/util/OptionalLong;",
        ],
    ),
    (
        "java/util/OptionalDouble",
        &[
            "java/util/OptionalDouble.of(D)Ljava/util/OptionalDouble;",
            "java/util/OptionalDouble.empty()Ljava/util/OptionalDouble;",
        ],
    ),
    (
        "java/util/Comparator",
        &[
            "java/util/Comparator.naturalOrder()Ljava/util/Comparator;",
            "java/util/Collections.reverseOrder()Ljava/util/Comparator;",
        ],
    ),
    (
        "java/util/BitSet",
        &[
            "java/util/BitSet.<init>()V",
            "java/util/BitSet.<init>()V; set(I)V",
        ],
    ),
    ("java/util/Date", &["java/util/Date.<init>(J)V"]),
    ("java/util/UUID", &["java/util/UUID.<init>(JJ)V"]),
    ("java/util/Random", &["java/util/Random.<init>(J)V"]),
    (
        "java/util/Locale",
        &["java/util/Locale#ROOT", "java/util/Locale#ENGLISH"],
    ),
    (
        "java/util/StringJoiner",
        &["java/util/StringJoiner.<init>(Ljava/lang/CharSequence;)V"],
    ),
    (
        "java/util/Properties",
        &[
            "java/util/Properties.<init>()V; setProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;",
            "java/util/Properties.<init>()V",
        ],
    ),
    ("java/lang/StringBuilder", BUILDERS),
    ("java/lang/Appendable", BUILDERS),
    (
        "java/lang/StringBuffer",
        &["java/lang/StringBuffer.<init>(Ljava/lang/String;)V"],
    ),
    ("java/lang/Throwable", EXCEPTIONS),
    ("java/lang/Exception", EXCEPTIONS),
    ("java/lang/RuntimeException", EXCEPTIONS),
    (
        "java/lang/Error",
        &["java/lang/Error.<init>(Ljava/lang/String;)V"],
    ),
    (
        "java/math/BigInteger",
        &["java/math/BigInteger.valueOf(J)Ljava/math/BigInteger;"],
    ),
    (
        "java/math/BigDecimal",
        &[
            "java/math/BigDecimal.valueOf(JI)Ljava/math/BigDecimal;",
            "java/math/BigDecimal.valueOf(J)Ljava/math/BigDecimal;",
        ],
    ),
    (
        "java/util/concurrent/atomic/AtomicInteger",
        &["java/util/concurrent/atomic/AtomicInteger.<init>(I)V"],
    ),
    (
        "java/util/concurrent/atomic/AtomicLong",
        &["java/util/concurrent/atomic/AtomicLong.<init>(J)V"],
    ),
    (
        "java/util/concurrent/atomic/AtomicBoolean",
        &["java/util/concurrent/atomic/AtomicBoolean.<init>(Z)V"],
    ),
    (
        "java/util/concurrent/atomic/AtomicReference",
        &["java/util/concurrent/atomic/AtomicReference.<init>(Ljava/lang/Object;)V"],
    ),
    ("java/util/concurrent/ConcurrentMap", CONCURRENT_MAPS),
    ("java/util/concurrent/ConcurrentHashMap", CONCURRENT_MAPS),
    ("java/time/LocalDate", DATES),
    ("java/time/chrono/ChronoLocalDate", DATES),
    (
        "java/time/LocalTime",
        &["java/time/LocalTime.of(III)Ljava/time/LocalTime;"],
    ),
    (
        "java/time/LocalDateTime",
        &["java/time/LocalDateTime.of(IIIII)Ljava/time/LocalDateTime;"],
    ),
    ("java/time/temporal/Temporal", DATES),
    ("java/time/temporal/TemporalAccessor", DATES),
    (
        "java/time/Instant",
        &["java/time/Instant.ofEpochSecond(JJ)Ljava/time/Instant;"],
    ),
    (
        "java/time/Duration",
        &["java/time/Duration.ofSeconds(JJ)Ljava/time/Duration;"],
    ),
    (
        "java/time/temporal/TemporalAmount",
        &["java/time/Duration.ofSeconds(JJ)Ljava/time/Duration;"],
    ),
    (
        "java/time/Period",
        &["java/time/Period.of(III)Ljava/time/Period;"],
    ),
    ("java/time/Year", &["java/time/Year.of(I)Ljava/time/Year;"]),
    (
        "java/time/YearMonth",
        &["java/time/YearMonth.of(II)Ljava/time/YearMonth;"],
    ),
    ("java/time/ZoneOffset", OFFSETS),
    ("java/time/ZoneId", OFFSETS),
    (
        "java/time/Clock",
        &["java/time/Clock.fixed(Ljava/time/Instant;Ljava/time/ZoneId;)Ljava/time/Clock;"],
    ),
    (
        "java/util/regex/Matcher",
        &[
            "java/util/regex/Pattern.compile(Ljava/lang/String;)Ljava/util/regex/Pattern; > java/util/regex/Pattern.matcher(Ljava/lang/CharSequence;)Ljava/util/regex/Matcher;",
        ],
    ),
    ("java/util/concurrent/locks/Lock", LOCKS),
    ("java/util/concurrent/locks/ReentrantLock", LOCKS),
    ("java/util/concurrent/locks/ReadWriteLock", READ_WRITE_LOCKS),
    (
        "java/util/concurrent/locks/ReentrantReadWriteLock",
        READ_WRITE_LOCKS,
    ),
    (
        "java/util/concurrent/CountDownLatch",
        &["java/util/concurrent/CountDownLatch.<init>(I)V"],
    ),
    (
        "java/util/concurrent/Semaphore",
        &["java/util/concurrent/Semaphore.<init>(I)V"],
    ),
    ("java/util/concurrent/Future", FUTURES),
    ("java/util/concurrent/BlockingQueue", BLOCKING_QUEUES),
    ("java/util/concurrent/LinkedBlockingQueue", BLOCKING_QUEUES),
    (
        "java/util/EnumMap",
        &["java/util/EnumMap.<init>(Ljava/lang/Class;)V"],
    ),
    (
        "java/util/EnumSet",
        &[
            "java/util/EnumSet.allOf(Ljava/lang/Class;)Ljava/util/EnumSet;",
            "java/util/EnumSet.noneOf(Ljava/lang/Class;)Ljava/util/EnumSet;",
        ],
    ),
    (
        "java/util/Spliterator",
        &[
            "java/util/ArrayList.<init>()V; add(Ljava/lang/Object;)Z > java/util/ArrayList.spliterator()Ljava/util/Spliterator;",
        ],
    ),
    (
        "java/util/Base64$Encoder",
        &["java/util/Base64.getEncoder()Ljava/util/Base64$Encoder;"],
    ),
    (
        "java/util/Base64$Decoder",
        &["java/util/Base64.getDecoder()Ljava/util/Base64$Decoder;"],
    ),
    (
        "java/util/logging/Level",
        &[
            "java/util/logging/Level#INFO",
            "java/util/logging/Level#WARNING",
            "java/util/logging/Level#FINE",
        ],
    ),
    (
        "java/util/logging/Logger",
        &["java/util/logging/Logger.getLogger(Ljava/lang/String;)Ljava/util/logging/Logger;"],
    ),
    (
        "java/lang/Thread",
        &["java/lang/Thread.<init>(Ljava/lang/String;)V"],
    ),
    (
        "java/lang/ThreadLocal",
        &["java/lang/ThreadLocal.<init>()V; set(Ljava/lang/Object;)V"],
    ),
    ("java/lang/ref/Reference", REFERENCES),
    ("java/lang/ref/WeakReference", REFERENCES),
    (
        "java/lang/ref/SoftReference",
        &["java/lang/ref/SoftReference.<init>(Ljava/lang/Object;)V"],
    ),
    (
        "java/net/InetAddress",
        &["java/net/InetAddress.getLoopbackAddress()Ljava/net/InetAddress;"],
    ),
    ("java/net/InetSocketAddress", ADDRESSES),
    ("java/net/SocketAddress", ADDRESSES),
    (
        "java/awt/Font",
        &["java/awt/Font.<init>(Ljava/lang/String;II)V"],
    ),
    (
        "java/awt/geom/Point2D",
        &["java/awt/geom/Point2D$Double.<init>(DD)V"],
    ),
    (
        "java/awt/geom/Rectangle2D",
        &["java/awt/geom/Rectangle2D$Double.<init>(DDDD)V"],
    ),
    (
        "javax/xml/parsers/DocumentBuilder",
        &[
            "javax/xml/parsers/DocumentBuilderFactory.newInstance()Ljavax/xml/parsers/DocumentBuilderFactory; > javax/xml/parsers/DocumentBuilderFactory.newDocumentBuilder()Ljavax/xml/parsers/DocumentBuilder;",
        ],
    ),
    (
        "java/nio/charset/Charset",
        &[
            "java/nio/charset/StandardCharsets#UTF_8",
            "java/nio/charset/StandardCharsets#ISO_8859_1",
        ],
    ),
    (
        "java/io/InputStream",
        &["java/io/ByteArrayInputStream.<init>([B)V"],
    ),
    (
        "java/io/OutputStream",
        &["java/io/ByteArrayOutputStream.<init>()V"],
    ),
    (
        "java/io/Reader",
        &["java/io/StringReader.<init>(Ljava/lang/String;)V"],
    ),
    ("java/io/Writer", &["java/io/StringWriter.<init>()V"]),
    ("java/io/StringWriter", &["java/io/StringWriter.<init>()V"]),
    (
        "java/io/BufferedReader",
        &["java/io/BufferedReader.<init>(Ljava/io/Reader;)V"],
    ),
    (
        "java/io/ByteArrayOutputStream",
        &["java/io/ByteArrayOutputStream.<init>()V"],
    ),
    (
        "java/io/DataOutput",
        &["java/io/DataOutputStream.<init>(Ljava/io/OutputStream;)V"],
    ),
    (
        "java/io/DataOutputStream",
        &["java/io/DataOutputStream.<init>(Ljava/io/OutputStream;)V"],
    ),
    (
        "java/io/DataInput",
        &["java/io/DataInputStream.<init>(Ljava/io/InputStream;)V"],
    ),
    (
        "java/io/File",
        &["java/io/File.<init>(Ljava/lang/String;)V"],
    ),
    (
        "java/nio/file/Path",
        &["java/io/File.<init>(Ljava/lang/String;)V > java/io/File.toPath()Ljava/nio/file/Path;"],
    ),
    (
        "java/util/StringTokenizer",
        &["java/util/StringTokenizer.<init>(Ljava/lang/String;)V"],
    ),
    (
        "java/util/Calendar",
        &["java/util/GregorianCalendar.<init>(III)V"],
    ),
    (
        "java/util/TimeZone",
        &["java/util/SimpleTimeZone.<init>(ILjava/lang/String;)V"],
    ),
    (
        "java/text/ParsePosition",
        &["java/text/ParsePosition.<init>(I)V"],
    ),
    (
        "java/text/FieldPosition",
        &["java/text/FieldPosition.<init>(I)V"],
    ),
];

const LISTS: &[&str] = &[
    "java/util/ArrayList.<init>()V; add(Ljava/lang/Object;)Z; add(Ljava/lang/Object;)Z",
    "java/util/ArrayList.<init>()V",
    "java/util/ArrayList.<init>()V; add(Ljava/lang/Object;)Z",
];
/// What a hash table does with a symbolic key depends on the hash: tables with one come last.
const SETS: &[&str] = &[
    "java/util/Collections.singleton(Ljava/lang/Object;)Ljava/util/Set;",
    "java/util/HashSet.<init>()V",
    "java/util/HashSet.<init>()V; add(Ljava/lang/Object;)Z",
];
const HASH_SETS: &[&str] = &[
    "java/util/HashSet.<init>()V; add(Ljava/lang/Object;)Z",
    "java/util/HashSet.<init>()V",
];
const SORTED_SETS: &[&str] = &[
    "java/util/TreeSet.<init>()V; add(Ljava/lang/Object;)Z",
    "java/util/TreeSet.<init>()V",
    "java/util/TreeSet.<init>()V; add(Ljava/lang/Object;)Z; add(Ljava/lang/Object;)Z",
];
const MAPS: &[&str] = &[
    "java/util/Collections.singletonMap(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/Map;",
    "java/util/HashMap.<init>()V",
    "java/util/HashMap.<init>()V; put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
];
const HASH_MAPS: &[&str] = &[
    "java/util/HashMap.<init>()V; put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
    "java/util/HashMap.<init>()V",
];
const SORTED_MAPS: &[&str] = &[
    "java/util/TreeMap.<init>()V; put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
    "java/util/TreeMap.<init>()V",
    "java/util/TreeMap.<init>()V; put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;; put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
];
const CONCURRENT_MAPS: &[&str] = &[
    "java/util/concurrent/ConcurrentHashMap.<init>()V; put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
    "java/util/concurrent/ConcurrentHashMap.<init>()V",
];
const DEQUES: &[&str] = &[
    "java/util/ArrayDeque.<init>()V; addLast(Ljava/lang/Object;)V; addLast(Ljava/lang/Object;)V",
    "java/util/ArrayDeque.<init>()V",
];
const ITERATORS: &[&str] = &[
    "java/util/ArrayList.<init>()V; add(Ljava/lang/Object;)Z; add(Ljava/lang/Object;)Z > java/util/ArrayList.iterator()Ljava/util/Iterator;",
    "java/util/ArrayList.<init>()V > java/util/ArrayList.iterator()Ljava/util/Iterator;",
];
const BUILDERS: &[&str] = &["java/lang/StringBuilder.<init>(Ljava/lang/String;)V"];
const EXCEPTIONS: &[&str] = &["java/lang/RuntimeException.<init>(Ljava/lang/String;)V"];
const DATES: &[&str] = &["java/time/LocalDate.of(III)Ljava/time/LocalDate;"];
const LOCKS: &[&str] = &["java/util/concurrent/locks/ReentrantLock.<init>()V"];
const READ_WRITE_LOCKS: &[&str] = &["java/util/concurrent/locks/ReentrantReadWriteLock.<init>()V"];
const FUTURES: &[&str] = &[
    "java/util/concurrent/CompletableFuture.completedFuture(Ljava/lang/Object;)Ljava/util/concurrent/CompletableFuture;",
];
const BLOCKING_QUEUES: &[&str] = &[
    "java/util/concurrent/LinkedBlockingQueue.<init>()V; add(Ljava/lang/Object;)Z",
    "java/util/concurrent/LinkedBlockingQueue.<init>()V",
];
const REFERENCES: &[&str] = &["java/lang/ref/WeakReference.<init>(Ljava/lang/Object;)V"];
const ADDRESSES: &[&str] = &[
    "java/net/InetSocketAddress.createUnresolved(Ljava/lang/String;I)Ljava/net/InetSocketAddress;",
];
const OFFSETS: &[&str] = &[
    "java/time/ZoneOffset#UTC",
    "java/time/ZoneOffset.ofTotalSeconds(I)Ljava/time/ZoneOffset;",
];

/// One way to make an object of a JDK type.
#[derive(Debug)]
pub(in crate::symex) enum Recipe {
    /// A static field: class, name, descriptor.
    Constant(Arc<str>, Arc<str>, Arc<str>),
    /// A constructor or static factory, calls on its object, and an instance method that then makes the value of it.
    Made {
        /// The constructor or factory.
        maker: Arc<Method>,
        /// The calls.
        calls: Vec<Arc<Method>>,
        /// The last one.
        last: Option<Arc<Method>>,
    },
}

/// How objects of a JDK type are made, as texts: `Class.member(parameters)result; call(parameters)result; … > Class.member…`, or
/// `Class#CONSTANT`, in class-file notation; none for types that are not known.
pub fn texts(class: &str) -> &'static [&'static str] {
    let found = RECIPES.iter().find(|r| r.0 == class);
    found.map_or(&[][..], |r| r.1)
}

/// The recipes for a type; members that this JDK lacks are passed over.
pub(in crate::symex) fn of(vm: &mut Vm, class: &str) -> Vec<Recipe> {
    let each = texts(class).iter();
    each.filter_map(|text| read(vm, text)).collect()
}

fn read(vm: &mut Vm, text: &str) -> Option<Recipe> {
    if let Some((class, name)) = text.split_once('#') {
        let owner = vm.linker.resolve_for(class, Version::New).ok()?;
        let field = vm.linker.class(owner).statics.iter();
        let field = field.filter(|f| *f.name == *name).find(|f| f.is_final)?;
        return Some(Recipe::Constant(
            Arc::from(class),
            field.name.clone(),
            field.descriptor.clone(),
        ));
    }
    let (made, last) = match text.split_once(" > ") {
        Some((made, last)) => (made, Some(last)),
        None => (text, None),
    };
    // A descriptor may end in a semicolon itself: the blank behind it tells the separator.
    let mut members = made.split("; ");
    let (owner, member) = members.next()?.split_once('.')?;
    let maker = find(vm, owner, member)?;
    let calls = members
        .map(|member| find(vm, owner, member))
        .collect::<Option<Vec<_>>>()?;
    let last = match last.and_then(|l| l.split_once('.')) {
        Some((owner, member)) => Some(find(vm, owner, member)?),
        None => None,
    };
    Some(Recipe::Made { maker, calls, last })
}

fn find(vm: &mut Vm, owner: &str, member: &str) -> Option<Arc<Method>> {
    let class = vm.linker.resolve_for(owner, Version::New).ok()?;
    let (name, descriptor) = member.split_at(member.find('(')?);
    let key: Key = (Arc::from(name), Arc::from(descriptor));
    vm.linker.select(class, &key, Version::New)
}
