package com.shadowci.worker;

import java.util.*;

/**
 * Input-to-state correspondence (Aschermann et al., REDQUEEN, NDSS 2019): what a run compared is looked for in its input, and the other
 * side of the comparison put in its place. Sizes of texts, arrays and containers count as parts of the input too.
 */
final class Operands {
    private static final int MOST = 80;

    private Operands() {}

    /** Inputs that come of the operands of the last run, which was on that input. */
    static List<List<Node>> inputs(List<Node> input, Changes changes) {
        List<List<Node>> out = new ArrayList<>();
        Set<List<Long>> known = new HashSet<>();
        for (long[] pair : Trace.numbers()) {
            changes.words.saw(pair[0]);
            changes.words.saw(pair[1]);
            if (!known.add(List.of(pair[0], pair[1])) || out.size() >= MOST) continue;
            numbers(input, pair[0], pair[1], changes, out);
            numbers(input, pair[1], pair[0], changes, out);
        }
        for (double[] pair : Trace.reals()) {
            if (out.size() >= MOST) break;
            reals(input, pair[0], pair[1], out);
            reals(input, pair[1], pair[0], out);
        }
        Set<List<String>> texts = new HashSet<>();
        for (String[] pair : Trace.texts()) {
            changes.words.saw(pair[0]);
            changes.words.saw(pair[1]);
            if (!Words.isLasting(pair[0]) || !Words.isLasting(pair[1])) continue;
            if (!texts.add(List.of(pair[0], pair[1])) || out.size() >= 2 * MOST) continue;
            texts(input, pair[0], pair[1], out);
            texts(input, pair[1], pair[0], out);
        }
        for (String text : Trace.identities()) identities(input, text, out);
        // What allocates much gets no large numbers, whatever it is compared with.
        for (List<Node> made : out) for (Node node : made) changes.spare(node);
        return out;
    }

    private static List<Node> flat(List<Node> input) {
        List<Node> all = new ArrayList<>();
        for (Node node : input) node.collect(all);
        return all;
    }

    private static void numbers(List<Node> input, long is, long wanted, Changes changes, List<List<Node>> out) {
        List<Node> all = flat(input);
        for (int i = 0; i < all.size() && out.size() < MOST; i++) {
            Node at = all.get(i);
            String letters = Letters.of(at);
            if (letters != null) {
                for (String text : Digits.replaced(letters, is, wanted)) put(input, i, text, out);
                if (Letters.areBytes(at)) for (String text : Encoded.replaced(letters, is, wanted)) put(input, i, text, out);
            }
            if (at.isWhole() && Math.abs(at.number() - is) <= 2) {
                for (int more = -1; more <= 1; more++) {
                    long value = changes.words.fit(at.tag, at.number() + (wanted - is) + more);
                    out.add(with(input, i, node -> node.value = value));
                }
            } else if (at.tag == 'D' && Double.longBitsToDouble(at.number()) == is) {
                out.add(with(input, i, node -> node.value = Words.bits(wanted)));
            } else if (at.tag == 'T') {
                if (at.text().length() == is) resize(input, i, wanted, changes, out);
                int found = is >= 0 && is <= 0xffff ? at.text().indexOf((char) is) : -1;
                if (found >= 0 && wanted >= 0 && wanted <= 0xffff) {
                    String text = at.text();
                    out.add(with(input, i, node -> node.value = text.substring(0, found) + (char) wanted + text.substring(found + 1)));
                }
            } else if (at.tag == 'A' && at.parts.size() == is || at.tag == 'O' && !at.calls.isEmpty() && at.calls.size() == is) {
                resize(input, i, wanted, changes, out);
            }
        }
    }

    /** Doubles and floats that are one side of a comparison become the other, or the next ones. */
    private static void reals(List<Node> input, double is, double wanted, List<List<Node>> out) {
        List<Node> all = flat(input);
        for (int i = 0; i < all.size() && out.size() < MOST; i++) {
            Node at = all.get(i);
            String letters = Letters.of(at);
            if (letters != null) {
                for (String text : Digits.replaced(letters, is, wanted)) put(input, i, text, out);
            }
            boolean isFloat = at.tag == 'F' && Float.intBitsToFloat((int) at.number()) == is;
            if (!isFloat && !(at.tag == 'D' && Double.longBitsToDouble(at.number()) == is)) continue;
            for (double value : new double[] {wanted, Math.nextUp(wanted), Math.nextDown(wanted)}) {
                long bits = isFloat ? Float.floatToIntBits((float) value) : Words.bits(value);
                out.add(with(input, i, node -> node.value = bits));
            }
        }
    }

    private static void resize(List<Node> input, int at, long wanted, Changes changes, List<List<Node>> out) {
        changes.asked(wanted);
        for (long size : new long[] {wanted, wanted + 1, wanted - 1}) {
            boolean[] done = {false};
            List<Node> made = with(input, at, node -> done[0] = changes.resize(node, size));
            if (done[0]) out.add(made);
        }
    }

    private static void texts(List<Node> input, String is, String wanted, List<List<Node>> out) {
        List<Node> all = flat(input);
        for (int i = 0; i < all.size() && out.size() < 2 * MOST; i++) {
            Node at = all.get(i);
            String text = Letters.of(at);
            if (text == null) continue;
            if (text.equals(is) || text.equalsIgnoreCase(is)) {
                put(input, i, wanted, out);
            } else if (!is.isEmpty() && text.contains(is)) {
                int found = text.indexOf(is);
                put(input, i, text.substring(0, found) + wanted + text.substring(found + is.length()), out);
            } else if (text.trim().equalsIgnoreCase(is)) {
                put(input, i, wanted, out);
            }
            if (text.length() < 60 && is.length() > text.length() / 2) {
                put(input, i, wanted + text, out);
                put(input, i, text + wanted, out);
            }
        }
    }

    /** Texts that were compared by identity become literals, or strings of their own. */
    private static void identities(List<Node> input, String is, List<List<Node>> out) {
        List<Node> all = flat(input);
        for (int i = 0; i < all.size() && out.size() < 2 * MOST; i++) {
            Node at = all.get(i);
            if (at.tag == 'T' && at.text().equals(is)) out.add(with(input, i, node -> node.isCopy = !node.isCopy));
        }
    }

    private static void put(List<Node> input, int at, String text, List<List<Node>> out) {
        out.add(with(input, at, node -> Letters.put(node, text, node.parts.isEmpty() ? null : node.parts.get(0).kind)));
    }

    private static List<Node> with(List<Node> input, int at, java.util.function.Consumer<Node> change) {
        List<Node> copy = Node.copies(input);
        change.accept(flat(copy).get(at));
        return copy;
    }
}
