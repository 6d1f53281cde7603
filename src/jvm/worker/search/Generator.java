package com.shadowci.worker;

import java.util.*;

/** Makes inputs of kinds. */
final class Generator {
    /** How deep objects are made of objects. */
    private static final int DEPTH = 5;
    static final int MOST_ELEMENTS = 64;
    /** Calls on one object of the program; collections get more, which are what fills them. */
    private static final int FEW_CALLS = 8;
    /** Objects of one kind that are remembered. */
    private static final int MOST_GOOD = 16;
    /** Parts that are made for one input: arrays of objects made of arrays have more than fit. Most inputs get fewer: each part may be wrong. */
    private static final int MOST_PARTS = 1_000, FEW_PARTS = 60;
    /** Largest number given to what allocates much, and to a library's members. */
    private static final int MOST_ALLOCATED = 1_000;
    /** Once in so many times null is made where it is refused. */
    private static final int REFUSED = 100;

    final Kind[] kinds;
    final Words words;
    private final Random random;
    private final Answers answers;
    /** Whether any part is an object, which may be wrong: of numbers and texts inputs may have many. */
    private final boolean hasObjects;
    /** Values made for the input at hand, which others repeat. */
    private final List<Node> made = new ArrayList<>();
    /** How many parts may still be made for it. */
    private int room;

    Generator(Kind[] kinds, Words words) {
        this.kinds = kinds;
        this.words = words;
        this.random = words.random;
        hasObjects = Arrays.stream(kinds).anyMatch(kind -> kind.tag == 'O');
        answers = new Answers(this);
    }

    /** An input: a value of each kind. */
    List<Node> input(int[] of) {
        begin();
        List<Node> all = new ArrayList<>();
        for (int kind : of) all.add(make(kinds[kind], 0));
        return all;
    }

    void begin() {
        made.clear();
        room = !hasObjects || words.oneIn(4) ? MOST_PARTS : FEW_PARTS;
    }

    private Node leaf(char tag, Object value, Kind kind) {
        Node node = new Node(tag, value);
        node.kind = kind;
        repeatable(node);
        return node;
    }

    /** Has other parts of the input repeat the value of this one. */
    void repeatable(Node leaf) {
        if (made.size() < 64) made.add(leaf);
    }

    Node make(Kind kind, int depth) {
        return make(kind, depth, false);
    }

    /** The same for an argument; hardly ever null where null is refused. */
    Node make(Kind kind, int depth, boolean isRefused) {
        room--;
        if (kind.nullable && words.oneIn(isRefused ? REFUSED : depth == 0 ? 14 : 20)) return Node.nothing(kind);
        // An input is built only if all of its parts are: what hardly ever is would hide what needs it for nothing.
        if (kind.ease.isPoor() && !kind.good.isEmpty() && words.oneIn(2)) return again(kind);
        if (kind.ease.isPoor() && kind.nullable && !isRefused && !words.oneIn(4)) return Node.nothing(kind);
        switch (kind.tag) {
            case 'P': return primitive(kind.primitive, kind);
            case 'T': return leaf('T', text(), kind);
            case 'X': {
                Node box = new Node('X', null);
                box.kind = kind;
                box.parts.add(primitive(kind.primitive, null));
                return box;
            }
            case 'A': {
                Node array = new Node('A', null);
                array.kind = kind;
                array.names = new String[] {kind.element};
                Kind of = kinds[kind.of];
                if (Letters.areIn(kind.element) && words.oneIn(3)) {
                    Letters.put(array, text(), of);
                    room -= array.parts.size();
                    return array;
                }
                // Of what has no value at all there are none.
                int n = of.tag == 'N' && !of.nullable ? 0 : of.tag == 'O' ? random.nextInt(6) : count(MOST_ELEMENTS);
                for (int i = 0; i < n && room > 0; i++) array.parts.add(element(array.parts, of, depth + 1));
                return array;
            }
            case 'E': {
                if (kind.constants.isEmpty()) return Node.nothing(kind);
                String[] constant = words.pick(kind.constants);
                Node node = new Node(constant[0].charAt(0), null);
                node.names = new String[] {constant[1], constant[2]};
                node.kind = kind;
                return node;
            }
            case 'c': {
                Node node = new Node('c', null);
                node.names = words.pick(kind.constants);
                node.kind = kind;
                return node;
            }
            case 'L': {
                if (depth > DEPTH + 2) return Node.nothing(kind);
                Node node = new Node('L', null);
                node.kind = kind;
                node.member = kind.method;
                node.names = new String[] {kind.method.type};
                if (kind.of >= 0) node.parts.add(answers.make(kind, depth));
                else if (words.oneIn(2)) node.parts.add(answers.done(kind, depth));
                return node;
            }
            case 'i': {
                // Their methods may give such objects again.
                if (depth > 2) return Node.nothing(kind);
                Node node = new Node('i', null);
                node.kind = kind;
                node.names = new String[] {kind.element};
                for (Kind function : kind.functions) {
                    List<Node> value = new ArrayList<>();
                    if (function.of >= 0) value.add(answers.make(function, depth));
                    else if (words.oneIn(2)) value.add(answers.done(function, depth));
                    node.calls.add(new Node.Call(function.method, null, value));
                }
                return node;
            }
            case 'U': {
                Kind of = other(kind);
                for (int i = 0; i < 3 && (of.isLong || of.ease.isPoor()) && !words.oneIn(4); i++) of = other(kind);
                if (isSimpler(depth)) {
                    Kind simpler = other(kind);
                    if (simpler.cost < of.cost && !simpler.ease.isPoor()) of = simpler;
                }
                Node made = make(of, depth, isRefused);
                made.choice = kind;
                return made;
            }
            case 'O': return object(kind, depth);
            default: return Node.nothing(kind);
        }
    }

    /** An object of the kind that could be made once more. */
    Node again(Kind kind) {
        Node copy = words.pick(kind.good).copy();
        copy.isKnown = true;
        room -= copy.size();
        return copy;
    }

    private Kind other(Kind kind) {
        return kinds[kind.others[random.nextInt(kind.others.length)]];
    }

    /** Whether the simpler of two ways is taken: the more often, the deeper it is in the input, and always where the input is large. */
    private boolean isSimpler(int depth) {
        return room <= 0 || random.nextInt(DEPTH) < depth;
    }

    /** Any text, now and then one that another part has, or nearly has. */
    private String text() {
        if (!(repeated('T') instanceof String s)) return words.text();
        return words.oneIn(2) ? s : words.changed(s);
    }

    /** A number of elements: few mostly, as many as the program compares with, up to a limit. */
    int count(int most) {
        switch (random.nextInt(6)) {
            case 0: case 1: return random.nextInt(3);
            case 2: case 3: return random.nextInt(7);
            case 4: {
                long n = words.constant();
                return n >= 0 && n <= most ? (int) n : random.nextInt(10);
            }
            default: return random.nextInt(Math.min(most, 24));
        }
    }

    private Node element(List<Node> before, Kind of, int depth) {
        if (before.isEmpty() || !words.oneIn(5)) return make(of, depth);
        Node copy = words.pick(before).copy();
        room -= copy.size();
        return copy;
    }

    private Node primitive(char type, Kind kind) {
        Object known = repeated(type);
        if (!(known instanceof Long n)) return leaf(type, words.primitive(type), kind);
        boolean exact = type == 'F' || type == 'D' || type == 'Z' || !words.oneIn(3);
        return leaf(type, exact ? n : words.fit(type, n + random.nextInt(3) - 1), kind);
    }

    /** Now and then the value of another part of the same type. */
    Object repeated(char tag) {
        if (made.isEmpty() || !words.oneIn(4)) return null;
        Node other = words.pick(made);
        return other.tag == tag ? other.value : null;
    }

    private Node object(Kind kind, int depth) {
        Kind.Maker maker = maker(kind, depth);
        if (maker == null) return Node.nothing(kind);
        Node node = new Node(maker.onObject ? 'M' : 'O', null);
        node.kind = kind;
        node.member = maker.member;
        node.maker = maker;
        if (maker.onObject) {
            if (depth >= DEPTH) return Node.nothing(kind);
            node.parts.add(make(kinds[maker.receiver], depth + 1));
        }
        arguments(maker, node.parts, depth);
        if (!kind.calls.isEmpty()) {
            int n = calls(kind, depth);
            for (int i = 0; i < n && room > 0; i++) node.calls.add(call(kind, node.calls, depth));
        }
        return node;
    }

    /** How many calls an object gets: each on one of the program's may throw, so those deep in the input get few. */
    private int calls(Kind kind, int depth) {
        boolean isFilled = kind.mostCalls > FEW_CALLS;
        if (!isFilled && random.nextInt(DEPTH) < depth) return 0;
        if (depth > 2) return random.nextInt(3);
        return isFilled ? count(kind.mostCalls) : random.nextInt(words.oneIn(3) ? kind.mostCalls + 1 : 3);
    }

    /** Arguments of a maker. */
    void arguments(Kind.Maker maker, List<Node> into, int depth) {
        for (int i = 0; i < maker.args.length; i++) into.add(make(kinds[maker.args[i]], depth + 1, maker.refusesNull(i)));
        if (maker.format != null) {
            int first = into.size() - maker.args.length;
            while (first < into.size() - 1 && into.get(first).tag != 'T') first++;
            Node text = into.get(first);
            if (text.tag == 'T' && !words.oneIn(4)) text.value = maker.format[random.nextInt(maker.format.length)];
        }
        spare(maker, into);
    }

    /** No large numbers where they are sizes of what it allocates, and no large int for a library. */
    void spare(Kind.Maker maker, List<Node> args) {
        if (maker == null || !maker.isGreedy && !maker.isForeign) return;
        for (Node arg : args) {
            boolean counts = arg.isWhole() && (maker.isGreedy || arg.tag == 'I');
            if (counts && arg.number() > MOST_ALLOCATED) arg.value = words.fit(arg.tag, arg.number() % MOST_ALLOCATED);
        }
    }

    Node.Call call(Kind kind, List<Node.Call> before, int depth) {
        if (!before.isEmpty() && words.oneIn(6)) {
            Node.Call again = words.pick(before);
            return new Node.Call(again.member, again.maker, Node.copies(again.args));
        }
        Kind.Maker maker = words.pick(kind.calls);
        for (int i = 0; i < 3 && maker.isHopeless(); i++) maker = words.pick(kind.calls);
        List<Node> args = new ArrayList<>();
        arguments(maker, args, depth);
        return new Node.Call(maker.member, maker, args);
    }

    private Kind.Maker maker(Kind kind, int depth) {
        if (kind.makers.isEmpty()) return null;
        Kind.Maker found = null;
        boolean isDeep = depth >= DEPTH || room <= 0;
        for (int i = 0; i < 4; i++) {
            Kind.Maker next = words.pick(kind.makers);
            if (next.isHopeless(kinds) || next.ease.isPoor() && !words.oneIn(4) || isDeep && (next.onObject || next.args.length > 0)) continue;
            if (found == null || next.cost < found.cost) found = next;
            if (!isSimpler(depth)) break;
        }
        if (found != null || depth > DEPTH + 2) return found;
        for (Kind.Maker next : kind.makers) {
            if (found == null || next.isBetterThan(found)) found = next;
        }
        // Rather nothing than what nearly always throws, but for the entry's own arguments: a null there is an input of its own.
        boolean isVain = depth > 0 && found.isHopeless(kinds);
        return kind.nullable && (isVain || depth >= DEPTH && found.args.length > 0) ? null : found;
    }

    /** Tells the parts of an input that was read which kinds they are of. */
    void recognise(Node node, Kind kind) {
        // What comes of arguments is made in no other way, and nothing is called on it.
        if (kind == null || node.isAnswer()) return;
        if (node.tag == 'R') {
            node.kind = kind;
            return;
        }
        if (kind.tag == 'U') {
            for (int other : kind.others) {
                recognise(node, kinds[other]);
                if (node.kind != null) return;
            }
            return;
        }
        boolean fits = node.tag == kind.tag || node.tag == 'N' || kind.tag == 'P' && node.isLeaf() || kind.tag == 'O' && (node.tag == 'M' || node.tag == 'G')
                || kind.tag == 'E' && node.tag == 'G';
        if (!fits) return;
        if (node.tag == 'O' || node.tag == 'M') {
            for (Kind.Maker maker : kind.makers) {
                if (!maker.member.is(node.member) || maker.onObject != (node.tag == 'M')) continue;
                node.kind = kind;
                node.maker = maker;
                int first = 0;
                if (maker.onObject) recognise(node.parts.get(first++), kinds[maker.receiver]);
                for (int i = 0; i < maker.args.length && first + i < node.parts.size(); i++) recognise(node.parts.get(first + i), kinds[maker.args[i]]);
            }
            for (Node.Call call : node.calls) {
                for (Kind.Maker maker : kind.calls) {
                    if (!maker.member.is(call.member)) continue;
                    call.maker = maker;
                    for (int i = 0; i < maker.args.length; i++) recognise(call.args.get(i), kinds[maker.args[i]]);
                }
            }
            return;
        }
        node.kind = kind;
        if (node.tag == 'A') for (Node part : node.parts) recognise(part, kinds[kind.of]);
        if (node.tag == 'L' && kind.of >= 0) for (Node part : node.parts) recognise(part, kinds[kind.of]);
    }

    /** Remembers the objects of an input that are hard to make, and were made. */
    void remember(List<Node> input) {
        List<Node> all = new ArrayList<>();
        for (Node node : input) node.collect(all);
        for (Node node : all) {
            if (!node.isMade || node.isKnown || node.kind == null || node.maker == null || !node.maker.isHard() || Sharing.isIn(node)) continue;
            List<Node> good = node.kind.good;
            if (good.size() < MOST_GOOD) good.add(node.copy());
            else if (words.oneIn(8)) good.set(random.nextInt(MOST_GOOD), node.copy());
        }
    }

    static void replace(List<Node> in, Node node, Node by) {
        for (int i = 0; i < in.size(); i++) {
            Node at = in.get(i);
            if (at == node) {
                in.set(i, by);
                return;
            }
            replace(at.parts, node, by);
            for (Node.Call call : at.calls) replace(call.args, node, by);
        }
    }
}
