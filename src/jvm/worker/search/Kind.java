package com.shadowci.worker;

import java.io.*;
import java.util.*;

/** How values of one type are made; kinds name each other by number, in circles too. */
final class Kind {
    /** A constructor, a static factory, or a method of an object of another kind, and what it takes. */
    static final class Maker {
        /**
         * Those whose first argument is a size, which the heap does not show: a list of many holds one thing, but what reads it may copy it;
         * memory outside of the heap is waited for.
         */
        private static final Set<String> GREEDY = Set.of("nCopies", "allocateDirect");
        /** Calls with a null that say too little. */
        private static final int FEW_NULLS = 3;

        final boolean onObject;
        final int receiver;
        final Node.Member member;
        final int[] args;
        int tried, failed;
        /** By argument: how often it was null, and how often that call threw. */
        private final int[] nulls, refused;
        final Ease ease = new Ease();
        /** Whether it once allocated much. */
        boolean isGreedy;
        /** Whether a run once had to be stopped in it. */
        boolean isSlow;
        /** How many parts an object takes at least that it makes. */
        int cost = MOST_COST;
        /** Texts for its first text, where that has a format which chance hardly finds; else null. */
        final String[] format;
        /** Whether it is a library's: no probe stops it where a number lets it run for very long. */
        final boolean isForeign;

        Maker(boolean onObject, int receiver, Node.Member member, int[] args, boolean isForeign) {
            this.onObject = onObject;
            this.receiver = receiver;
            this.member = member;
            this.args = args;
            this.isForeign = isForeign;
            nulls = new int[args.length];
            refused = new int[args.length];
            format = Formats.of(member, args.length);
            isGreedy = GREEDY.contains(member.name);
        }

        /** Counts a call with these arguments. */
        void count(Object[] given, boolean done) {
            tried++;
            if (!done) failed++;
            for (int i = 0; i < given.length && i < nulls.length; i++) {
                if (given[i] != null) continue;
                nulls[i]++;
                if (!done) refused[i]++;
            }
        }

        /** Whether it threw whenever this argument was null. */
        boolean refusesNull(int argument) {
            return nulls[argument] >= FEW_NULLS && refused[argument] == nulls[argument];
        }

        /** Whether it throws mostly. */
        boolean isHard() {
            return failed * 2L > tried;
        }

        /** Whether it, or what it is called with, throws nearly always, or it takes too long. */
        boolean isHopeless() {
            return isSlow || tried > 60 && failed * 30L > tried * 29L || ease.isHopeless();
        }

        /** The same, or whether what it is called on is never made. */
        boolean isHopeless(Kind[] all) {
            return isHopeless(all, MOST_STEPS);
        }

        private boolean isHopeless(Kind[] all, int steps) {
            return isHopeless() || onObject && all[receiver].isHopeless(all, steps);
        }

        /** Whether it rather succeeds than another one, or else takes fewer parts. */
        boolean isBetterThan(Maker other) {
            return isHopeless() == other.isHopeless() ? cost < other.cost : other.isHopeless();
        }
    }

    /** More parts than any value is made of. */
    private static final int MOST_COST = 1_000_000;
    /** From kind to kind that is looked at: they name each other in circles. */
    private static final int MOST_STEPS = 3;

    /** i several functions, P primitive, T text, X box, A array, E constants, O objects, L lambda, U one of several kinds, c classes, N nothing but null. */
    char tag;
    boolean nullable;
    /** Of primitives and boxes: the descriptor. */
    char primitive;
    /** Of arrays: the elements' descriptor; of several functions: their interface. */
    String element;
    /** Of arrays, of lambdas (-1: void). */
    int of;
    int[] others = {};
    /** Of lambdas: the kinds of the parameters. */
    int[] parameters = {};
    /** Of stand-ins: the methods. */
    final List<Kind> functions = new ArrayList<>();
    /** Of lambdas: parameters that are functions themselves, which it may call, by their places. */
    final Map<Integer, Kind> callable = new TreeMap<>();
    /** By which others name it. */
    int number;
    List<String[]> constants = new ArrayList<>();
    List<Maker> makers = new ArrayList<>();
    List<Maker> calls = new ArrayList<>();
    /** Objects that could be made, where most tries throw. */
    final List<Node> good = new ArrayList<>();
    final Ease ease = new Ease();
    int mostCalls;
    /** How many parts a value takes at least. */
    int cost = MOST_COST;
    Node.Member method;
    /** Long lists of one thing: where there are others, few are made. */
    boolean isLong;

    static Kind[] readAll(Wire wire, Set<String> libraries) throws IOException {
        Kind[] all = new Kind[wire.in.readInt()];
        for (int i = 0; i < all.length; i++) {
            all[i] = read(wire, libraries);
            all[i].number = i;
        }
        // Kinds name each other in circles: until nothing gets cheaper.
        for (boolean cheaper = true; cheaper; ) {
            cheaper = false;
            for (Kind kind : all) cheaper |= kind.cheapen(all);
        }
        return all;
    }

    /** Whether every way to make an object of it throws nearly always. */
    boolean isHopeless(Kind[] all) {
        return isHopeless(all, MOST_STEPS);
    }

    private boolean isHopeless(Kind[] all, int steps) {
        if (steps == 0) return false;
        if (tag == 'U') return Arrays.stream(others).allMatch(other -> all[other].isHopeless(all, steps - 1));
        return tag == 'O' && makers.stream().allMatch(maker -> maker.isHopeless(all, steps - 1));
    }

    /** Counts the parts once more; whether fewer are enough than was known. */
    private boolean cheapen(Kind[] all) {
        int least = 1;
        if (tag == 'U') least = Arrays.stream(others).map(other -> all[other].cost).min().orElse(1);
        if (tag == 'O') {
            least = makers.isEmpty() ? 1 : MOST_COST;
            for (Maker maker : makers) {
                int sum = 1 + (maker.onObject ? all[maker.receiver].cost : 0);
                for (int arg : maker.args) sum = Math.min(MOST_COST, sum + all[arg].cost);
                maker.cost = sum;
                least = Math.min(least, sum);
            }
        }
        boolean isLess = least < cost;
        cost = Math.min(cost, least);
        return isLess;
    }

    private static Kind function(Wire wire) throws IOException {
        Kind function = new Kind();
        function.tag = 'L';
        function.readFunction(wire);
        return function;
    }

    private void readFunction(Wire wire) throws IOException {
        method = Node.Member.read(wire);
        of = wire.in.readInt();
        parameters = ints(wire);
        for (int n = wire.in.readInt(); n > 0; n--) {
            int at = wire.in.readInt();
            callable.put(at, function(wire));
        }
    }

    private static Kind read(Wire wire, Set<String> libraries) throws IOException {
        Kind kind = new Kind();
        kind.tag = (char) wire.in.read();
        kind.nullable = wire.in.readBoolean();
        switch (kind.tag) {
            case 'P': case 'X': kind.primitive = (char) wire.in.read(); break;
            case 'A':
                kind.element = wire.string();
                kind.of = wire.in.readInt();
                break;
            case 'E':
                for (int n = wire.in.readInt(); n > 0; n--) {
                    kind.constants.add(new String[] {String.valueOf((char) wire.in.read()), wire.string(), wire.string()});
                }
                break;
            case 'c':
                for (String name : wire.strings()) kind.constants.add(new String[] {name});
                break;
            case 'O':
                kind.makers = makers(wire, libraries);
                kind.calls = makers(wire, libraries);
                kind.mostCalls = wire.in.readInt();
                kind.isLong = !kind.makers.isEmpty() && kind.makers.stream().allMatch(maker -> maker.isGreedy);
                break;
            case 'L':
                kind.readFunction(wire);
                break;
            case 'i':
                kind.element = wire.string();
                for (int n = wire.in.readInt(); n > 0; n--) {
                    kind.functions.add(function(wire));
                }
                break;
            case 'U': kind.others = ints(wire); break;
            default:
        }
        return kind;
    }

    private static List<Maker> makers(Wire wire, Set<String> libraries) throws IOException {
        List<Maker> all = new ArrayList<>();
        for (int n = wire.in.readInt(); n > 0; n--) {
            int receiver = wire.in.readInt();
            Node.Member member = Node.Member.read(wire);
            all.add(new Maker(receiver >= 0, receiver, member, ints(wire), libraries.contains(member.type)));
        }
        return all;
    }

    static int[] ints(Wire wire) throws IOException {
        int[] all = new int[wire.in.readInt()];
        for (int i = 0; i < all.length; i++) all[i] = wire.in.readInt();
        return all;
    }
}
