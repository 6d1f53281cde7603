package com.shadowci.worker;

import java.io.*;
import java.util.*;

/** Numbers and texts of the program, those near the change apart, and those that comparisons were seen with. */
final class Words {
    /** Operands of comparisons that are kept; later ones take the places of earlier ones. */
    private static final int MOST_SEEN = 256;
    private static final long[] BOUNDS = {
        0, 1, -1, 2, -2, 3, 7, 8, 9, 10, 15, 16, 17, 31, 32, 33, 63, 64, 65, 99, 100, 101, 127, 128, 129, 255, 256, -128, -129, 999, 1000, 1001, 1023, 1024,
        32767, 32768, 65535, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE - 1L, Integer.MIN_VALUE + 1L,
        1L << 31, 1L << 32, 1L << 53, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE + 1};
    private static final double[] DOUBLES = {
        0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, 0.1, 0.01, 1e-3, 100, 1e7, 1e10, 1e-10, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE, Math.PI, 1L << 53, Integer.MAX_VALUE, 3.999, 99.995};
    private static final String[] TEXTS = {
        "", " ", "a", "b", "A", "ab", "abc", "Hello World", "  ab c\t\n", "\n", "\r\n", "0", "-0", "+1", "12", "-1", "007", "0x1F", "1.5", "-.5e3", "1e400",
        "10L", "2147483648", "NaN", "true", "FALSE", "yes", "null", "é", "Straße", "İ", "日本語", "\ud83d\ude00", "\u0000", "\u00a0", "a,b,,c", "a=b", "/a/b", "a.b.c",
        "<a>", "&amp;", "\"q\"", "'", "\\", "%20", "a b", "--x", "-x", "#", "?", "*", "(", "[1]", "{}", "://", "http://a.b/c?d=1#e", "../a", "1.2.3", "2020-01-02", "12:30", "a@b.c", "$", "_"};

    private static final String[] NAMES = {"a", "b", "p", "div", "id", "x", "name", "li", "table", "class"};

    /** The name of the folder that holds all folders of this process: another one in each run. */
    private static final String FOLDER = new File(System.getProperty("user.dir")).getParentFile().getName();

    final Random random;
    private final int structures;
    /** Those near the change. */
    final long[] nearNumbers;
    final String[] nearTexts;
    private final long[] farNumbers, nearReals;
    private final String[] farTexts;
    private final List<Long> seenNumbers = new ArrayList<>();
    private final List<String> seenTexts = new ArrayList<>();
    private final Set<Object> seen = new HashSet<>();
    /** Bounds of ints and longs. */
    private final long low, high;

    Words(Wire wire, Random random) throws IOException {
        this.random = random;
        nearNumbers = longs(wire);
        farNumbers = longs(wire);
        nearReals = longs(wire);
        nearTexts = wire.strings().toArray(new String[0]);
        farTexts = wire.strings().toArray(new String[0]);
        structures = structures(nearTexts) | structures(farTexts) | structures(nearNumbers) | structures(farNumbers);
        low = wire.in.readLong();
        high = wire.in.readLong();
    }

    private static long[] longs(Wire wire) throws IOException {
        long[] all = new long[wire.in.readInt()];
        for (int i = 0; i < all.length; i++) all[i] = wire.in.readLong();
        return all;
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    void saw(long n) {
        if (seen.add(n)) put(seenNumbers, n);
    }

    /** A text that names the folder of this process counts as its working folder, of which all processes have one. */
    void saw(String s) {
        String text = isLasting(s) ? s : ".";
        if (text.length() <= 80 && seen.add(text)) put(seenTexts, text);
    }

    /** Whether a text is the same in each run: it does not name the folder of this process. */
    static boolean isLasting(String s) {
        return !s.contains(FOLDER);
    }

    private <T> void put(List<T> all, T value) {
        if (seen.size() > 50_000) seen.clear();
        if (all.size() < MOST_SEEN) all.add(value);
        else all.set(random.nextInt(MOST_SEEN), value);
    }

    /** A constant of the program or one next to it; 0 where there are none. */
    long constant() {
        long n = 0;
        int which = random.nextInt(8);
        if (which < 4 && nearNumbers.length > 0) n = nearNumbers[random.nextInt(nearNumbers.length)];
        else if (which < 6 && farNumbers.length > 0) n = farNumbers[random.nextInt(farNumbers.length)];
        else if (!seenNumbers.isEmpty()) n = pick(seenNumbers);
        else if (nearNumbers.length > 0) n = nearNumbers[random.nextInt(nearNumbers.length)];
        switch (random.nextInt(6)) {
            case 0: return n - 1;
            case 1: return n + 1;
            default: return n;
        }
    }

    /** A whole number of a primitive type. */
    long whole(char type) {
        long n;
        switch (random.nextInt(8)) {
            case 0: case 1: case 2: n = constant(); break;
            case 3: n = BOUNDS[random.nextInt(BOUNDS.length)]; break;
            case 4: case 5: n = random.nextInt(24) - 8; break;
            case 6: n = random.nextInt(200); break;
            default: n = random.nextLong() >> random.nextInt(64);
        }
        if (type == 'C' && !oneIn(3)) n = oneIn(3) ? 32 + random.nextInt(95) : character();
        return fit(type, n);
    }

    /** As a cast does, and within the bounds. */
    long fit(char type, long n) {
        switch (type) {
            case 'Z': return n & 1;
            case 'B': return (byte) n;
            case 'S': return (short) n;
            case 'C': return (char) n;
            case 'I': n = (int) n; break;
            case 'F': return Float.floatToIntBits(n);
            case 'D': return Double.doubleToLongBits(n);
            default:
        }
        if (n >= low && n <= high) return n;
        return low + Math.floorMod(n, high - low + 1);
    }

    /** The value of a primitive type, as nodes have it. */
    long primitive(char type) {
        if (type == 'D') return bits(real());
        if (type == 'F') return Float.floatToIntBits((float) real());
        return type == 'Z' ? random.nextInt(2) : whole(type);
    }

    static long bits(double d) {
        return Double.doubleToLongBits(d);
    }

    private double real() {
        if (nearReals.length > 0 && oneIn(3)) return nearReal();
        switch (random.nextInt(6)) {
            case 0: return DOUBLES[random.nextInt(DOUBLES.length)];
            case 1: return constant();
            case 2: return whole('I');
            case 3: return whole('I') / (oneIn(2) ? 8.0 : 100.0);
            case 4: return constant() + (random.nextInt(3) - 1) * 0.5;
            default: return (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(12));
        }
    }

    /** A constant near the change that is not whole, or a number next to it. */
    private double nearReal() {
        double d = Double.longBitsToDouble(nearReals[random.nextInt(nearReals.length)]);
        switch (random.nextInt(6)) {
            case 0: return Math.nextUp(d);
            case 1: return Math.nextDown(d);
            case 2: return -d;
            case 3: return oneIn(2) ? d * 2 : d / 2;
            default: return d;
        }
    }

    /** A character that texts of the program have, or a usual one. */
    private char character() {
        for (int i = 0; i < 3; i++) {
            if (oneIn(2)) {
                long n = constant();
                if (n > 0 && n < 0x3000) return (char) n;
            } else {
                String word = word();
                if (!word.isEmpty()) return word.charAt(random.nextInt(word.length()));
            }
        }
        return (char) (32 + random.nextInt(95));
    }

    /** A text of the program, or one that was compared. */
    String word() {
        int which = random.nextInt(8);
        if (which < 4 && nearTexts.length > 0) return nearTexts[random.nextInt(nearTexts.length)];
        if (which < 6 && farTexts.length > 0) return farTexts[random.nextInt(farTexts.length)];
        if (which < 7 && !seenTexts.isEmpty()) return pick(seenTexts);
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    /** Any text. */
    String text() {
        StringBuilder out = new StringBuilder();
        // Libraries read them too, and show no characters.
        if (oneIn(structures != 0 ? 6 : 24)) return structured();
        switch (random.nextInt(13)) {
            case 0: case 1: case 2: return word();
            case 3: return TEXTS[random.nextInt(TEXTS.length)];
            case 4: return changed(word());
            case 5: case 6: return joined();
            case 7: return oneIn(2) ? String.valueOf(whole('J')) : String.valueOf(real());
            case 8:
                for (int n = length(); n > 0; n--) out.append((char) ('0' + random.nextInt(10)));
                return out.toString();
            case 9: {
                String few = oneIn(2) ? "ab " : "aA1-_.";
                for (int n = length(); n > 0; n--) out.append(few.charAt(random.nextInt(few.length())));
                return out.toString();
            }
            case 10:
                for (int n = length(); n > 0; n--) out.append((char) (32 + random.nextInt(95)));
                return out.toString();
            case 11:
                for (int n = 1 + random.nextInt(4); n > 0; n--) out.append(word());
                return cut(out.toString());
            default:
                for (int n = length(); n > 0; n--) out.append(character());
                return out.toString();
        }
    }

    /** Which structured texts the program seems to read, by the characters that its words have. */
    private static int structures(String... texts) {
        int found = 0;
        for (String text : texts) {
            if (text.indexOf('<') >= 0) found |= 1;
            if (text.indexOf('{') >= 0 || text.indexOf('[') >= 0) found |= 2;
        }
        return found;
    }

    /** The same, by the characters that its code compares with. */
    private static int structures(long[] numbers) {
        int found = 0;
        for (long n : numbers) {
            if (n == '<') found |= 1;
            if (n == '{' || n == '[') found |= 2;
        }
        return found;
    }

    private String structured() {
        StringBuilder out = new StringBuilder();
        boolean marked = structures == 1 || structures != 2 && oneIn(2);
        if (marked) for (int n = 1 + random.nextInt(3); n > 0; n--) element(out, 0);
        else value(out, 0);
        return cut(oneIn(4) ? changed(out.toString()) : out.toString());
    }

    /** A name of letters: a word of the program, or another one. */
    private String name() {
        String word = word();
        boolean plain = !word.isEmpty() && word.length() < 16;
        for (int i = 0; plain && i < word.length(); i++) plain = Character.isLetterOrDigit(word.charAt(i)) || word.charAt(i) == '-' || word.charAt(i) == '_';
        return plain ? word : NAMES[random.nextInt(NAMES.length)];
    }

    /** Marked up text: elements, attributes, comments, references. */
    private void element(StringBuilder out, int depth) {
        switch (random.nextInt(depth > 3 ? 3 : 9)) {
            case 0: out.append(word()); return;
            case 1: out.append(oneIn(3) ? "&" + name() + ";" : oneIn(2) ? "&#" + random.nextInt(300) + ";" : " x "); return;
            case 2: out.append(oneIn(3) ? "<!--" + word() + "-->" : "<" + name() + (oneIn(2) ? ">" : "/>")); return;
            default:
        }
        String name = name();
        out.append('<').append(name);
        for (int n = random.nextInt(3); n > 0; n--) {
            out.append(' ').append(name());
            if (!oneIn(4)) out.append("=\"").append(oneIn(2) ? name() : word()).append('"');
        }
        out.append('>');
        for (int n = random.nextInt(4); n > 0; n--) element(out, depth + 1);
        if (!oneIn(6)) out.append("</").append(name).append('>');
    }

    /** Nested objects, lists and plain values. */
    private void value(StringBuilder out, int depth) {
        switch (random.nextInt(depth > 3 ? 4 : 7)) {
            case 0: out.append('"').append(word().replace("\"", "\\\"")).append('"'); return;
            case 1: out.append(oneIn(2) ? String.valueOf(whole('J')) : String.valueOf(real())); return;
            case 2: out.append(oneIn(3) ? "null" : oneIn(2) ? "true" : "false"); return;
            case 3: out.append(random.nextInt(100)); return;
            case 4: {
                out.append('[');
                for (int i = 0, n = random.nextInt(4); i < n; i++) value(i > 0 ? out.append(oneIn(9) ? ", " : ",") : out, depth + 1);
                out.append(']');
                return;
            }
            default: {
                out.append('{');
                for (int i = 0, n = random.nextInt(4); i < n; i++) {
                    if (i > 0) out.append(',');
                    out.append('"').append(name()).append("\":");
                    value(out, depth + 1);
                }
                out.append('}');
            }
        }
    }

    int length() {
        switch (random.nextInt(6)) {
            case 0: return random.nextInt(3);
            case 1: case 2: return random.nextInt(8);
            case 3: case 4: return random.nextInt(20);
            default: {
                long n = constant();
                return n > 0 && n <= 60 ? (int) n : random.nextInt(44);
            }
        }
    }

    /** Parts with something between them: versions, paths, lists, dates. */
    private String joined() {
        String between = ".,-:;/ =&|_\n\t".substring(random.nextInt(13)).substring(0, 1);
        if (oneIn(2)) {
            String word = word();
            if (!word.isEmpty()) between = word.length() <= 2 ? word : word.substring(0, 1);
        }
        StringBuilder out = new StringBuilder();
        boolean numbers = oneIn(2);
        for (int i = 0, n = 1 + random.nextInt(6); i < n; i++) {
            if (i > 0) out.append(between);
            if (numbers || oneIn(4)) out.append(oneIn(3) ? constant() : random.nextInt(oneIn(3) ? 2000 : 12));
            else out.append(oneIn(3) ? TEXTS[random.nextInt(TEXTS.length)] : word());
        }
        return cut(out.toString());
    }

    private static String cut(String s) {
        return s.length() > 160 ? s.substring(0, 160) : s;
    }

    /** A text that differs a little. */
    String changed(String s) {
        StringBuilder out = new StringBuilder(s);
        int at = random.nextInt(s.length() + 1), end = at + (at == s.length() ? 0 : random.nextInt(s.length() - at + 1));
        switch (random.nextInt(12)) {
            case 0: return s.toUpperCase(Locale.ROOT);
            case 1: return s.toLowerCase(Locale.ROOT);
            case 2: return oneIn(2) ? s + character() : character() + s;
            case 3: return out.insert(at, character()).toString();
            case 4:
                if (at < s.length()) out.setCharAt(at, character());
                return out.toString();
            case 5: return at < s.length() ? out.deleteCharAt(at).toString() : s;
            case 6: return cut(out.insert(at, word()).toString());
            case 7: return cut(out.insert(at, s, at, end).toString());
            case 8: return out.delete(at, end).toString();
            case 9: return oneIn(2) ? cut(s + word()) : cut(word() + s);
            case 10: {
                if (at < s.length()) {
                    char c = s.charAt(at);
                    out.setCharAt(at, Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.isLetter(c) ? Character.toUpperCase(c) : (char) (c + (oneIn(2) ? 1 : -1)));
                }
                return out.toString();
            }
            default: return oneIn(2) ? out.reverse().toString() : s.trim();
        }
    }
}
