package com.shadowci.worker;

import java.util.*;

/** Makes what functions give: a value, or one that depends on their arguments. */
final class Answers {
    /** What tells that a void function is called: a plain word already. */
    static final String CALLED = "called";
    private static final String[] OF_TEXTS = {"startsWith", "endsWith", "contains"};

    private final Generator generator;
    private final Words words;
    private final Random random;

    Answers(Generator generator) {
        this.generator = generator;
        words = generator.words;
        random = words.random;
    }

    /** The value of a function's result. */
    Node make(Kind function, int depth) {
        Kind result = generator.kinds[function.of];
        Node call = function.callable.isEmpty() || words.oneIn(3) ? null : called(function, result, depth);
        if (call != null) return call;
        Node answer = words.oneIn(2) ? null : depending(function, result, depth);
        return answer != null ? answer : generator.make(result, depth + 1);
    }

    /** What a void function does: it calls an argument that is a function, or prints. */
    Node done(Kind function, int depth) {
        Node call = function.callable.isEmpty() || words.oneIn(3) ? null : called(function, null, depth);
        return call != null ? call : printed(function);
    }

    /** A call of an argument, as of what runs a task or takes a callback; null where none gives such a result. */
    private Node called(Kind function, Kind result, int depth) {
        List<Integer> places = new ArrayList<>();
        for (Map.Entry<Integer, Kind> each : function.callable.entrySet()) {
            int of = each.getValue().of;
            if (result == null || of >= 0 && (of == result.number || isAlike(generator.kinds[of], result))) places.add(each.getKey());
        }
        if (places.isEmpty()) return null;
        int at = words.pick(places);
        Kind called = function.callable.get(at);
        Node call = new Node('M', null);
        call.member = called.method;
        call.parts.add(argument(at));
        for (int parameter : called.parameters) {
            Kind kind = generator.kinds[parameter];
            Node own = words.oneIn(3) ? null : argument(function.parameters, kind);
            call.parts.add(own != null ? own : generator.make(kind, depth + 1));
        }
        return call;
    }

    /** What a void function prints: that it is called, or an argument. */
    private Node printed(Kind function) {
        int count = function.parameters.length;
        return operation("print", count == 0 || words.oneIn(3) ? new Node('T', CALLED) : argument(random.nextInt(count)));
    }

    /** One that depends on the arguments; null where they tell nothing. */
    private Node depending(Kind function, Kind result, int depth) {
        int[] parameters = function.parameters;
        if (parameters.length == 0) return null;
        Node found = null;
        char primitive = result.tag == 'P' || result.tag == 'X' ? result.primitive : 0;
        if (primitive == 'Z') found = test(parameters);
        else if ((primitive == 'I' || primitive == 'J') && words.oneIn(2)) found = number(parameters, primitive);
        else if (words.oneIn(2)) found = argument(parameters, result);
        if (found == null) found = chosen(parameters, result, depth);
        if (found != null) found.kind = result;
        return found;
    }

    /** An argument that is as the result is. */
    private Node argument(int[] parameters, Kind result) {
        int first = random.nextInt(parameters.length);
        for (int i = 0; i < parameters.length; i++) {
            int at = (first + i) % parameters.length;
            if (parameters[at] == result.number || isAlike(generator.kinds[parameters[at]], result)) return argument(at);
        }
        return null;
    }

    private static boolean isAlike(Kind a, Kind b) {
        return a.tag == b.tag && (a.tag == 'T' || (a.tag == 'P' || a.tag == 'X') && a.primitive == b.primitive);
    }

    private static Node argument(int at) {
        return new Node('a', (long) at);
    }

    private static Node operation(String operator, Node... operands) {
        Node node = new Node('o', null);
        node.names = new String[] {operator};
        node.parts.addAll(Arrays.asList(operands));
        return node;
    }

    /** One of two values, by a test. */
    private Node chosen(int[] parameters, Kind result, int depth) {
        // Boxes of several classes would become numbers of one.
        if (result.tag == 'U' || result.tag == 'L') return null;
        Node test = test(parameters);
        if (test == null) return null;
        Node own = argument(parameters, result);
        Node one = own != null && words.oneIn(2) ? own : generator.make(result, depth + 1);
        return operation("choose", test, one, generator.make(result, depth + 1));
    }

    private Node test(int[] parameters) {
        int at = random.nextInt(parameters.length);
        Kind of = generator.kinds[parameters[at]];
        Node test = test(at, of, parameters);
        return test != null && words.oneIn(4) ? operation("not", test) : test;
    }

    private Node test(int at, Kind of, int[] parameters) {
        if (of.tag == 'A' || of.tag == 'N') return null;
        if (of.tag == 'P') return of.primitive == 'Z' ? argument(at) : compared(argument(at), of.primitive);
        int other = random.nextInt(parameters.length);
        if (other != at && generator.kinds[parameters[other]].tag != 'P' && words.oneIn(4)) return operation("equals", argument(at), argument(other));
        if (of.tag == 'X' && of.primitive != 'Z' && words.oneIn(2)) return compared(unboxed(at, of), of.primitive);
        if (of.tag == 'X') return operation("equals", argument(at), box(of));
        if (of.tag == 'T' && words.oneIn(3)) return operation("equals", argument(at), generator.make(of, 1));
        if (of.tag == 'E') return operation("equals", argument(at), generator.make(of, 1));
        // What other objects are as texts may be another in each run.
        if (of.tag != 'T' && of.tag != 'U') return operation("equals", argument(at), Node.nothing(null));
        if (words.oneIn(4)) return compared(operation("length", argument(at)), 'I');
        return operation(OF_TEXTS[random.nextInt(OF_TEXTS.length)], argument(at), text());
    }

    private Node text() {
        String text = words.word();
        if (text.length() > 2 && words.oneIn(2)) text = words.oneIn(2) ? text.substring(0, 1 + random.nextInt(2)) : text.substring(text.length() - 1);
        return new Node('T', text);
    }

    private Node compared(Node number, char primitive) {
        Node literal = new Node(primitive, words.primitive(primitive));
        switch (random.nextInt(4)) {
            case 0: return operation("less", literal, number);
            case 1: return operation("less", number, literal);
            default: return operation("equal", number, literal);
        }
    }

    private static Node unboxed(int at, Kind of) {
        Node type = new Node('c', null);
        type.names = new String[] {BOXES.get(of.primitive)};
        return operation("unbox", type, argument(at));
    }

    private static final Map<Character, String> BOXES = Map.of('B', "java.lang.Byte", 'S', "java.lang.Short", 'C', "java.lang.Character",
            'I', "java.lang.Integer", 'J', "java.lang.Long", 'F', "java.lang.Float", 'D', "java.lang.Double");

    private Node box(Kind of) {
        Node box = new Node('X', null);
        box.kind = of;
        box.parts.add(new Node(of.primitive, words.primitive(of.primitive)));
        return box;
    }

    /** A number that comes of the arguments. */
    private Node number(int[] parameters, char primitive) {
        int at = random.nextInt(parameters.length), other = random.nextInt(parameters.length);
        Kind of = generator.kinds[parameters[at]];
        boolean isOwn = of.tag == 'P' && of.primitive == primitive, isBox = of.tag == 'X' && of.primitive == primitive;
        if (isOwn || isBox) {
            Node number = isOwn ? argument(at) : unboxed(at, of);
            if (words.oneIn(3)) return number;
            return operation("add", number, new Node(primitive, words.primitive(primitive)));
        }
        if (primitive != 'I' || of.tag != 'T' && of.tag != 'X' && of.tag != 'U') return null;
        if (other != at && generator.kinds[parameters[other]].tag == of.tag) return operation("compareTo", argument(at), argument(other));
        return operation("length", argument(at));
    }
}
