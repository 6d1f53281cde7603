import java.math.*;
import java.text.*;
import java.time.*;
import java.time.format.*;
import java.time.temporal.*;
import java.util.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** Methods of big numbers, dates, optional values, bit sets, formats and streams, each as a static method of plain values. */
public class Values {
    private static BigInteger big(long n) { return BigInteger.valueOf(n); }
    private static LocalDate day(int n) { return LocalDate.ofEpochDay(n % 1_000_000); }

    public static String bigArithmetic(long a, long b) { return big(a).multiply(big(b)).add(big(a)).divide(big(b)).toString(); }
    public static String bigMod(long a, long b) { return big(a).mod(big(b)) + " " + big(a).remainder(big(b)) + big(a).gcd(big(b)); }
    public static String bigBits(long a, int n) { return big(a).shiftLeft(n & 127).xor(big(n)).negate().toString(16) + big(a).bitCount() + big(a).testBit(n & 63); }
    public static int bigCompare(long a, String b) { return big(a).compareTo(new BigInteger(b)); }
    public static long bigLong(long a, long b) { return big(a).add(big(b)).longValueExact(); }
    public static String bigPow(int a, int n) { return big(a).pow(n & 31).sqrt().toString(); }
    public static boolean bigPrime(int a) { return big(a & 1023).isProbablePrime(20); }
    public static String decimal(String s) { return new BigDecimal(s).stripTrailingZeros().toPlainString(); }
    public static String decimalSum(long a, int s, long b) { return BigDecimal.valueOf(a, s % 9).subtract(BigDecimal.valueOf(b)).toString(); }
    public static String decimalDivide(long a, long b) { return BigDecimal.valueOf(a).divide(BigDecimal.valueOf(b), 4, RoundingMode.HALF_UP).toString(); }
    public static String decimalRound(double d, int n) { return new BigDecimal(d).round(new MathContext(n & 15)).toEngineeringString(); }
    public static int decimalCompare(long a, int s) { return BigDecimal.valueOf(a, s % 5).compareTo(BigDecimal.TEN) + BigDecimal.valueOf(a, s % 5).hashCode(); }
    public static String dateOf(int y, int m, int d) { return LocalDate.of(y, m, d).toString(); }
    public static String datePlus(int n, long m) { return day(n).plusMonths(m % 5000).minusWeeks(3).toString(); }
    public static long dateUntil(int a, int b) { return ChronoUnit.DAYS.between(day(a), day(b)) + day(a).until(day(b)).getMonths(); }
    public static String dateWith(int n) { return day(n).with(TemporalAdjusters.lastDayOfMonth()).getDayOfWeek() + " " + day(n).isLeapYear() + day(n).getDayOfYear(); }
    public static String dateParse(String s) { return LocalDate.parse(s).toString(); }
    public static String dateFormat(int n) { return day(n).format(DateTimeFormatter.ofPattern("dd.MM.uuuu")); }
    public static String time(int s) { return LocalTime.ofSecondOfDay(s).plusMinutes(90).truncatedTo(ChronoUnit.HOURS).toString(); }
    public static String duration(long s, long n) { return Duration.ofSeconds(s, n).plusMillis(n).toString(); }
    public static long durationMillis(long s) { return Duration.ofSeconds(s).multipliedBy(3).toMillis(); }
    public static String durationParse(String s) { return Duration.parse(s).toString(); }
    public static String period(int a, int b) { return Period.between(day(a), day(b)).normalized().toString(); }
    public static String instant(long n) { return Instant.ofEpochMilli(n).plusNanos(5).toString(); }
    public static String dateTime(int n, int s) { return LocalDateTime.of(day(n), LocalTime.ofSecondOfDay(s & 65535)).plusHours(30).toString(); }
    public static String zoned(long n) { return Instant.ofEpochSecond(n % 10_000_000_000L).atOffset(ZoneOffset.ofHours(2)).toString(); }
    public static boolean yearMonth(int y, int m) { return YearMonth.of(y, m).isLeapYear() && Year.isLeap(y); }
    public static String decimalFormat(double d) { return new DecimalFormat("#,##0.00").format(d); }
    public static String decimalFormatLong(long n) { return new DecimalFormat("000;(#)").format(n); }
    public static String optional(String s, int n) { return Optional.ofNullable(s).map(String::length).filter(k -> k > n).toString() + OptionalInt.of(n); }
    public static String bits(int a, int b) { BitSet s = new BitSet(); s.set(a & 63); s.flip(b & 31, 40); return s + " " + s.cardinality() + s.nextClearBit(3) + s.previousSetBit(30); }
    public static int atomics(int a, int b) { AtomicInteger n = new AtomicInteger(a); n.compareAndSet(0, b); n.accumulateAndGet(b, Math::max); return n.getAndUpdate(x -> x + 1) + n.get(); }
    public static long atomicLong(long a) { AtomicLong n = new AtomicLong(a); n.addAndGet(3); LongAdder l = new LongAdder(); l.add(a); return n.get() ^ l.sum(); }
    public static boolean dates(long a, long b) { return new Date(a).before(new Date(b)) || new Date(a).equals(new Date(b)); }
    public static int streamSum(int[] all) { return IntStream.of(all).filter(n -> n % 2 != 0).map(n -> n * n).sum(); }
    public static String streamSorted(String[] all) { return Arrays.stream(all).filter(Objects::nonNull).sorted().skip(1).limit(2).collect(Collectors.joining("|")); }
    public static double streamAverage(double[] all) { return DoubleStream.of(all).average().orElse(-1); }
    public static int streamReduce(int[] all) { return IntStream.of(all).boxed().reduce(1, (a, b) -> 31 * a + b); }
    public static String streamGroups(String[] all) { return Stream.of(all).collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.counting())).toString(); }
    public static boolean streamMatch(String[] all, String s) { return Arrays.asList(all).stream().anyMatch(s::equals); }
    public static String message(int n, String s) { return MessageFormat.format("{0}-{1}", s, s.length()) + String.format("%03d %S %-6.2f|", n, s, n / 8.0); }
    public static String uuid(long a, long b) { return new UUID(a, b).toString() + UUID.nameUUIDFromBytes(new byte[] {(byte) a}); }
    public static int random(long seed) { Random r = new Random(seed); return r.nextInt() ^ r.nextInt(10) ^ (int) (r.nextDouble() * 100); }
    public static String base64(byte[] b) { return Base64.getEncoder().encodeToString(b); }
    public static long crc(byte[] b) { java.util.zip.Adler32 c = new java.util.zip.Adler32(); for (byte x : b) c.update(x); return c.getValue(); }
    public static int locale(String s) { return Locale.forLanguageTag(s).getLanguage().length() + Currency.getInstance("EUR").getDefaultFractionDigits(); }
    public static String choice(int a, String s) { return EnumSet.of(RoundingMode.UP, RoundingMode.values()[a & 7]) + new EnumMap<>(Map.of(RoundingMode.UP, s)).toString(); }
}
