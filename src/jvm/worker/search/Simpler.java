package com.shadowci.worker;

import java.util.*;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Makes an input simpler as long as it shows the same. */
final class Simpler {
    /** Elements of an array that are too many to be made simpler one by one. */
    private static final int MANY = 24;

    private Simpler() {}

    /** The simplest input found in so many tries for which the predicate holds. */
    static List<Node> of(List<Node> input, Predicate<List<Node>> shows, int tries) {
        List<Node> best = input;
        boolean again = true;
        while (again && tries > 0) {
            again = false;
            for (Supplier<List<Node>> candidate : candidates(best)) {
                if (tries-- <= 0) break;
                List<Node> next = candidate.get();
                if (shows.test(next)) {
                    best = next;
                    again = true;
                    break;
                }
            }
        }
        return best;
    }

    /** Simpler inputs, each made where it is tried: a long array has many. */
    private static List<Supplier<List<Node>>> candidates(List<Node> input) {
        List<Supplier<List<Node>>> out = new ArrayList<>();
        List<Node> all = flat(input);
        Map<String, List<Integer>> alike = alike(all);
        for (int i = 0; i < all.size(); i++) {
            Node at = all.get(i);
            int place = i;
            List<Integer> twins = alike.get(at.written());
            Consumer<Consumer<Node>> change = changing -> {
                out.add(() -> with(input, List.of(place), changing));
                if (twins.size() > 1 && twins.get(0) == place) out.add(() -> with(input, twins, changing));
            };
            switch (at.tag) {
                case 'T':
                    if (at.isCopy) change.accept(node -> node.isCopy = false);
                    if (!at.text().equals(Answers.CALLED)) texts(at.text(), change);
                    break;
                case 'A':
                    if (at.parts.size() > MANY) change.accept(Simpler::even);
                    lists(at.parts.size(), change, (node, from, to) -> node.parts.subList(from, to).clear());
                    break;
                case 'O': case 'M':
                    if (at.isAnswer()) break;
                    inner(input, place, at, out);
                    lists(at.calls.size(), change, (node, from, to) -> node.calls.subList(from, to).clear());
                    break;
                case 'o':
                    boolean isTest = at.names[0].equals("not");
                    if (isTest || at.names[0].equals("choose")) for (int part = isTest ? 0 : 1; part < at.parts.size(); part++) out.add(part(input, place, part));
                    break;
                case 'R': out.add(() -> settled(Sharing.apart(input, place))); break;
                case 'F': case 'D': reals(at, change); break;
                default:
                    if (at.isWhole()) numbers(at.number(), change);
            }
        }
        return out;
    }

    /** An object of the same kind that it is made of stands in its place: the innermost one, or the next one. */
    private static void inner(List<Node> input, int place, Node at, List<Supplier<List<Node>>> out) {
        List<Node> parts = new ArrayList<>();
        at.collect(parts);
        List<Integer> alike = new ArrayList<>();
        for (int i = 1; i < parts.size(); i++) if (at.kind != null && parts.get(i).kind == at.kind && parts.get(i).tag == at.tag) alike.add(place + i);
        if (alike.isEmpty()) return;
        for (int other : new LinkedHashSet<>(List.of(alike.get(alike.size() - 1), alike.get(0)))) {
            out.add(() -> {
                List<Node> copy = Node.copies(input), all = flat(copy);
                Generator.replace(copy, all.get(place), all.get(other));
                return settled(copy);
            });
        }
    }

    /** What a function gives becomes one of two values, or what a test turns round. */
    private static Supplier<List<Node>> part(List<Node> input, int place, int part) {
        return () -> {
            List<Node> copy = Node.copies(input), all = flat(copy);
            Node whole = all.get(place);
            Generator.replace(copy, whole, whole.parts.get(part));
            return settled(copy);
        };
    }

    private interface Cut {
        void cut(Node node, int from, int to);
    }

    /** Gives all numbers of an array their simplest value at once. */
    private static void even(Node array) {
        for (Node part : array.parts) if (part.isLeaf()) part.value = 0L;
    }

    private static void lists(int size, Consumer<Consumer<Node>> change, Cut cut) {
        if (size > 1) {
            change.accept(node -> cut.cut(node, 0, size));
            change.accept(node -> cut.cut(node, size / 2, size));
            change.accept(node -> cut.cut(node, 0, size / 2));
        }
        for (int i = size - 1; i >= 0 && i >= size - 24; i--) {
            int at = i;
            change.accept(node -> cut.cut(node, at, at + 1));
        }
    }

    private static void texts(String text, Consumer<Consumer<Node>> change) {
        int n = text.length();
        Set<String> shorter = new LinkedHashSet<>();
        if (n > 0) shorter.add("");
        if (n > 1) shorter.add(text.substring(0, n / 2));
        if (n > 1) shorter.add(text.substring(n / 2));
        for (int i = 0; i < n && i < 60; i++) shorter.add(text.substring(0, i) + text.substring(i + 1));
        for (int i = 0; i < n && i < 40; i++) {
            char c = text.charAt(i), plain = Character.isDigit(c) ? '0' : Character.isUpperCase(c) ? 'A' : 'a';
            if (c != plain && c != 'a') shorter.add(text.substring(0, i) + plain + text.substring(i + 1));
        }
        for (String s : shorter) change.accept(node -> node.value = s);
    }

    private static void numbers(long n, Consumer<Consumer<Node>> change) {
        Set<Long> smaller = new LinkedHashSet<>(List.of(0L, 1L, -1L, 2L, n / 2, n / 10, n - n / 8, n - Long.signum(n)));
        for (long m : smaller) {
            boolean less = Math.abs((double) m) < Math.abs((double) n) || m > 0 && n == -m;
            if (less) change.accept(node -> node.value = m);
        }
    }

    private static void reals(Node at, Consumer<Consumer<Node>> change) {
        boolean single = at.tag == 'F';
        double d = single ? Float.intBitsToFloat((int) at.number()) : Double.longBitsToDouble(at.number());
        for (double m : new double[] {0, 1, -1, 2, Math.rint(d)}) {
            if (!(Math.abs(m) < Math.abs(d))) continue;
            long bits = single ? Float.floatToIntBits((float) m) : Double.doubleToLongBits(m);
            change.accept(node -> node.value = bits);
        }
    }

    private static List<Node> flat(List<Node> input) {
        List<Node> all = new ArrayList<>();
        for (Node node : input) node.collect(all);
        return all;
    }

    /** The places of parts by how they are written: those made alike become simpler together where each by itself can't. */
    private static Map<String, List<Integer>> alike(List<Node> all) {
        Map<String, List<Integer>> alike = new HashMap<>();
        for (int i = 0; i < all.size(); i++) alike.computeIfAbsent(all.get(i).written(), written -> new ArrayList<>()).add(i);
        return alike;
    }

    private static List<Node> with(List<Node> input, List<Integer> places, Consumer<Node> change) {
        List<Node> copy = Node.copies(input), all = flat(copy);
        for (int place : places) change.accept(all.get(place));
        return settled(copy);
    }

    private static List<Node> settled(List<Node> input) {
        return Sharing.settled(input, node -> Node.nothing(node.kind));
    }
}
