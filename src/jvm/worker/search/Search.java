package com.shadowci.worker;

import java.io.*;
import java.util.*;

/**
 * Differential search: both versions in this process, inputs made, changed, run and compared here; only inputs on which the versions
 * differ go back. What counts as progress: a branch not taken before, a comparison that came nearer, a new pair of ways through the
 * changed code of both versions (Petsios et al., NEZHA, S&amp;P 2017; Noller et al., HyDiff, ICSE 2020).
 */
final class Search {
    /** A different outcome, of a cluster by how both versions end, and what was spent when it was seen. */
    private record Found(String cluster, List<Node> input, int at) {
        /** Whether it is no matter of a null in the input, nor one of versions that both fail. */
        boolean isSettled() {
            boolean bothFail = cluster.startsWith("=") && !cluster.startsWith("= ");
            return !bothFail && !cluster.endsWith(WITH_NULL);
        }
    }

    private static final int MOST_FOUND = 10, MOST_ALIKE = 2;
    /** Differences looked at once more, in fresh loaders. */
    private static final int MOST_TRIALS = 40;
    /** How many runs such a look is counted as that shows nothing: loading classes takes so long. */
    private static final int RUNS_OF_A_TRIAL = 200;
    private static final int MOST_KEPT = 400, MOST_WAITING = 2_000;
    /** Inputs that are handed back as those that came farthest. */
    private static final int MOST_FARTHEST = 8;
    /** Runs that may make one input simpler. */
    private static final int SIMPLER = 500;
    /** Steps that count as one run: long runs are paid for. */
    private static final long STEPS_OF_A_RUN = 2_000;
    /** Steps after which a run hangs, where the other version takes less than a part of them. */
    private static final long HUNG = 4_000_000, QUICK = 50_000;
    /** Tries to see that a run hangs. */
    private static final int MOST_HUNG = 40;
    /**
     * Megabytes that one run may allocate before it counts as hanging, which is the same on every machine: the first ones, then fewer
     * where many do; and where that is looked at closer.
     */
    private static final int[] MUCH = {256, 64, 64, 64, 16};
    private static final int TOO_MUCH = 1_024;
    /** Megabytes that a run may make at once. */
    private static final int AT_ONCE = 64;
    /** How many runs a run that was stopped is counted as: so many for each megabyte of its limit, and at least so many. */
    private static final int RUNS_OF_A_MEGABYTE = 5, AT_LEAST = 50;
    /** How many runs one is counted as that waited, or computed too long: usual ones take a tenth of a millisecond, these at least 40. */
    private static final int RUNS_OF_A_WAIT = 500;
    /** How many runs one is counted as for which the memory was too small: the JVM looks through all of it, twice. */
    private static final int RUNS_OF_FULL_MEMORY = 500;
    /** Steps that a quarter of a megabyte counts as that a run of a version allocates, which takes a millisecond or more. */
    private static final long STEPS_OF_A_QUARTER = 10_000;
    /** Inputs that can't be built that count as one run: what they are made of has run, and throwing takes time. */
    private static final int UNBUILT_OF_A_RUN = 4;
    /** Calls that make parts of inputs that count as one run: an input of many objects takes longer to make than to run. */
    private static final int CALLS_OF_A_RUN = 64;
    /** How many runs a version's run is counted as that leaves files, which are read and removed. */
    private static final int RUNS_OF_FILES = 15;
    /** Threads left by runs after which another process goes on: thousands fill its memory. Looked at after so many runs. */
    private static final int MOST_THREADS = 200, RUNS_BETWEEN = 16;
    /** Parts of an input that are made anew, one after the other, where it can't be built. */
    private static final int MOST_MENDED = 24;
    /** How often the same input runs: what shows only after other runs is not steady. */
    private static final int MOST_SAME = 2;
    /** Inputs made in a row that ran before, after which no others are looked for. */
    private static final int MOST_REPEATED = 2_000;

    /** Runs without a new branch after which no more are made, where none came to the change. */
    private static final int HOPELESS = 3_000;

    /** Runs without a new branch, a nearer comparison or a new pair of ways after which no more are made, where the change was reached. */
    private static final int SATURATED = 4_000;
    /** The same of what the entry itself took, whatever was new where inputs are made. */
    private static final int SATURATED_INSIDE = 6_000;

    /** Runs without a new branch that are made at least, where not more than so many had to be stopped, and what may be spent on them. */
    private static final int LEAST_RUNS = 100, MOST_STOPPED = 4, MOST_FOR_THEM = 30_000;

    /** Runs after a find: where all finds have a null, where only the new version fails, and else. */
    private static final int WITH_NULL_ONLY = 8_000, WITH_FAILURE = 1_000, WITH_OTHER = 2_500;

    /** What the cluster of inputs ends with that have a null among their arguments, or in what these are made of: few callers pass one. */
    private static final String WITH_NULL = " null";

    private final Wire wire;
    private final List<String> oldPath, newPath;
    private final Node.Member entry;
    private final int limit;
    private final long steps, time;
    private final Kind[] all;
    private final int[] kinds;
    private final boolean hasReceiver;
    private final Beside beside;
    private final int[] oldChange, newChange;
    private final BitSet oldSites, newSites;
    private final Generator generator;
    private final Changes changes;
    private final Mending mending;
    private final Sharing sharing;
    private final Words words;
    private final Observer observer;
    private final ArrayDeque<List<Node>> waiting = new ArrayDeque<>();
    private final List<List<Node>> kept = new ArrayList<>(), near = new ArrayList<>();
    private final Set<Long> ways = new HashSet<>();
    private final List<Found> found = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    /** How often inputs ran, by their texts' hashes. */
    private final Map<Long, Integer> ran = new HashMap<>();
    private Side before, after;
    /** The input that ran before this one, and how many inputs that came of it wait last. */
    private List<Node> previous;
    private int ofPrevious;
    private int runs, trials, unsteady, seeds, hung;
    /** What counts as a difference: not what is another in each run. */
    private final Set<Observer.Part> counting = EnumSet.allOf(Observer.Part.class);
    /** Whether the last runs that differed ended alike. */
    private boolean endAlike;
    private long stepsTaken, allocatedAll;
    private long reachedOld, reachedNew, reachedBoth;
    /** Milliseconds that all runs together have computed. */
    private volatile long computed;
    /** Whether it ended before its time. */
    private volatile boolean broken;
    /** Whether it left nothing that runs. */
    private volatile boolean isClean;
    /** What was spent when the last new branch was taken, and when the entry itself took one. */
    private int progressed, progressedInside;
    /** Runs made by then, when a new branch was taken. */
    private int runsProgressed;
    /** What was spent when the first input was built; -1 before. */
    private int builtAt = -1;
    /** The same of the last new pair of ways through the changed code. */
    private int parted;
    private boolean answered;
    /** Whether each input is told before it runs. */
    private final boolean tells;
    private Watch watch;

    private Search(Wire wire) throws IOException {
        this.wire = wire;
        oldPath = wire.strings();
        newPath = wire.strings();
        entry = Node.Member.read(wire);
        boolean isStatic = wire.in.readBoolean();
        limit = wire.in.readInt();
        steps = wire.in.readInt();
        time = wire.in.readLong();
        long seed = wire.in.readLong();
        Random random = new Random(seed);
        int sites = wire.in.readInt();
        oldChange = Kind.ints(wire);
        newChange = Kind.ints(wire);
        oldSites = set(Kind.ints(wire));
        newSites = set(Kind.ints(wire));
        Set<String> libraries = new HashSet<>(wire.strings());
        all = Kind.readAll(wire, libraries);
        hasReceiver = wire.in.readBoolean();
        kinds = Kind.ints(wire);
        words = new Words(wire, random);
        generator = new Generator(all, words);
        changes = new Changes(generator);
        mending = new Mending(generator);
        sharing = new Sharing(changes, generator, entry, kinds, hasReceiver, seed);
        take();
        observer = new Observer(entry, isStatic);
        Getters.asked = wire.in.readBoolean();
        if (!wire.in.readBoolean()) counting.remove(Observer.Part.STATE);
        tells = wire.in.readBoolean();
        beside = new Beside(wire.in.readInt());
        Node.invoked = 0;
        Node.failed = null;
        Trace.begin(sites, words.nearTexts, words.nearNumbers);
    }

    /** Takes inputs that run before all others. */
    private void take() throws IOException {
        ArrayDeque<List<Node>> taken = new ArrayDeque<>();
        for (int n = wire.in.readInt(); n > 0; n--) {
            List<Node> given = Node.readAll(wire);
            for (int i = 0; i < given.size() && i < kinds.length; i++) generator.recognise(given.get(i), all[kinds[i]]);
            if (given.size() == kinds.length) taken.push(given);
        }
        seeds += taken.size();
        taken.forEach(waiting::addFirst);
    }

    /** Ranges of sites: first and behind the last, in turn. */
    private static BitSet set(int[] ranges) {
        BitSet all = new BitSet();
        for (int i = 0; i + 1 < ranges.length; i += 2) all.set(ranges[i], ranges[i + 1]);
        return all;
    }

    static void answer(Wire wire) throws IOException {
        int threads = Thread.activeCount();
        Search search = new Search(wire);
        PrintStream out = System.out, err = System.err;
        // The stack is as deep as a replay's: what overflows there does so here.
        Thread work = new Thread(null, search::runAll, "replay");
        search.watch = new Watch(work, search.time, search::answerOfOneThatHangs, search::beat);
        Thread watching = new Thread(search.watch, "watch");
        watching.setDaemon(true);
        work.start();
        watching.start();
        try {
            work.join();
            search.watch.stop();
            watching.interrupt();
            watching.join();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        System.setOut(out);
        System.setErr(err);
        search.isClean = !search.broken && !Getters.endless && Thread.activeCount() <= threads;
        search.answer(search.broken);
    }

    /** A sign of life: a JVM that tested code has broken, by writing to addresses, gives none. */
    private synchronized void beat() {
        if (answered) return;
        try {
            wire.out.write('.');
            wire.out.flush();
        } catch (IOException e) {
            // Who waited for it is gone.
        }
    }

    private void answerOfOneThatHangs() {
        try {
            answer(true);
            wire.out.flush();
        } catch (IOException | RuntimeException e) {
            // Without an answer the process is taken to have ended.
        }
    }

    private synchronized void answer(boolean hung) throws IOException {
        if (answered) return;
        answered = true;
        DataOutputStream out = wire.out;
        out.write('S');
        out.writeBoolean(hung);
        out.writeInt(runs);
        out.writeInt(observer.unbuilt);
        out.writeInt(builtAt);
        out.writeInt((int) Math.min(Integer.MAX_VALUE, reachedOld));
        out.writeInt((int) Math.min(Integer.MAX_VALUE, reachedNew));
        out.writeInt((int) Math.min(Integer.MAX_VALUE, reachedBoth));
        out.writeInt(kept.size());
        out.writeInt(unsteady);
        out.writeInt((int) Math.min(Integer.MAX_VALUE, allocatedAll >> 20));
        out.writeBoolean(watch.isLate());
        out.writeBoolean(isClean);
        out.writeInt(spent());
        out.writeInt((int) Math.max(0, computed));
        out.writeBoolean(Getters.endless || hung && Getters.busy);
        wire.write(observer.obstacle());
        Node.Member endless = hung ? Node.underWay() : null;
        out.writeBoolean(endless != null);
        if (endless != null) endless.write(wire);
        List<List<Node>> differing = new ArrayList<>();
        for (Found each : found) differing.add(each.input);
        write(differing);
        for (Found each : found) out.writeInt(each.at);
        write(farthest());
    }

    private void write(List<List<Node>> inputs) throws IOException {
        wire.out.writeInt(inputs.size());
        for (List<Node> input : inputs) {
            wire.out.writeBoolean(hasReceiver);
            if (hasReceiver) input.get(0).write(wire);
            Node.writeAll(wire, hasReceiver ? input.subList(1, input.size()) : input);
        }
    }

    /** The last ones that were kept: of those that come to the change, where there are any. */
    private List<List<Node>> farthest() {
        // To turn branches means nothing for inputs that can't be built.
        if (builtAt < 0) return List.of();
        List<List<Node>> all = near.isEmpty() ? kept : near;
        return new ArrayList<>(all.subList(Math.max(0, all.size() - MOST_FARTHEST), all.size()));
    }

    private void runAll() {
        try {
            renew();
            int last = limit;
            while (spent() < last && !isHopeless() && !isSaturated() && !watch.isLate() && trials < MOST_TRIALS && found.size() < MOST_FOUND) {
                List<Node> input = another();
                if (input == null) break;
                if (runs % RUNS_BETWEEN == 0 && Thread.activeCount() > MOST_THREADS) {
                    broken = true;
                    break;
                }
                if (beside.isDue(spent()) && isFoundBeside()) break;
                int known = found.size();
                int waited = waiting.size();
                turn(input);
                previous = input;
                ofPrevious = Math.max(0, waiting.size() - waited);
                // What is found first is mostly what there is: a few more runs look for worse.
                if (found.size() > known) last = Math.min(last, spent() + Math.min(limit / 2, !isSettled() ? WITH_NULL_ONLY : fails() ? WITH_FAILURE : WITH_OTHER));
            }
            before.close();
            after.close();
            computed = Patience.computed(Thread.currentThread());
        } catch (IOException | RuntimeException | Error e) {
            // Such as memory that inputs fill before they run: another process goes on.
            broken = true;
        }
    }

    /** Tells the other processes what was kept, and takes what they kept; whether one of them has found something. */
    private boolean isFoundBeside() throws IOException {
        watch.pause(true);
        tell();
        boolean found = wire.in.readBoolean();
        take();
        watch.pause(false);
        return found;
    }

    private synchronized void tell() throws IOException {
        wire.out.write('K');
        write(beside.untold());
        wire.out.flush();
    }

    /** Begins both versions anew: what earlier runs left in static fields may have become another thing in each. */
    private void renew() throws IOException {
        if (before != null) before.close();
        if (after != null) after.close();
        before = new Side(0, false, oldPath);
        after = new Side(1, false, newPath);
        Side.pair(before, after);
    }

    /** Runs, as many as their steps, what they left, and the making of their inputs amount to. */
    private int spent() {
        long making = observer.unbuilt / UNBUILT_OF_A_RUN + Node.invoked / CALLS_OF_A_RUN;
        long special = (long) observer.withFiles * RUNS_OF_FILES + (long) observer.withoutMemory * RUNS_OF_FULL_MEMORY;
        return (int) Math.min(Integer.MAX_VALUE, runs + making + special + stepsTaken / STEPS_OF_A_RUN);
    }

    /** Whether only few runs were made since a new branch was taken, where few of all had to be stopped. */
    private boolean areFew() {
        return runs - runsProgressed < LEAST_RUNS && watch.hung() <= MOST_STOPPED && spent() - progressed < MOST_FOR_THEM;
    }

    /** Whether nothing comes to the change, and nothing comes farther. */
    private boolean isHopeless() {
        if (areFew()) return false;
        boolean isStuck = spent() - progressed > HOPELESS || spent() - progressedInside > SATURATED_INSIDE / beside.sides;
        return reachedOld + reachedNew + reachedBoth == 0 && isStuck;
    }

    /** Whether nothing new was seen for so long, and for as long as all that came before took. */
    private boolean isSaturated() {
        int last = Math.max(progressed, parted);
        if (reachedBoth == 0 || areFew()) return false;
        // What only makes inputs shows new branches for long, and they say little of the change.
        int inside = Math.max(progressedInside, parted);
        return spent() - last > Math.max(SATURATED / beside.sides, last) || spent() - inside > Math.max(SATURATED_INSIDE / beside.sides, inside);
    }

    /** Whether any of those found is. */
    private boolean isSettled() {
        return found.stream().anyMatch(Found::isSettled);
    }

    /** Whether only the new version fails on any of those. */
    private boolean fails() {
        return found.stream().anyMatch(f -> f.cluster.startsWith(">") && !f.cluster.endsWith(WITH_NULL));
    }

    /** The next input that did not run often yet; null where there seems to be none. */
    private List<Node> another() {
        for (int repeated = 0; repeated < MOST_REPEATED; repeated++) {
            List<Node> input = sharing.settle(next());
            if (ran.merge(hash(input), 1, Integer::sum) <= MOST_SAME) return input;
        }
        return null;
    }

    private List<Node> next() {
        // Seeds first; then what operands ask for takes turns with the rest, else it would be all there is.
        if (seeds > 0) {
            seeds--;
            return waiting.poll();
        }
        if (!waiting.isEmpty() && words.oneIn(2)) return waiting.poll();
        // Where many inputs hang, those that did not are changed rather than others made.
        boolean oftenGreedy = watch.hung() > 4 && watch.hung() * 8L > runs;
        if (kept.isEmpty() || words.oneIn(oftenGreedy ? 12 : 3)) return shared(changes.sized(generator.input(kinds), 8));
        List<List<Node>> from = !near.isEmpty() && !words.oneIn(4) ? near : kept;
        // The later ones came farther.
        List<Node> input = words.oneIn(2) ? words.pick(from) : from.get(from.size() - 1 - words.random.nextInt(Math.min(from.size(), 16)));
        return shared(changes.sized(changes.changed(input, words.pick(kept)), 16));
    }

    /** Now and then an input in which one object is several parts, or several objects are made alike. */
    private List<Node> shared(List<Node> input) {
        if (sharing.oneIn(5)) sharing.share(input, before);
        return input;
    }

    /** Tells which input runs now: a fault of the JVM leaves no other trace of it. */
    private synchronized void tellNext(List<Node> input) throws IOException {
        if (!tells || answered) return;
        wire.out.write('N');
        write(List.of(input));
        wire.out.flush();
    }

    private void turn(List<Node> input) throws IOException {
        int unbuilt = observer.unbuilt;
        tellNext(input);
        boolean differs = differs(input, false);
        Ease.countAll(input, Node.failed);
        generator.remember(input);
        for (int i = 0; i < MOST_MENDED && observer.unbuilt > unbuilt; i++) {
            List<Node> mended = Node.failed == null ? null : mending.mended(input, Node.failed);
            if (mended == null) break;
            sharing.settle(mended);
            unbuilt = observer.unbuilt;
            tellNext(mended);
            differs = differs(mended, false);
            Ease.countAll(mended, Node.failed);
            generator.remember(mended);
            // What is not built takes no time to speak of.
            if (observer.unbuilt > unbuilt && i % 8 != 0) runs--;
        }
        if (observer.unbuilt == unbuilt && builtAt < 0) builtAt = spent();
        boolean old = Trace.passed(oldChange), now = Trace.passed(newChange);
        if (old) reachedOld++;
        if (now) reachedNew++;
        boolean reaches = (old || oldChange.length == 0) && (now || newChange.length == 0);
        if (reaches) reachedBoth++;
        boolean fresh = Trace.isNew();
        if (fresh) {
            progressed = spent();
            runsProgressed = runs;
        }
        if (fresh && Trace.isNewInside()) progressedInside = spent();
        long way = Trace.way(oldSites) * 31 + Trace.way(newSites);
        boolean parts = ways.size() < 5_000 && ways.add(way);
        if (parts) parted = spent();
        if (differs) {
            difference(input);
        } else if (!Trace.ranOut() && (fresh || parts)) {
            keep(input, old || now, fresh);
        }
    }

    private void keep(List<Node> input, boolean reaches, boolean fresh) {
        int size = 0;
        for (Node node : input) size += node.size();
        if (size > 400) return;
        put(kept, input);
        if (fresh) beside.keep(input);
        if (reaches) put(near, input);
        if (waiting.size() > MOST_WAITING || !fresh && !(reaches && words.oneIn(4))) return;
        // Once more, with what it compares.
        differs(input, true);
        waiting.addAll(Operands.inputs(input, changes));
    }

    private void put(List<List<Node>> all, List<Node> input) {
        if (all.size() < MOST_KEPT) all.add(input);
        else all.set(words.random.nextInt(MOST_KEPT), input);
    }

    private boolean differs(List<Node> input, boolean keeps) {
        Trace.input(keeps);
        String cluster = cluster(before, after, input);
        return cluster != null;
    }

    /** How both versions end where they differ; else null. */
    private String cluster(Side a, Side b, List<Node> input) {
        runs++;
        Node receiver = hasReceiver ? input.get(0) : null;
        List<Node> args = hasReceiver ? input.subList(1, input.size()) : input;
        Observer.Outcome old = run(a, receiver, args, steps);
        if (old == null) {
            follow(b, receiver, args);
            return null;
        }
        Observer.Outcome now = run(b, receiver, args, steps);
        if (now == null || old.is(now, counting)) return null;
        endAlike = old.ends(now);
        if (old.hung && !hangs(a, receiver, args, now) || now.hung && !hangs(b, receiver, args, old)) return null;
        String kind = old.thrown.isEmpty() == now.thrown.isEmpty() ? "=" : old.thrown.isEmpty() ? ">" : "<";
        boolean isNull = input.stream().anyMatch(Node::hasNull);
        return kind + old.thrown + " " + now.thrown + (isNull ? WITH_NULL : "");
    }

    /** What an input did before it could not be built, the other version does too: else static state would differ from then on. */
    private void follow(Side side, Node receiver, List<Node> args) {
        Object failed = Node.failed;
        int unbuilt = observer.unbuilt;
        run(side, receiver, args, steps);
        observer.unbuilt = unbuilt;
        Node.failed = failed;
    }

    private Observer.Outcome run(Side side, Node receiver, List<Node> args, long most) {
        Observer.Outcome outcome = watched(side, receiver, args, most, MUCH[Math.min(watch.hung(), MUCH.length - 1)]);
        stepsTaken += Trace.used();
        return outcome;
    }

    private Observer.Outcome watched(Side side, Node receiver, List<Node> args, long most, int limit) {
        long before = Patience.allocated(Thread.currentThread());
        watch.begin(before + ((long) limit << 20));
        Observer.Outcome outcome = observer.run(side, receiver, args, most, (long) Math.min(AT_ONCE, limit) << 20);
        Watch.Ended ended = watch.end();
        long allocated = Patience.allocated(Thread.currentThread()) - before;
        allocatedAll += allocated;
        if (ended == null) {
            // Powers of two: the JVM counts a little more or less from run to run.
            stepsTaken += Long.highestOneBit(allocated >> 18) * STEPS_OF_A_QUARTER;
            return outcome;
        }
        int counts = ended != Watch.Ended.ALLOCATED ? RUNS_OF_A_WAIT : Math.max(AT_LEAST, limit * RUNS_OF_A_MEGABYTE);
        stepsTaken += counts * STEPS_OF_A_RUN;
        return outcome == null ? null : Observer.Outcome.hung();
    }

    /** Whether a version never seems to end where the other one soon did. */
    private boolean hangs(Side side, Node receiver, List<Node> args, Observer.Outcome other) {
        if (other.steps > QUICK || hung++ >= MOST_HUNG) return false;
        Observer.Outcome longer = watched(side, receiver, args, HUNG, TOO_MUCH);
        return longer != null && longer.hung;
    }

    private void difference(List<Node> input) throws IOException {
        String cluster = cluster(before, after, input);
        if (cluster == null || alike(cluster) >= MOST_ALIKE) return;
        trials++;
        int at = spent();
        if (endAlike && isAnew(input) && cluster(before, after, input) == null) return;
        if (!cluster.equals(fresh(input))) {
            unsteady++;
            stepsTaken += RUNS_OF_A_TRIAL * STEPS_OF_A_RUN;
            renew();
            blame(input);
            return;
        }
        List<Node> simple = Simpler.of(input, next -> cluster.equals(cluster(before, after, next)), SIMPLER);
        if (simple != input && !cluster.equals(fresh(simple))) simple = input;
        if (known.add(Node.written(simple))) found.add(new Found(cluster, simple, at));
    }

    /** Where the input that ran before makes this one differ, it is not taken any further: what comes of it would do the same. */
    private void blame(List<Node> input) throws IOException {
        if (previous == null) return;
        differs(previous, false);
        if (!differs(input, false)) return;
        kept.removeIf(other -> other == previous);
        near.removeIf(other -> other == previous);
        for (; ofPrevious > 0 && !waiting.isEmpty(); ofPrevious--) waiting.removeLast();
        renew();
    }

    /** A hash of its text (FNV-1a, 64 bits). */
    private static long hash(List<Node> input) {
        long hash = 0xcbf29ce484222325L;
        String written = Node.written(input);
        for (int i = 0; i < written.length(); i++) hash = (hash ^ written.charAt(i)) * 0x100000001b3L;
        return hash ^ hash >>> 29;
    }

    private long alike(String cluster) {
        return found.stream().filter(f -> f.cluster.equals(cluster)).count();
    }

    /**
     * Whether a part of what is seen of it is another one in each run, which does not count from then on. Where that is for libraries'
     * objects, these are not asked any more, and the part counts.
     */
    private boolean isAnew(List<Node> input) {
        Set<Observer.Part> anew = anew(input);
        if (anew.isEmpty()) return false;
        if (Getters.asked) {
            Getters.asked = false;
            anew = anew(input);
        }
        counting.removeAll(anew);
        return true;
    }

    /** What the old version shows otherwise in each run, such as a printed hash. */
    private Set<Observer.Part> anew(List<Node> input) {
        Node receiver = hasReceiver ? input.get(0) : null;
        List<Node> args = hasReceiver ? input.subList(1, input.size()) : input;
        try (Side a = new Side(0, true, oldPath); Side b = new Side(0, true, oldPath)) {
            Trace.input(false);
            Observer.Outcome one = run(a, receiver, args, steps);
            Surroundings.change();
            Observer.Outcome other = run(b, receiver, args, steps);
            boolean tells = one != null && other != null && one.ends(other);
            return tells ? one.differing(other) : Set.of();
        } catch (IOException e) {
            return Set.of();
        }
    }

    /** The same in loaders in which nothing ran before. */
    private String fresh(List<Node> input) {
        try (Side a = new Side(0, true, oldPath); Side b = new Side(1, true, newPath)) {
            Side.pair(a, b);
            Trace.input(false);
            Surroundings.change();
            return cluster(a, b, input);
        } catch (IOException e) {
            return null;
        }
    }
}
