package com.shadowci.worker;

import java.util.*;

/** Changes inputs in a few parts. */
final class Changes {
    /** Arrays of so many elements are long ones, and of so many the longest. */
    private static final int LONG = 200, LONGEST = 1_100;
    /** Sizes that are remembered. */
    private static final int MOST_SIZES = 32;

    private final Generator from;
    final Words words;
    private final Random random;
    /** Sizes that comparisons asked for, of texts, arrays and containers; not those that others have anyway. */
    private final List<Long> sizes = new ArrayList<>();

    Changes(Generator from) {
        this.from = from;
        words = from.words;
        random = words.random;
    }

    /** An input that differs in a few parts; of another one, parts may be taken. */
    List<Node> changed(List<Node> input, List<Node> other) {
        List<Node> copy = Node.copies(input);
        from.begin();
        for (int n = words.oneIn(2) ? 1 : 1 + random.nextInt(4); n > 0; n--) {
            List<Node> all = new ArrayList<>();
            for (Node node : copy) node.collect(all);
            if (all.isEmpty()) return copy;
            for (Node node : all) if (node.isLeaf()) from.repeatable(node);
            Node at = words.pick(all);
            for (int i = 0; i < 3 && !at.isLeaf() && at.tag != 'A' && at.calls.isEmpty(); i++) at = words.pick(all);
            Node into = change(at, other);
            if (into != at) Generator.replace(copy, at, into);
        }
        for (Node node : copy) spare(node);
        return copy;
    }

    /** No large numbers where what is made, or called, can't bear them. */
    void spare(Node node) {
        from.spare(node.maker, node.parts);
        for (Node part : node.parts) spare(part);
        for (Node.Call call : node.calls) {
            from.spare(call.maker, call.args);
            for (Node arg : call.args) spare(arg);
        }
    }

    /** Changes a part in place, or gives another for it. */
    private Node change(Node at, List<Node> other) {
        if (at.kind != null && words.oneIn(at.isLeaf() ? 12 : 8)) return from.make(at.kind, 1);
        if (at.kind != null && words.oneIn(10)) {
            List<Node> all = new ArrayList<>();
            for (Node node : other) node.collect(all);
            all.removeIf(node -> node.kind != at.kind || Sharing.isIn(node));
            if (!all.isEmpty()) return words.pick(all).copy();
        }
        if (at.tag == 'T') {
            Object known = from.repeated('T');
            at.value = known instanceof String s && words.oneIn(2) ? s : words.oneIn(6) ? words.text() : words.changed(at.text());
        } else if (at.tag == 'F' || at.tag == 'D') {
            at.value = words.oneIn(3) ? words.primitive(at.tag) : nearReal(at);
        } else if (at.isLeaf()) {
            number(at);
        } else if (at.tag == 'A') {
            elements(at);
        } else if ((at.tag == 'O' || at.tag == 'M') && at.kind != null && !at.kind.calls.isEmpty()) {
            calls(at);
        }
        return at;
    }

    /** A floating-point number that differs by a power of two, of itself or of one. */
    private long nearReal(Node at) {
        double d = at.tag == 'F' ? Float.intBitsToFloat((int) at.number()) : Double.longBitsToDouble(at.number());
        double step = Math.scalb(words.oneIn(2) ? d : 1, 4 - random.nextInt(at.tag == 'F' ? 27 : 56));
        double near = words.oneIn(8) ? -d : words.oneIn(2) ? d + step : d - step;
        return at.tag == 'F' ? Float.floatToIntBits((float) near) : Words.bits(near);
    }

    private void number(Node at) {
        long n = at.number();
        Object known = from.repeated(at.tag);
        switch (random.nextInt(5)) {
            case 0: n += random.nextInt(5) - 2; break;
            case 1: n = known instanceof Long other ? other : words.whole(at.tag); break;
            case 2: n = words.oneIn(2) ? -n : n * 2; break;
            default: n = words.whole(at.tag);
        }
        at.value = words.fit(at.tag, n);
    }

    private void elements(Node at) {
        List<Node> parts = at.parts;
        Kind of = at.kind == null ? null : from.kinds[at.kind.of];
        int i = random.nextInt(parts.size() + 1);
        String text = Letters.of(at);
        if (text != null && words.oneIn(3)) {
            Letters.put(at, words.changed(text), of);
            return;
        }
        switch (random.nextInt(6)) {
            case 0:
                if (i < parts.size()) parts.remove(i);
                break;
            case 1:
                if (!parts.isEmpty()) parts.add(i, words.pick(parts).copy());
                break;
            case 2:
                if (i < parts.size()) Collections.swap(parts, i, random.nextInt(parts.size()));
                break;
            case 3:
                if (of != null) for (int n = from.count(Generator.MOST_ELEMENTS) - parts.size(); n > 0; n--) parts.add(from.make(of, 2));
                break;
            default:
                if (of != null) parts.add(i, from.make(of, 2));
        }
        // Longer ones have the size that a comparison asks for.
        int most = parts.size() > LONG ? LONGEST : 2 * Generator.MOST_ELEMENTS;
        while (parts.size() > most) parts.remove(parts.size() - 1);
    }

    private void calls(Node at) {
        List<Node.Call> calls = at.calls;
        int i = random.nextInt(calls.size() + 1);
        switch (random.nextInt(6)) {
            case 0:
                if (i < calls.size()) calls.remove(i);
                break;
            case 1:
                if (i < calls.size()) Collections.swap(calls, i, random.nextInt(calls.size()));
                break;
            case 2:
                if (at.kind.mostCalls > 8) for (int n = from.count(at.kind.mostCalls) - calls.size(); n > 0; n--) calls.add(from.call(at.kind, calls, 1));
                break;
            default: calls.add(i, from.call(at.kind, calls, 1));
        }
        while (calls.size() > at.kind.mostCalls) calls.remove(calls.size() - 1);
    }

    /** Takes down that a comparison asked for a size. */
    void asked(long size) {
        boolean isLarge = size > Generator.MOST_ELEMENTS && size <= LONGEST;
        if (isLarge && sizes.size() < MOST_SIZES && !sizes.contains(size)) sizes.add(size);
    }

    /**
     * The input with a part of a size that a comparison asked for, or the next one, once in so many times: behind a test of the size,
     * what else the text is like may decide.
     */
    List<Node> sized(List<Node> input, int times) {
        if (sizes.isEmpty() || !words.oneIn(times)) return input;
        List<Node> copy = Node.copies(input), all = new ArrayList<>();
        for (Node node : copy) node.collect(all);
        all.removeIf(node -> node.tag != 'T' && node.tag != 'A' && node.calls.isEmpty());
        if (all.isEmpty() || !resize(words.pick(all), words.pick(sizes) + random.nextInt(3) - 1)) return input;
        for (Node node : copy) spare(node);
        return copy;
    }

    /** Makes an array, a text or a container that long. */
    boolean resize(Node at, long size) {
        // Of objects there are fewer: each is made of parts.
        boolean isPlain = at.tag == 'T' || at.tag == 'A' && (at.names[0].length() == 1 || at.names[0].equals("Ljava/lang/String;"));
        if (size < 0 || size > (isPlain ? LONGEST : LONG)) return false;
        from.begin();
        if (at.tag == 'T') {
            StringBuilder out = new StringBuilder(at.text());
            if (out.length() == 0) out.append('a');
            // Its end again and again: the last letter, or all of it.
            int period = words.oneIn(2) ? 1 : out.length();
            while (out.length() < size) out.append(out.charAt(out.length() - period));
            out.setLength((int) size);
            at.value = out.toString();
            return true;
        }
        if (at.tag == 'A') {
            while (at.parts.size() > size) at.parts.remove(at.parts.size() - 1);
            while (at.parts.size() < size) {
                if (at.kind != null && at.parts.size() <= Generator.MOST_ELEMENTS) at.parts.add(from.make(from.kinds[at.kind.of], 2));
                else if (!at.parts.isEmpty()) at.parts.add(at.parts.get(0).copy());
                else return false;
            }
            return true;
        }
        if (at.tag == 'O' && at.kind != null && at.kind.mostCalls > 8) {
            while (at.calls.size() > size) at.calls.remove(at.calls.size() - 1);
            while (at.calls.size() < Math.min(size, at.kind.mostCalls)) at.calls.add(from.call(at.kind, List.of(), 1));
            return true;
        }
        return false;
    }
}
