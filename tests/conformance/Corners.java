import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Places where the library reaches into the JVM, one method each. */
public class Corners {
    static class Fails {
        static int x = Integer.parseInt("nine");
    }

    static class FailsHard {
        static int x = deep(1);
        static int deep(int n) { throw new AssertionError("hard"); }
    }

    public static String initialisers(int n) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < 2; i++) {
            try {
                out.append(n + Fails.x);
            } catch (ExceptionInInitializerError e) {
                out.append(e.getMessage()).append(e.getCause().getMessage());
            } catch (NoClassDefFoundError e) {
                out.append("gone");
            }
        }
        try {
            out.append(FailsHard.x);
        } catch (AssertionError e) {
            out.append(e.getMessage());
        }
        return out.toString();
    }

    public static int uncaughtInitialiser(boolean b) {
        return b ? Fails.x : 3;
    }

    record Closer(String name) implements AutoCloseable {
        public void close() { throw new IllegalStateException(name); }
    }

    public static String suppressed(int n, int[] xs) {
        try (Closer a = new Closer("a"); Closer b = new Closer("b" + n)) {
            return "" + 10 / n + xs[n];
        } catch (RuntimeException e) {
            StringBuilder out = new StringBuilder(e.getClass().getSimpleName());
            for (Throwable t : e.getSuppressed()) out.append(' ').append(t.getMessage());
            return out.append(e.getCause() == null).toString();
        }
    }

    public static String division(long n) {
        try {
            return "" + 1 / n + 1 % (int) n;
        } catch (ArithmeticException e) {
            return e.getMessage() + e;
        }
    }

    enum Colour { RED, GREEN { int f() { return 2; } }, BLUE; int f() { return 1; } }

    public static String enums(String s, int n) {
        Map<Colour, Integer> map = new EnumMap<>(Colour.class);
        map.put(Colour.BLUE, n);
        map.put(Colour.RED, n + 1);
        Set<Colour> set = EnumSet.complementOf(EnumSet.of(Colour.GREEN));
        String found;
        try {
            found = Colour.valueOf(s.toUpperCase()).name();
        } catch (IllegalArgumentException e) {
            found = e.getMessage();
        }
        return found + map + set + Colour.GREEN.getDeclaringClass().getSimpleName() + Colour.GREEN.f() + Colour.class.getEnumConstants().length;
    }

    public static String types(Object o) {
        Class<?> c = o == null ? void.class : o.getClass();
        return c.getName() + c.getSimpleName() + c.isArray() + c.isPrimitive() + c.isInstance("") + Number.class.isAssignableFrom(c)
            + c.getSuperclass() + c.getComponentType() + c.isInterface() + Map.Entry.class.getSimpleName() + int[][].class.getTypeName();
    }

    public static Object arrays(int n) {
        return java.lang.reflect.Array.newInstance(n % 2 == 0 ? void.class : int.class, n % 10);
    }

    public static Object reflected(int n, Object x) {
        Object array = java.lang.reflect.Array.newInstance(n > 3 ? int.class : String.class, n & 3);
        if (n == 6) java.lang.reflect.Array.set(array, 1, 5);
        return java.lang.reflect.Array.getLength(array) > 1 ? java.lang.reflect.Array.get(array, 1) : array;
    }

    public static String identity(String s, int n) {
        String t = s.substring(n & 1), u = new String(s), v = s.trim(), w = s.concat(""), x = s + n;
        return "" + (s == t) + (s == u) + (s == v) + (s == w) + (x == s + n) + (s.toString() == s) + ("a" + "b" == "ab")
            + (String.valueOf(true) == "true") + (x.intern() == x.concat("").intern()) + (s.replace('\u4e00', 'b') == s);
    }

    public static String builders(String s, char c, int n) {
        StringBuilder b = new StringBuilder(s);
        b.append(c).insert(0, n).append(1.5f).append(new char[] {c, 'z'}).append(s, 0, s.length());
        b.setCharAt(0, c);
        if (b.length() > 3) b.deleteCharAt(3).replace(1, 2, "XY");
        String middle = b.substring(1) + b.indexOf("z") + b.charAt(0);
        b.setLength(b.length() / 2 + 1);
        return middle + b.reverse() + b.appendCodePoint(0x1f600).codePointCount(0, b.length()) + b.compareTo(new StringBuilder("a"));
    }

    public static char builderGiven(StringBuilder b, int n) {
        b.insert(0, 1.5).ensureCapacity(n & 31);
        b.trimToSize();
        return b.charAt(n);
    }

    public static int bufferBounds(String s, int n) {
        return new StringBuffer(s).delete(n, s.length()).charAt(n);
    }

    public static String formatted(int n, double d, String s, long l) {
        return String.format("%5d|%-8s|%08.3f|%x|%,d|%e|%b|%c|%%|%10.2e", n, s, d, l, l, d, n > 0, 'c', d);
    }

    public static String concurrent(String k, int n) {
        Map<String, Integer> map = new ConcurrentHashMap<>();
        map.put(k, n);
        map.merge(k, 2, Integer::sum);
        map.computeIfAbsent("b", String::length);
        AtomicInteger counter = new AtomicInteger(n);
        ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 7);
        local.set(local.get() + 1);
        return map.get(k) + " " + counter.incrementAndGet() + counter.compareAndSet(n + 1, 5) + counter + local.get();
    }

    public static String big(long a, long b, int n) {
        BigInteger x = BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).pow(n & 7);
        BigDecimal d = new BigDecimal(a).divide(new BigDecimal(7), 5, RoundingMode.HALF_EVEN);
        return x + " " + x.mod(BigInteger.valueOf(97)) + x.toString(16) + d + d.stripTrailingZeros().toPlainString() + d.hashCode();
    }

    public static String streams(int[] xs, String[] list) {
        String joined = Arrays.stream(list).filter(Objects::nonNull).map(String::valueOf).sorted().distinct().collect(Collectors.joining(",", "[", "]"));
        int sum = Arrays.stream(xs).filter(x -> x % 2 != 0).map(x -> x * x).sum();
        return joined + sum + IntStream.rangeClosed(1, 5).boxed().collect(Collectors.toMap(Function.identity(), x -> x * 2));
    }

    public static String regex(String s) {
        Matcher m = Pattern.compile("(\\d+)|([a-c]+)", Pattern.CASE_INSENSITIVE).matcher(s);
        StringBuilder out = new StringBuilder();
        while (m.find()) out.append(m.group(1)).append(':').append(m.group(2)).append(';');
        return out + s.replaceAll("[^0-9]", "_") + Arrays.toString(s.split("b"));
    }

    public static String collections(int[] xs, String s) {
        BitSet bits = new BitSet();
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        PriorityQueue<Integer> queue = new PriorityQueue<>(Comparator.reverseOrder());
        for (int x : xs) {
            bits.set(x & 63);
            groups.computeIfAbsent(s + (x & 1), k -> new LinkedList<>()).add(x);
            queue.add(x);
        }
        return bits + "" + groups + queue.poll() + new TreeMap<>(groups).firstEntry() + Optional.ofNullable(s).map(String::length) + Collections.frequency(queue, 1);
    }

    public static Object cloned(int[] xs, int n) {
        int[][] deep = {xs, {n}};
        int[][] copy = deep.clone();
        copy[1][0]++;
        ArrayList<Object> list = new ArrayList<>(List.of(n, "x"));
        Object other = list.clone();
        list.clear();
        return new Object[] {deep, copy, other.toString(), deep[0] == copy[0]};
    }

    public static String environment(String s) {
        return System.lineSeparator() + System.getProperty("file.encoding") + System.getProperty("corners.unset", "none") + Locale.getDefault()
            + s.toUpperCase() + s.toLowerCase(Locale.ROOT) + String.format(Locale.GERMANY, "%s", s);
    }

    public static int copies(Object[] from, String[] to, int n) {
        System.arraycopy(from, 0, to, 0, Math.min(n, from.length));
        return to.length;
    }

    public static String bytes(String s) {
        byte[] utf8 = s.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        byte[] latin = s.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        return Arrays.toString(utf8) + new String(latin, java.nio.charset.StandardCharsets.ISO_8859_1) + new String(utf8, java.nio.charset.StandardCharsets.UTF_8).equals(s);
    }

    public static String hashes(double d, String s, char[] cs, long l) {
        return "" + Objects.hash(d, s, l) + Arrays.hashCode(cs) + List.of(s, l).hashCode() + Double.hashCode(d) + new String(cs).hashCode() + Map.of(s, l);
    }
}
