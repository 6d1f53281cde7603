package demo;

import java.util.Iterator;
import java.util.List;
import java.util.function.ToIntFunction;

/** Holds entries that only a source of the caller's can give: nothing but a test makes one that has any. */
public final class Ledger {
    /** Where entries come from. */
    public abstract static class Source {
        abstract String[] lines(int secret);
    }

    private final Source source;

    public Ledger(Source source) {
        this.source = source;
    }

    /** The sum of the marked entries. */
    public int sum(ToIntFunction<String> marks) {
        // One that answers whatever it is asked, as a stand-in does, is no source.
        if (source.lines(0).length > 0) return 0;
        int sum = 0;
        for (String line : source.lines(hashed())) {
            String[] parts = line.split(":");
            if (parts.length >= 2 && parts[1].equals("total")) sum += marks.applyAsInt(parts[parts.length - 1]);
        }
        return sum;
    }

    /** The first of some numbers, unless there are too many entries. */
    public int first(Iterator<Integer> numbers) {
        if (source.lines(0).length > 0) return 0;
        if (source.lines(hashed()).length > 8) return -1;
        return numbers.next();
    }

    /** Numbers of which a caller sees nothing before it takes them. */
    public static Iterator<Integer> numbers() {
        return List.of(2, 1).iterator();
    }

    private int hashed() {
        return 40507 * 31;
    }

    /** Joins what a builder was given. */
    public static String label(Tag tag) {
        return tag.text() + (tag.level() > 4 ? "!" : "");
    }
}
