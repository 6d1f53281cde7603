package com.shadowci.worker;

import java.time.*;
import java.util.*;
import java.util.concurrent.TimeUnit;

/**
 * What runs of a search get in place of their surroundings: a clock that goes on with each look at it, and numbers that are drawn the
 * same way in each run, so that both versions see the same and a search repeats itself.
 */
public final class Surroundings {
    /** The time at which a search begins, milliseconds since 1970: the middle of a day, of a month and of a year. */
    private static final long BEGIN = 1_750_000_000_000L;
    private static final long MILLI = 1_000_000;
    /** Nanoseconds that a look takes, times the looks of the run: one that looks until a time has come does not look for ever. */
    private static final long LOOK = 1_000;
    /** Nanoseconds that a run must have waited for something else than sleep before the clock goes on by them. */
    private static final long WAITED = 50 * MILLI;
    /** Milliseconds that the clock goes on by one sleep, at most: it must not come to its end. */
    private static final long LONGEST = 3_600_000;
    /** Nanoseconds between two runs that are to see different times: some days, hours, minutes, seconds and parts of one. */
    private static final long LATER = 1_234_567_891_234_567L;
    /** More seeds than a run draws. */
    private static final long OTHER_SEEDS = 1L << 32;

    /** Nanoseconds since the search began: of the clock, the latest that any run saw, and when the run began. */
    private static long now, latest, begin;
    /** Looks of the run at the clock, seeds that it has drawn, and how many it counts as drawn before it begins. */
    private static long looks, drawn, seeds;
    /** When the run began by the JVM's clock. */
    private static volatile long real;

    private Surroundings() {}

    /** Before both versions run on an input: no run is earlier than those before it, whose static fields may hold what the clock said. */
    static void input() {
        begin = latest += MILLI;
        seeds = 0;
    }

    /** The next run on the same input gets another day, at another time, and draws other numbers: what it shows of these is no version's. */
    static void change() {
        begin += LATER;
        latest = Math.max(latest, begin);
        seeds += OTHER_SEEDS;
    }

    /** Before a run. */
    static void run() {
        now = begin;
        looks = 0;
        drawn = seeds;
        real = System.nanoTime();
    }

    /** Nanoseconds since the search began. */
    private static long now() {
        long passed = System.nanoTime() - real;
        // Other threads of a program may wait for a time to come in any way.
        if (!Trace.isRun()) return begin + passed;
        now += LOOK * ++looks;
        if (begin + passed - now > WAITED) now = begin + passed / WAITED * WAITED;
        latest = Math.max(latest, now);
        return now;
    }

    /** Instead of {@code System.currentTimeMillis}. */
    public static long currentTimeMillis() {
        return BEGIN + now() / MILLI;
    }

    /** Instead of {@code System.nanoTime}. */
    public static long nanoTime() {
        return now();
    }

    /** Instead of {@code Clock.systemDefaultZone}, and what {@code now} of the classes of {@code java.time} goes by. */
    public static Clock systemDefaultZone() {
        return clock(ZoneId.systemDefault());
    }

    /** Instead of {@code Clock.systemUTC}. */
    public static Clock systemUTC() {
        return clock(ZoneOffset.UTC);
    }

    /** What {@code now} of a zone goes by. */
    public static Clock clock(ZoneId zone) {
        return new Going(zone);
    }

    /** Instead of {@code Calendar.getInstance}. */
    public static Calendar getInstance() {
        Calendar calendar = Calendar.getInstance();
        calendar.setTimeInMillis(currentTimeMillis());
        return calendar;
    }

    /** The seed of what draws numbers without one. */
    public static long seed() {
        // The golden ratio's digits, as in SplittableRandom: seeds next to each other draw much the same.
        return ++drawn * 0x9E3779B97F4A7C15L;
    }

    /** What {@code Collections.shuffle} draws from. */
    public static Random chance() {
        return new Random(seed());
    }

    /** Instead of {@code Math.random}. */
    public static double random() {
        return chance().nextDouble();
    }

    /** Instead of {@code UUID.randomUUID}. */
    public static UUID randomUUID() {
        Random random = chance();
        // Version 4, variant 2 (RFC 9562, section 5.4).
        return new UUID(random.nextLong() & ~0xF000L | 0x4000, random.nextLong() >>> 2 | 1L << 63);
    }

    /** Instead of {@code Thread.sleep}: how long a run sleeps shows nothing, so it does for a moment only. Its other threads sleep as they like. */
    public static void sleep(long millis) throws InterruptedException {
        boolean isRun = Trace.isRun();
        Thread.sleep(isRun ? Math.min(1, millis) : millis);
        if (!isRun) return;
        now += Math.min(millis, LONGEST) * MILLI;
        latest = Math.max(latest, now);
        Trace.slept();
    }

    /** Instead of {@code TimeUnit.sleep}. */
    public static void sleep(TimeUnit unit, long time) throws InterruptedException {
        long millis = unit.toMillis(time);
        if (time > 0) sleep(millis);
    }

    /** Instead of {@code System.exit}. */
    public static void exit(int status) {
        throw new Trace.Stop("ends the process", status);
    }

    /** Instead of {@code Runtime.exit}. */
    public static void exit(Runtime runtime, int status) {
        exit(status);
    }

    /** Instead of {@code Runtime.halt}. */
    public static void halt(Runtime runtime, int status) {
        exit(status);
    }

    /** Instead of {@code System.gc}, which takes longer than a hundred runs; when memory is collected is no matter of the program's. */
    public static void gc() {
    }

    /** Instead of {@code Runtime.gc}. */
    public static void gc(Runtime runtime) {
        Objects.requireNonNull(runtime);
    }

    /** A clock of this time. */
    private static final class Going extends Clock {
        private final ZoneId zone;

        Going(ZoneId zone) {
            this.zone = Objects.requireNonNull(zone);
        }

        @Override
        public ZoneId getZone() {
            return zone;
        }

        @Override
        public Clock withZone(ZoneId other) {
            return new Going(other);
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(BEGIN / 1_000, now());
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Going going && zone.equals(going.zone);
        }

        @Override
        public int hashCode() {
            return zone.hashCode();
        }
    }
}
