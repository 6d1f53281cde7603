import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

/** Methods of strings, builders and patterns, each as a static method. */
public class Texts {
    public static boolean isBlank(String s) { return s.isBlank(); }
    public static boolean isEmpty(String s) { return s.isEmpty(); }
    public static int length(String s) { return s.length(); }
    public static char charAt(String s, int i) { return s.charAt(i); }
    public static int codePointAt(String s, int i) { return s.codePointAt(i); }
    public static int codePointBefore(String s, int i) { return s.codePointBefore(i); }
    public static int codePointCount(String s, int a, int b) { return s.codePointCount(a, b); }
    public static int offsetByCodePoints(String s, int a, int b) { return s.offsetByCodePoints(a, b); }
    public static boolean equals(String s, String t) { return s.equals(t); }
    public static boolean equalsIgnoreCase(String s, String t) { return s.equalsIgnoreCase(t); }
    public static int compareTo(String s, String t) { return s.compareTo(t); }
    public static int compareToIgnoreCase(String s, String t) { return s.compareToIgnoreCase(t); }
    public static boolean regionMatches(String s, int i, String t, int j, int n) { return s.regionMatches(i, t, j, n); }
    public static boolean regionMatches(String s, boolean c, int i, String t, int j, int n) { return s.regionMatches(c, i, t, j, n); }
    public static boolean startsWith(String s, String t, int i) { return s.startsWith(t, i); }
    public static boolean endsWith(String s, String t) { return s.endsWith(t); }
    public static boolean contains(String s, CharSequence t) { return s.contains(t); }
    public static boolean contentEquals(String s, StringBuffer t) { return s.contentEquals(t); }
    public static int hashCode(String s) { return s.hashCode(); }
    public static int indexOf(String s, int c, int i) { return s.indexOf(c, i); }
    public static int indexOf(String s, String t, int i) { return s.indexOf(t, i); }
    public static int lastIndexOf(String s, int c) { return s.lastIndexOf(c); }
    public static int lastIndexOf(String s, String t) { return s.lastIndexOf(t); }
    public static String substring(String s, int i, int j) { return s.substring(i, j); }
    public static CharSequence subSequence(String s, int i, int j) { return s.subSequence(i, j).toString(); }
    public static String concat(String s, String t) { return s.concat(t); }
    public static String replace(String s, char a, char b) { return s.replace(a, b); }
    public static String replace(String s, CharSequence t, CharSequence u) { return s.replace(t, u); }
    public static String trim(String s) { return s.trim(); }
    public static String strip(String s) { return s.strip(); }
    public static String stripLeading(String s) { return s.stripLeading(); }
    public static String stripTrailing(String s) { return s.stripTrailing(); }
    public static String upper(String s) { return s.toUpperCase(); }
    public static String lower(String s) { return s.toLowerCase(Locale.ROOT); }
    public static String repeat(String s, int n) { return s.repeat(n & 7); }
    public static String indent(String s, int n) { return s.indent(n % 5); }
    public static String stripIndent(String s) { return s.stripIndent(); }
    public static String translateEscapes(String s) { return s.translateEscapes(); }
    public static String formatted(String s, int n) { return "%5d|%s|%x".formatted(n, s, n); }
    public static String lines(String s) { return s.lines().collect(Collectors.toList()).toString(); }
    public static int chars(String s) { return s.chars().map(c -> c * 3).sum(); }
    public static long codePoints(String s) { return s.codePoints().filter(Character::isLetter).count(); }
    public static String sorted(String s) { return s.chars().sorted().mapToObj(c -> String.valueOf((char) c)).collect(Collectors.joining()); }
    public static char[] toCharArray(String s) { return s.toCharArray(); }
    public static byte[] latin(String s) { return s.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1); }
    public static byte[] utf8(String s) { return s.getBytes(java.nio.charset.StandardCharsets.UTF_8); }
    public static String ofBytes(byte[] b) { return new String(b, java.nio.charset.StandardCharsets.UTF_8); }
    public static String ofChars(char[] c, int i, int n) { return new String(c, i, n); }
    public static boolean matches(String s) { return s.matches("\\s*[+-]?\\d+(\\.\\d*)?"); }
    public static String replaceAll(String s) { return s.replaceAll("([a-z])(\\d)", "$2$1"); }
    public static String replaceFirst(String s, String t) { return s.replaceFirst("\\W", Matcher.quoteReplacement(t)); }
    public static String split(String s) { return Arrays.toString(s.split(",")) + s.split("[,;]", 2).length; }
    public static String groups(String s) { Matcher m = Pattern.compile("(?<k>\\w+)=(\\w*)").matcher(s); return m.find() ? m.group("k") + m.start(2) + m.end() : "none"; }
    public static boolean anyCase(String s, String t) { return Pattern.compile(Pattern.quote(s), Pattern.CASE_INSENSITIVE).matcher(t).lookingAt(); }
    public static String append(String s, int n, char c, double d) { return new StringBuilder(s).append(n).append(c).append(d).append((Object) null).append(n > 3).toString(); }
    public static String insert(String s, int i, String t) { return new StringBuilder(s).insert(i, t).insert(0, i).toString(); }
    public static String delete(String s, int i, int j) { return new StringBuilder(s).delete(i, j).toString(); }
    public static String deleteCharAt(String s, int i) { return new StringBuilder(s).deleteCharAt(i).toString(); }
    public static String replace(String s, int i, int j, String t) { return new StringBuilder(s).replace(i, j, t).toString(); }
    public static String reverse(String s) { return new StringBuilder(s).reverse().toString(); }
    public static String setCharAt(String s, int i, char c) { StringBuilder b = new StringBuilder(s); b.setCharAt(i, c); return b.toString(); }
    public static String setLength(String s, int n) { StringBuilder b = new StringBuilder(s); b.setLength(n % 9); return b.toString(); }
    public static int indexOf(StringBuilder b, String t, int i) { return b.indexOf(t, i) * 31 + b.lastIndexOf(t); }
    public static int compare(StringBuilder a, String b) { return a.compareTo(new StringBuilder(b)) + CharSequence.compare(a, b); }
    public static String joiner(String s, String t) { return new StringJoiner(s, "<", ">").setEmptyValue("none").add(t).add(s).toString(); }
    public static String scanned(String s) { StringTokenizer t = new StringTokenizer(s, " ,"); return t.countTokens() + (t.hasMoreTokens() ? t.nextToken() : ""); }
}
