package com.shadowci.worker;

/**
 * Watches the runs of a search from beside, and ends those that compute, allocate or wait too much: by what they have computed rather
 * than by the clock, for on a loaded machine they may take longer and still do the same.
 */
final class Watch implements Runnable {
    /** Milliseconds between two looks. */
    private static final int LOOK = 20;
    /** Milliseconds of computing after which the process ends with a run that comes to no probe. */
    private static final long HANGS = 2_000;
    /** Looks, one after the other, at which a run has not computed: one waits for something that no thread tells of. */
    private static final int STILL = 100;
    /** How many times as long a run may take by the clock. */
    private static final int PATIENCE = 10;
    /** Milliseconds that a run may compute: a net for loops whose steps take long and allocate nothing; and fewer where many hang. */
    private static final int LONG = 1_000, LESS = 200, MANY = 4;
    /** Looks at which a run may wait for a lock, a time or another thread; and fewer where many hang. */
    private static final int IDLE = 20, LESS_IDLE = 2;
    /** Looks at which a run has waited after which the process ends with it: it goes on waiting when it is interrupted. */
    private static final int STUBBORN = 40;
    /** Milliseconds that all runs together may compute: a net for many that are not counted for as much as they take. */
    private static final int NET = 30_000;

    /** Looks from one sign of life to the next. */
    private static final int BEAT = 25;

    /** Why a run was ended: it waited for something, computed for too long, or allocated too much. */
    enum Ended {WAITED, COMPUTED, ALLOCATED}

    private final Thread work;
    /** Milliseconds that all runs together may take by the clock. */
    private final long time;
    /** What is done before the process ends with a run, and to show that the JVM still works. */
    private final Runnable last, beat;
    /** The run at work, by its number, and when it began. */
    private volatile int current;
    private volatile long full = Long.MAX_VALUE, since = System.nanoTime();
    private boolean running;
    /** Why the last run was ended; null where it was not. */
    private Ended why;
    private volatile boolean ended, late, paused;
    /** Runs that were ended. */
    private volatile int hung;

    Watch(Thread work, long time, Runnable last, Runnable beat) {
        this.work = work;
        this.time = time;
        this.last = last;
        this.beat = beat;
    }

    /** A run begins, which may allocate until the thread's bytes are that many. */
    synchronized void begin(long bytes) {
        full = bytes;
        since = System.nanoTime();
        current++;
        running = true;
        why = null;
    }

    /** The run is over; why it counts as one that hangs, null where it does not. */
    synchronized Ended end() {
        running = false;
        Thread.interrupted();
        // Asked once more: it may have ended before anyone looked.
        if (Patience.allocated(work) >= full) why = Ended.ALLOCATED;
        if (why != null) hung++;
        return why;
    }

    /** Runs that were ended so far. */
    int hung() {
        return hung;
    }

    /** Whether all runs together took too long. */
    boolean isLate() {
        return late;
    }

    void stop() {
        ended = true;
    }

    /** Between two runs the search waits for another process, or does so no more. */
    synchronized void pause(boolean pauses) {
        since = System.nanoTime();
        current++;
        paused = pauses;
    }

    @Override
    public void run() {
        long start = System.nanoTime();
        int watched = -1, waits = 0, still = 0, looks = 0;
        long before = Patience.computed(work), begun = before, first = before;
        while (!ended) {
            try {
                Thread.sleep(LOOK);
            } catch (InterruptedException e) {
                return;
            }
            if (++looks % BEAT == 0) beat.run();
            if (paused) continue;
            // The run's number first: what is read behind it was computed by that run or a later one.
            int run = current;
            long computed = Patience.computed(work);
            // Of a thread that ends, nobody knows what it computed.
            if (computed < 0 || !work.isAlive()) return;
            if (watched != run) {
                watched = run;
                begun = computed;
                waits = still = 0;
            }
            // Of a thread that only waits for a processor, the state is another.
            if (work.getState() != Thread.State.RUNNABLE) waits++;
            still = computed == before ? still + 1 : 0;
            before = computed;
            late |= computed - first > NET || (System.nanoTime() - start) / 1_000_000 > time;
            boolean many = hung > MANY;
            if (Patience.allocated(work) > full) stop(run, Ended.ALLOCATED);
            else if (computed - begun > (many ? LESS : LONG)) stop(run, Ended.COMPUTED);
            else if (waits > (many ? LESS_IDLE : IDLE)) stop(run, Ended.WAITED);
            boolean hangs = computed - begun > HANGS || still > STILL || waits > STUBBORN || System.nanoTime() - since > PATIENCE * HANGS * 1_000_000;
            if (hangs && run == current) {
                last.run();
                Runtime.getRuntime().halt(0);
            }
        }
    }

    /** Ends that run, unless another one has begun. */
    private synchronized void stop(int run, Ended reason) {
        if (!running || run != current) return;
        // What waits in a getter of a library waits there each time.
        if (reason != Ended.ALLOCATED && Getters.busy) {
            Getters.endless = true;
            Getters.asked = false;
        }
        Trace.stop();
        if (why == null) why = reason;
        if (reason == Ended.WAITED) work.interrupt();
    }
}
