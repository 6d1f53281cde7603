//! Random uses of the library and of larger language features: streams, generics, inheritance, sealed types, causes, arrays of arrays.

use super::program::{Program, Type};

/// Members that every program has for them.
pub const MEMBERS: &str = r#"
static abstract class Animal { static int made; protected int legs; { made++; legs = 1; } Animal(int n) { legs += n; grow(); } void grow() { legs *= 2; } abstract int speak(int n); public String toString() { return getClass().getSimpleName() + legs; } }
static class Dog extends Animal { int bark = 4; Dog(int n) { super(n); bark += n; } void grow() { super.grow(); bark++; legs -= 1; } int speak(int n) { return legs * n + bark; } }
static final class Puppy extends Dog { Puppy(int n) { super(n - 1); this.legs <<= 1; } int speak(int n) { return super.speak(n) ^ 1; } }
static class Box<T extends Comparable<T>> implements Iterable<T> { private final List<T> all = new ArrayList<>(); @SafeVarargs Box(T... xs) { all.addAll(Arrays.asList(xs)); }
T max() { T best = null; for (T x : all) if (best == null || x.compareTo(best) > 0) best = x; return best; }
<R extends Comparable<R>> Box<R> map(Function<? super T, ? extends R> f) { Box<R> out = new Box<>(); for (T x : this) out.all.add(f.apply(x)); return out; }
public Iterator<T> iterator() { return new Iterator<>() { int at; public boolean hasNext() { return at < all.size(); } public T next() { if (!hasNext()) throw new NoSuchElementException("end"); return all.get(at++); } }; } }
sealed interface Tree permits Leaf, Fork {}
record Leaf(int v) implements Tree {}
record Fork(Tree l, Tree r) implements Tree { Fork { Objects.requireNonNull(l, "l"); } Fork(int a, int b) { this(new Leaf(a), new Leaf(b)); } static int forks() { return tick; } }
static int sum(Tree t) { if (t instanceof Leaf leaf) return leaf.v(); if (t instanceof Fork f && f.r() != null) return sum(f.l()) + 3 * sum(f.r()); return -1; }
static class Failure extends Exception { final int code; Failure(int code, Throwable cause) { super("failure " + code, cause); this.code = code; } }
static int risky(int n) throws Failure { try { return 100 / (n & 3); } catch (ArithmeticException e) { throw new Failure(n, e); } finally { tick++; } }
static long total(long... xs) { long all = 0; for (long x : xs) all = all * 3 + x; return all; }
static String mixed(Object first, Object... rest) { return first + "/" + rest.length; }
interface Named { private String mark() { return "<" + name() + ">"; } String name(); default String shown() { return mark(); } static Named of(String s) { return () -> s; } }
static synchronized int locked(int n) { return n + tick; }
@SuppressWarnings("finally") static int twisted(int n) { for (;;) { try { if (n > 3) return n; n += 2; continue; } finally { if (n == 5) break; tick++; } } return -n; }
static class Lazy { static final int AT = tick * 3; static { tick += 7; } static int next() { return tick++ + AT; } }
static <T> T pick(boolean first, T a, T b) { return first ? a : b; }
"#;

impl Program {
    /// A statement of several parts.
    pub fn idiom(&mut self) -> String {
        match self.random.below(3) {
            0 => self.language(),
            1 => self.library(),
            _ => self.numbers(),
        }
    }

    fn language(&mut self) -> String {
        let n = self.fresh("n");
        let (a, b, t, c) = (
            self.expr(Type::Int, 2),
            self.expr(Type::Int, 2),
            self.expr(Type::Text, 1),
            self.expr(Type::Boolean, 1),
        );
        match self.random.below(14) {
            0 => format!(
                "Animal {n} = {c} ? new Dog({a}) : new Puppy({b});\ntick += {n}.speak({b}) + Animal.made;\nSystem.out.println({n});\n"
            ),
            1 => format!(
                "Box<Integer> {n} = new Box<>({a}, {b}, 4);\nfor (String z : {n}.map(z -> \"k\" + z % 10)) System.out.println(z);\ntick += {n}.max();\n"
            ),
            2 => format!(
                "tick ^= sum(new Fork(new Fork({a}, {b}), {c} ? new Leaf({b}) : null));\nSystem.out.println(new Fork({a}, tick));\n"
            ),
            3 => format!(
                "try {{\ntick += risky({a});\n}} catch (Failure {n}) {{\nSystem.out.println({n}.getMessage() + {n}.getCause().getMessage() + {n}.code);\n}}\n"
            ),
            4 => format!(
                "try {{\nif ({c}) throw new Failure({a}, new RuntimeException({t}));\ntick++;\n}} catch (Failure {n}) {{\ntry {{\nthrow new IllegalArgumentException({n});\n}} catch (IllegalArgumentException {n}x) {{\nSystem.out.println({n}x.getMessage());\ntick += {n}x.getCause() == {n} ? 1 : 2;\n}}\n}}\n"
            ),
            5 => format!(
                "tick += (int) total({a}, {b}, 3L) + (int) total();\nSystem.out.println(mixed({t}, {a}, {c}) + mixed(\"x\") + mixed((Object) \"y\", (Object[]) new String[] {{{t}}}));\n"
            ),
            6 => format!(
                "Named {n} = Named.of({t});\nSystem.out.println({n}.shown() + (({c}) ? Named.of(\"q\") : {n}).name());\n"
            ),
            7 => format!("tick += locked({a}) + twisted({b} & 7) + Lazy.next();\n"),
            8 => format!(
                "record {n}R(int x, String y) {{ {n}R {{ x = x + 1; }} int twice() {{ return 2 * x; }} }}\nvar {n} = new {n}R({a}, {t});\ntick += {n}.twice() + ({n}.equals(new {n}R({b}, {t})) ? 1 : 0) + {n}.hashCode();\nSystem.out.println({n});\n"
            ),
            9 => format!(
                "enum {n}E {{ X, Y {{ int k(int n) {{ return n * 3; }} }}; int k(int n) {{ return n + ordinal(); }} }}\nfor ({n}E z : {n}E.values()) tick += z.k({a}) + {n}E.valueOf(\"X\").compareTo(z);\n"
            ),
            10 => format!(
                "int[][] {n} = new int[2 + ({a} & 1)][3];\n{n}[{b} & 1][1] += {a};\n{n}[1][{a} & 1]--;\nlong[][] {n}j = {{{{1L, {b}}}, null, {{}}}};\n{n}j[{a} & 1][0] <<= 3;\nfor (int[] z : {n}) for (int y : z) tick = tick * 31 + y;\nSystem.out.println(Arrays.deepToString({n}j));\n"
            ),
            11 => format!(
                "byte[] {n} = {{1, (byte) ({a}), -128}};\n{n}[{b} & 1] += {a};\n{n}[2]--;\n{n}[1] >>>= 1;\nchar[] {n}c = {{'a', (char) ({b})}};\n{n}c[{a} & 1] *= 2;\n{n}c[0]++;\nshort {n}s = (short) ({a});\n{n}s /= 3.7;\n{n}s ^= 0x7fffL;\nfloat {n}f = {b};\n{n}f %= 7;\n{n}f *= 1e3;\nNode {n}o = new Node({a}, null);\n{n}o.v <<= {b};\n{n}o.v %= 1000;\nSystem.out.println({n}[0] + {n}[1] + {n}[2] + \" \" + (int) {n}c[0] + \" \" + {n}s + \" \" + {n}f + \" \" + {n}o.v);\n"
            ),
            12 => format!(
                "Object {n} = {c} ? 1 : 2.5;\nSystem.out.println({n} + \" \" + ({c} ? 'x' : {a}) + \" \" + ({c} ? 'x' : 0) + pick({c}, {a}, {t}));\nInteger {n}i = {a}, {n}k = {a};\ntick += {n}i.equals({n}k) ? 1 : 3;\n"
            ),
            _ => format!(
                "String {n} = \"\"\"\n  one \\\n  two\n    \"three\" \\u0041\\t|\n  \"\"\" + {t};\nswitch ({n}.charAt(({a} & 7) % {n}.length())) {{\ncase 'o': tick++;\ncase ' ': tick += 2;\nbreak;\ncase 'e', 't': tick *= 3;\ndefault: tick--;\n}}\nSystem.out.println({n});\n"
            ),
        }
    }

    fn library(&mut self) -> String {
        let n = self.fresh("n");
        let (a, b, t, u) = (
            self.expr(Type::Int, 2),
            self.expr(Type::Int, 2),
            self.expr(Type::Text, 2),
            self.expr(Type::Text, 1),
        );
        match self.random.below(16) {
            0 => format!(
                "tick += IntStream.of({a}, {b}, 3).map(z -> z ^ 5).filter(z -> z % 3 != 0).sum() + IntStream.range(0, {a} & 3).reduce(1, (y, z) -> y * 2 + z);\n"
            ),
            1 => format!(
                "System.out.println(Stream.of({t}, {u}, \"z\", \"a b\").map(String::trim).filter(z -> !z.isEmpty()).distinct().sorted(Comparator.reverseOrder()).collect(Collectors.joining(\",\", \"[\", \"]\")));\n"
            ),
            2 => format!(
                "System.out.println(\"\" + Stream.of({t}, {u}, \"z\", \"ab\").collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.counting())));\n"
            ),
            3 => format!(
                "tick += (int) ({t}).chars().filter(z -> z == 'a' || z > 100).count() + ({u}).chars().mapToObj(z -> (char) z).map(String::valueOf).mapToInt(String::hashCode).sum();\n"
            ),
            4 => format!(
                "System.out.println(Optional.ofNullable({t}).map(String::length).filter(z -> z > 1).map(z -> z * 2).orElse({a}) + \" \" + OptionalInt.of({b}));\n"
            ),
            5 => format!(
                "Function<Integer, Integer> {n} = z -> z + 1;\n{n} = {n}.andThen(z -> z * 3).compose(Math::abs);\nBiFunction<String, Integer, Object> {n}b = String::charAt;\ntick += {n}.apply({a});\nSystem.out.println({n}b.apply(\"xyz\", {b} & 1));\nSupplier<List<Object>> {n}s = ArrayList::new;\ntick += {n}s.get().size();\n"
            ),
            6 => format!(
                "System.out.println(String.format(\"%d|%5s|%-4s|%x|%c|%b|%05d\", {a}, {t}, {u}, {b}, 'c', true, {a}));\n"
            ),
            7 => format!(
                "System.out.println(Objects.hash({a}, {t}) + \" \" + List.of({a}, {b}).hashCode() + \" \" + Arrays.hashCode(new long[] {{{a}, {b}}}) + new R({a}, {t}));\n"
            ),
            8 => format!(
                "List<String> {n} = new LinkedList<>(Arrays.asList({t}, {u}, \"m\"));\nfor (ListIterator<String> z = {n}.listIterator(); z.hasNext(); ) {{\nString y = z.next();\nif (y.length() > 2) z.remove(); else z.set(y + z.nextIndex());\n}}\nCollections.reverse({n});\nSystem.out.println({n} + \" \" + {n}.indexOf(\"m2\"));\n"
            ),
            9 => format!(
                "PriorityQueue<Integer> {n} = new PriorityQueue<>(List.of({a}, {b}, 5, 1));\nwhile (!{n}.isEmpty()) tick = tick * 7 + {n}.poll();\n"
            ),
            10 => format!(
                "Map<String, Integer> {n} = new LinkedHashMap<>();\n{n}.put({t}, {a});\n{n}.computeIfAbsent({u}, String::length);\n{n}.compute(\"a\", (z, y) -> y == null ? 1 : y + 1);\n{n}.replaceAll((z, y) -> y ^ z.length());\nSystem.out.println({n} + \" \" + {n}.getOrDefault(\"no\", {b}) + {n}.containsValue({b}));\n"
            ),
            11 => format!(
                "EnumMap<E, Integer> {n} = new EnumMap<>(E.class);\n{n}.put(E.values()[{a} & 1], {b});\n{n}.merge(E.B, 2, Integer::sum);\nSystem.out.println({n} + \" \" + EnumSet.complementOf(EnumSet.of(E.A)));\n"
            ),
            12 => format!(
                "int[] {n} = {{{a}, {b}, 9, -4}};\nArrays.sort({n}, 0, 3);\nSystem.arraycopy({n}, 0, {n}, 1, 2);\ntick += Arrays.binarySearch({n}, 9) + Arrays.stream({n}).max().getAsInt();\nArrays.fill({n}, {b});\nSystem.out.println(Arrays.equals({n}, new int[] {{{b}}}) + Arrays.toString({n}));\n"
            ),
            13 => format!(
                "List<Integer> {n} = new ArrayList<>(List.of(1, 2, {a}));\ntry {{\nfor (Integer z : {n}) if (z == 2) {n}.remove(z);\nfor (Integer z : {n}) {n}.add({b});\n}} catch (ConcurrentModificationException | UnsupportedOperationException {n}x) {{\ntick += {n}.size();\n}}\n{n}.subList(0, 1).clear();\nSystem.out.println({n});\n"
            ),
            14 => format!(
                "StringBuilder {n} = new StringBuilder({t});\nfor (char z : ({u} + \"az\").toCharArray()) {n}.append((char) (z + 1)).append(z - '0').insert(0, Character.isLetter(z));\n{n}.setLength({n}.length() / 2);\n{n}.replace(0, {n}.length() / 3, {t}).setCharAt(0, '!');\nSystem.out.println({n}.indexOf(\"a\") + cut({n}.toString()));\n"
            ),
            _ => format!(
                "System.out.println(Arrays.asList(({t} + \"-x-y\").split(\"-\")) + ({t}).replaceAll(\"[a-c]+\", \"<$0>\") + ({u}).matches(\"\\\\s*\\\\w*\") + ({u}).regionMatches(true, 0, {t}, 0, {a} & 3) + new StringJoiner(\";\").add({t}).add({u}));\n"
            ),
        }
    }

    fn numbers(&mut self) -> String {
        let n = self.fresh("n");
        let (a, l, d, f) = (
            self.expr(Type::Int, 2),
            self.expr(Type::Long, 2),
            self.expr(Type::Double, 2),
            self.expr(Type::Float, 1),
        );
        match self.random.below(9) {
            0 => format!(
                "tick += (byte) (char) (short) ({l}) + (int) (float) ({d}) + (short) ({f}) + (char) ({d});\n"
            ),
            1 => format!(
                "System.out.println(Integer.toBinaryString({a}) + Long.toHexString({l}) + Integer.reverse({a}) + Long.bitCount({l}) + Integer.toString({a}, 7) + Long.numberOfTrailingZeros({l}));\n"
            ),
            2 => format!(
                "System.out.println(Double.toString({d}) + Float.toString({f}) + Double.compare({d}, {f}) + Double.valueOf({d}).equals({d}) + Double.hashCode({d}) + Double.isNaN({d}));\n"
            ),
            3 => format!(
                "System.out.println(new java.math.BigInteger(Long.toString({l})).multiply(java.math.BigInteger.valueOf({a})).mod(java.math.BigInteger.valueOf(97)) + \" \" + java.math.BigInteger.TWO.pow(({a} & 63) + 1).subtract(java.math.BigInteger.ONE));\n"
            ),
            4 => format!(
                "System.out.println(java.math.BigDecimal.valueOf({l}, 3).add(new java.math.BigDecimal(\"1.25\")).setScale(2, java.math.RoundingMode.HALF_EVEN).multiply(java.math.BigDecimal.valueOf({a})));\n"
            ),
            5 => format!(
                "System.out.println(java.time.LocalDate.of(2020, 2, 28).plusDays({a} % 1000).isLeapYear() + \" \" + java.time.Duration.ofSeconds({l} % 100000, {a}));\n"
            ),
            6 => format!(
                "System.out.println(Math.floorDiv({l}, {a} | 1) + Math.multiplyHigh({l}, {l}) + Math.abs({a}) + Long.divideUnsigned({l}, {a} | 1) + Integer.remainderUnsigned({a}, 7) + Math.toIntExact({l} >> 33));\n"
            ),
            7 => format!(
                "double {n} = {d};\nfor (int z = 0; z < 3; z++) {n} = {n} * 0.5 + {f} / (z + 1);\nSystem.out.println({n} + \" \" + (long) {n} + \" \" + Math.round({n}) + \" \" + Math.ulp({f}) + Math.signum({d}) + Math.hypot(3, 4));\n"
            ),
            _ => format!(
                "BitSet {n} = new BitSet();\n{n}.set({a} & 63);\n{n}.flip(3, 9);\n{n}.or(BitSet.valueOf(new long[] {{{l}}}));\ntick += {n}.cardinality() + {n}.nextClearBit(4);\nSystem.out.println({n}.length());\n"
            ),
        }
    }
}
