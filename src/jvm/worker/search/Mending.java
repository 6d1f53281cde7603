package com.shadowci.worker;

import java.util.*;

/** Puts other parts into inputs that could not be built. */
final class Mending {
    private final Generator generator;
    private final Words words;

    Mending(Generator generator) {
        this.generator = generator;
        words = generator.words;
    }

    /**
     * The input with another part in the place of the one that could not be built, or without the call that threw; null where there is
     * none. An object of many parts is rarely right at once.
     */
    List<Node> mended(List<Node> input, Object failed) {
        List<Node> all = new ArrayList<>();
        for (Node node : input) node.collect(all);
        generator.begin();
        for (Node node : all) {
            if (failed instanceof Node.Call call && node.calls.contains(call)) {
                if (!fill(call.maker, call.args)) node.calls.remove(call);
                return input;
            }
            if (node == failed && (fill(node.maker, arguments(node)) || tellsMore(node))) return input;
            if (node == failed && node.kind != null) {
                mend(input, all, node);
                return input;
            }
        }
        return null;
    }

    /** Puts another part in the place of one; of one that is never made, in that of what it is part of. */
    private void mend(List<Node> input, List<Node> all, Node node) {
        boolean known = !node.kind.good.isEmpty() && !words.oneIn(3);
        boolean otherwise = node.choice != null && (node.kind.isHopeless(generator.kinds) || words.oneIn(2));
        Kind wanted = otherwise ? node.choice : node.kind;
        if (!known && !wanted.nullable && wanted.isHopeless(generator.kinds)) {
            for (Node around : all) {
                for (Node.Call call : around.calls) {
                    if (!call.args.contains(node)) continue;
                    // A stand-in has all of its methods.
                    if (around.tag == 'i') call.args.clear();
                    else around.calls.remove(call);
                    return;
                }
                if (!around.parts.contains(node) || around.kind == null) continue;
                mend(input, all, around);
                return;
            }
        }
        Generator.replace(input, node, known ? generator.again(node.kind) : generator.make(wanted, 1, isRefused(all, node)));
    }

    /** What an object is made of, without the object that makes it. */
    private static List<Node> arguments(Node node) {
        return node.tag == 'M' && !node.parts.isEmpty() ? node.parts.subList(1, node.parts.size()) : node.parts;
    }

    /** Puts something in the place of nulls that a maker refuses; whether there were any. */
    private boolean fill(Kind.Maker maker, List<Node> args) {
        boolean isFilled = false;
        for (int i = 0; maker != null && i < Math.min(args.size(), maker.args.length); i++) {
            if (args.get(i).tag != 'N' || !maker.refusesNull(i)) continue;
            Node made = generator.make(generator.kinds[maker.args[i]], 1, true);
            args.set(i, made);
            isFilled |= made.tag != 'N';
        }
        return isFilled;
    }

    /** Whether null is refused where a part of these is. */
    private static boolean isRefused(List<Node> all, Node part) {
        for (Node node : all) {
            if (isRefused(node.maker, arguments(node).indexOf(part))) return true;
            for (Node.Call call : node.calls) if (isRefused(call.maker, call.args.indexOf(part))) return true;
        }
        return false;
    }

    private static boolean isRefused(Kind.Maker maker, int argument) {
        return maker != null && argument >= 0 && argument < maker.args.length && maker.refusesNull(argument);
    }

    /** Now and then adds a call to the object that another one could not be made from, as builders want some of theirs; whether it did. */
    private boolean tellsMore(Node node) {
        Node from = node.tag == 'M' && !node.parts.isEmpty() ? node.parts.get(0) : null;
        if (from == null || from.kind == null || from.tag != 'O' && from.tag != 'M') return false;
        List<Kind.Maker> missing = new ArrayList<>();
        for (Kind.Maker maker : from.kind.calls) {
            boolean isThere = false;
            for (Node.Call call : from.calls) isThere |= call.member.name.equals(maker.member.name);
            if (!isThere && !maker.isHopeless()) missing.add(maker);
        }
        if (missing.isEmpty() || !words.oneIn(2)) return false;
        Kind.Maker maker = words.pick(missing);
        List<Node> args = new ArrayList<>();
        generator.arguments(maker, args, 1);
        from.calls.add(new Node.Call(maker.member, maker, args));
        return true;
    }
}
