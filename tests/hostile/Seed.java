import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;

/** What a class file can hold, as a seed that is broken byte by byte: javac -g -parameters -d . Seed.java (JDK 17) makes Seed.class. */
@Seed.Note(value = {"a", "b"}, inner = @Seed.Part(1))
public class Seed<T extends Comparable<T>> {
    @Retention(RetentionPolicy.RUNTIME) @Target({ElementType.TYPE, ElementType.TYPE_USE, ElementType.PARAMETER}) @interface Note {
        String[] value();
        Part inner() default @Part(2);
        Class<?> type() default Object.class;
        RetentionPolicy kind() default RetentionPolicy.CLASS;
    }
    @Retention(RetentionPolicy.RUNTIME) @interface Part { int value(); }
    record Pair(@Note("x") int a, String b) {}

    static final long LONG = 1L << 40;
    static final String TEXT = "\0\ud800 text";
    private T field;

    int work(@Note("p") String text, int n, Object o) throws java.io.IOException {
        Supplier<String> s = () -> text + n + o;
        long sum = LONG;
        for (int i = 0; i < n; i++) {
            switch (i) {
                case 1: sum += 2; break;
                case 2: sum *= 3; break;
                case 1000: sum--; break;
                default: sum ^= i;
            }
            switch (text) { case "a": sum++; break; case "b": sum--; break; default: }
        }
        try {
            synchronized (this) { return (int) sum + s.get().length() + new int[2][3].length; }
        } catch (RuntimeException e) {
            throw new java.io.IOException(e);
        } finally {
            if (o instanceof Pair) field = null;
        }
    }
}
