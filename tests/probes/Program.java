import java.util.*;
import java.util.function.*;

/** Methods and constructors of all shapes; what it prints must not change when probes are put in. */
public class Program {
    interface Shape { default String name(int n) { return n > 0 ? "shape" + n : "none"; } }
    record Point(int x, long y) implements Shape { Point { if (x < 0) throw new IllegalArgumentException("x"); } }
    enum Color { RED { @Override int code(int k) { return k + 1; } }, BLUE; int code(int k) { return k; } }
    static class Base {
        final String text;
        Base(String text) { this.text = text; hook(); }
        void hook() { }
    }
    static class Derived extends Base {
        private int hooked;
        { hooked += 10; }
        Derived(int n) { super(n > 0 ? new StringBuilder().append(n).toString() : fail(n)); hooked++; }
        Derived() { this(5); hooked += 100; }
        @Override void hook() { hooked = 1; }
        static String fail(int n) { if (n == 0) throw new IllegalStateException("zero"); return "negative"; }
    }
    static class Self { final Self other; Self(boolean deep) { this(deep ? new Self(false) : null, 'c'); } Self(Self other, char c) { this.other = other; } }
    class Inner { int sum(double d, float f, byte b, short s, boolean z) { return (int) (d + f) + b + s + (z ? base : 0); } }
    int base = 7;

    static int loop(int n) { while (true) { if (n-- <= 0) return n; } }
    static int dense(int k) { switch (k) { case 1: return 10; case 2: return 20; case 3: return 30; default: return -1; } }
    static String sparse(String s) { return switch (s) { case "a" -> "A"; case "bbb" -> "B"; default -> s + s.length(); }; }
    static int guarded(int[] a, int i) { try { return a[i]; } catch (ArrayIndexOutOfBoundsException e) { return -2; } finally { a[0]++; } }
    static long wide(long a, Object o, double b) { synchronized (o) { return a + (long) b; } }
    static <T extends Comparable<T>> T most(List<T> all) { T best = null; for (T t : all) if (best == null || t.compareTo(best) > 0) best = t; return best; }
    static void nothing() { }
    static int thrown(int n) { if (n > 2) throw new RuntimeException("deep"); return thrown(n + 1); }
    static Function<Integer, Integer> adder(int n) { return m -> m + n; }

    public static void main(String[] args) {
        System.out.println(loop(3) + " " + dense(2) + dense(9) + " " + sparse("bbb") + sparse("q"));
        int[] a = {1, 2};
        System.out.println(guarded(a, 1) + " " + guarded(a, 5) + " " + a[0] + " " + wide(1L << 40, a, 2.5));
        System.out.println(most(List.of("x", "z", "y")) + adder(3).apply(4) + new Point(1, 2).name(1) + Color.RED.code(1) + Color.BLUE.code(1));
        nothing();
        try { thrown(0); } catch (RuntimeException e) { System.out.println(e.getMessage() + e.getStackTrace()[0].getLineNumber()); }
        try { new Point(-1, 0); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        try { new Derived(0); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        System.out.println(new Derived().hooked + new Derived(-1).text + (new Self(true).other != null));
        System.out.println(new Program().new Inner().sum(1.5, 2.5f, (byte) 3, (short) 4, true));
    }
}
