package com.shadowci.worker;

import java.io.*;
import java.lang.reflect.*;
import java.util.*;

/** A part of an input: as the wire has it, can be copied, changed, built in either version, and written back. */
final class Node {
    /** A method or constructor, or a field that is set, by its names; what it is in each version is looked up once. */
    static final class Member {
        final String type, name, descriptor;
        private final AccessibleObject[] found = new AccessibleObject[2];
        /** For whom that was looked up. */
        private final Side[] sides = new Side[2];

        Member(String type, String name, String descriptor) {
            this.type = type;
            this.name = name;
            this.descriptor = descriptor;
        }

        static Member read(Wire wire) throws IOException {
            return new Member(wire.string(), wire.string(), wire.string());
        }

        void write(Wire wire) throws IOException {
            wire.write(type);
            wire.write(name);
            wire.write(descriptor);
        }

        boolean is(Member other) {
            return type.equals(other.type) && name.equals(other.name) && descriptor.equals(other.descriptor);
        }

        boolean isField() {
            return Values.isField(descriptor);
        }

        AccessibleObject in(Side side) throws ReflectiveOperationException {
            if (side.isFresh) return lookedUp(side);
            if (sides[side.number] != side) {
                found[side.number] = lookedUp(side);
                sides[side.number] = side;
            }
            return found[side.number];
        }

        private AccessibleObject lookedUp(Side side) throws ReflectiveOperationException {
            return isField() ? side.values.field(type, name) : side.values.find(type, name, descriptor);
        }
    }

    /** A call on an object, or a field of it that is set. */
    static final class Call {
        final Member member;
        Kind.Maker maker;
        final List<Node> args;

        Call(Member member, Kind.Maker maker, List<Node> args) {
            this.member = member;
            this.maker = maker;
            this.args = args;
        }
    }

    /** The object ({@code Node}) or the call on one ({@code Call}) that the last input could not be built for. */
    static volatile Object failed;
    /** Calls that made parts of inputs. */
    static long invoked;

    /** Bytes: what allocates as many on its own gets no large numbers. */
    private static final long MUCH = 1 << 20;
    /** What makes a string of its own. */
    private static final Member COPYING = new Member("java.lang.String", "<init>", "(Ljava/lang/String;)V");

    final char tag;
    /** Of primitives a {@code Long} (bits of floating-point ones), of texts a {@code String}. */
    Object value;
    /** Names: class and constant, element type, class. */
    String[] names;
    Member member;
    /** What made it, where a kind did. */
    Kind.Maker maker;
    /** Elements, arguments (of a method's result: the receiver first), a box's or lambda's value. */
    List<Node> parts = new ArrayList<>();
    List<Call> calls = new ArrayList<>();
    /** The kind it is of; null where that is not known. */
    Kind kind;
    /** The kind of which its own is one of several; null where none is. */
    Kind choice;
    /** Whether it was made, as an object of the program's, when it was built last. */
    boolean isMade;
    /** Whether it is as one that is remembered. */
    boolean isKnown;
    /** Of a text: whether it is a string of its own, made by {@code new}, and no literal. */
    boolean isCopy;
    /** The number by which other parts are the same object; 0 where none is. Of such a part ({@code R}), that of the object. */
    int number;

    Node(char tag, Object value) {
        this.tag = tag;
        this.value = value;
    }

    static Node nothing(Kind kind) {
        Node node = new Node('N', null);
        node.kind = kind;
        return node;
    }

    Node copy() {
        Node copy = new Node(tag, value);
        copy.names = names;
        copy.member = member;
        copy.maker = maker;
        copy.kind = kind;
        copy.choice = choice;
        copy.number = number;
        copy.isCopy = isCopy;
        copy.parts = copies(parts);
        for (Call call : calls) copy.calls.add(new Call(call.member, call.maker, copies(call.args)));
        return copy;
    }

    static List<Node> copies(List<Node> all) {
        List<Node> copies = new ArrayList<>(all.size());
        for (Node node : all) copies.add(node.copy());
        return copies;
    }

    /** Whether it has a value of its own that can be another. */
    boolean isLeaf() {
        return "ZBSCIJFDT".indexOf(tag) >= 0;
    }

    boolean isWhole() {
        return "BSCIJ".indexOf(tag) >= 0;
    }

    long number() {
        return (Long) value;
    }

    String text() {
        return (String) value;
    }

    /** All parts, itself first. */
    void collect(List<Node> out) {
        out.add(this);
        for (Node part : parts) part.collect(out);
        for (Call call : calls) for (Node arg : call.args) arg.collect(out);
    }

    /** Whether any part is null. */
    boolean hasNull() {
        if (tag == 'N') return true;
        for (Node part : parts) if (part.hasNull()) return true;
        for (Call call : calls) for (Node arg : call.args) if (arg.hasNull()) return true;
        return false;
    }

    int size() {
        int n = 1;
        if (tag == 'T') n += text().length() / 4;
        int elements = 0;
        for (Node part : parts) elements += part.size();
        // Numbers in an array take no more room than characters in a text.
        n += tag == 'A' && names[0].length() == 1 ? elements / 4 : elements;
        for (Call call : calls) {
            n++;
            for (Node arg : call.args) n += arg.size();
        }
        return n;
    }

    /** The value in a version. */
    Object build(Side side) throws Throwable {
        if (number == 0) return made(side);
        if (tag == 'R') return side.shared.get(number);
        Object made = made(side);
        side.shared.put(number, made);
        return made;
    }

    private Object made(Side side) throws Throwable {
        switch (tag) {
            case 'N': return null;
            case 'Z': return number() != 0;
            case 'B': return (byte) number();
            case 'S': return (short) number();
            case 'C': return (char) number();
            case 'I': return (int) number();
            case 'J': return number();
            case 'F': return Float.intBitsToFloat((int) number());
            case 'D': return Double.longBitsToDouble(number());
            case 'T': return isCopy ? new String(text()) : text().intern();
            case 'X': return parts.get(0).build(side);
            case 'A': {
                Class<?> type = side.element(names[0]);
                Object array = Array.newInstance(type, parts.size());
                for (int i = 0; i < parts.size(); i++) Array.set(array, i, parts.get(i).build(side));
                return array;
            }
            case 'E': case 'G': return side.constant(names[0], names[1]);
            case 'c': return side.values.named(names[0]);
            case 'i': {
                Map<String, Functions.Body> bodies = new HashMap<>();
                for (Call each : calls) bodies.put(each.member.name + each.member.descriptor, each.args.isEmpty() ? arguments -> null : each.args.get(0).body(side));
                return Functions.make(side.loader(), names[0], bodies);
            }
            case 'L': {
                if (parts.isEmpty() || !parts.get(0).isAnswer()) return side.values.lambda(names[0], parts.isEmpty() ? null : parts.get(0).build(side));
                return Functions.make(side.loader(), names[0], parts.get(0).body(side));
            }
            default: return object(side);
        }
    }

    /** Whether it comes of a function's arguments. */
    boolean isAnswer() {
        return tag == 'a' || tag == 'o' || tag == 'M' && parts.stream().anyMatch(Node::isAnswer);
    }

    /** What a function gives; constants in it are made once. */
    private Functions.Body body(Side side) throws Throwable {
        if (tag == 'a') {
            int at = (int) number();
            return arguments -> arguments[at];
        }
        if (!isAnswer()) {
            Object constant = build(side);
            return arguments -> constant;
        }
        List<Functions.Body> bodies = new ArrayList<>();
        for (Node part : parts) bodies.add(part.body(side));
        if (tag == 'M') return Functions.call((Method) member.in(side), bodies);
        Functions.Body body = Functions.operation(names[0], bodies);
        if (!names[0].startsWith("equal")) return body;
        return arguments -> {
            // The program's values are what a function asks for.
            Pairs.of(bodies.get(0).of(arguments), bodies.get(1).of(arguments));
            return body.of(arguments);
        };
    }

    /** What makes a part of an input right now, or could not; null where nothing does. */
    static Member underWay() {
        Object at = failed;
        return at instanceof Node node ? node.member : at instanceof Call call ? call.member : null;
    }

    private Object object(Side side) throws Throwable {
        isMade = false;
        Object receiver = tag == 'M' ? parts.get(0).build(side) : null;
        Object[] given = build(side, tag == 'M' ? parts.subList(1, parts.size()) : parts);
        failed = this;
        Object made = invoke(member, maker, receiver, given, side);
        failed = null;
        // It may hold itself.
        if (number > 0) side.shared.put(number, made);
        for (Call call : calls) {
            Object[] args = build(side, call.args);
            failed = call;
            if (made == null) throw new NullPointerException();
            invoke(call.member, call.maker, made, args, side);
            failed = null;
        }
        isMade = made != null;
        return made;
    }

    private static Object invoke(Member member, Kind.Maker maker, Object receiver, Object[] args, Side side) throws Throwable {
        AccessibleObject e = member.in(side);
        if (e instanceof Field field) {
            field.set(receiver, args[0]);
            return null;
        }
        invoked++;
        boolean done = false;
        boolean looks = maker != null && !maker.isGreedy;
        long before = looks ? Patience.allocated(Thread.currentThread()) : 0;
        try {
            Object made = e instanceof Constructor<?> c ? c.newInstance(args) : ((Method) e).invoke(receiver, args);
            done = true;
            return made;
        } catch (InvocationTargetException t) {
            if (maker != null && (Trace.isTooLarge() || t.getCause() instanceof OutOfMemoryError)) maker.isGreedy = true;
            looks &= maker != null && !maker.isGreedy;
            throw t;
        } finally {
            if (maker != null) maker.count(args, done);
            if (maker != null && Trace.isStopped()) maker.isSlow = true;
            if (looks) maker.isGreedy = Patience.allocated(Thread.currentThread()) - before > MUCH;
        }
    }

    static Object[] build(Side side, List<Node> nodes) throws Throwable {
        Object[] all = new Object[nodes.size()];
        for (int i = 0; i < all.length; i++) all[i] = nodes.get(i).build(side);
        return all;
    }

    /** As inputs are sent. */
    void write(Wire wire) throws IOException {
        DataOutputStream out = wire.out;
        if (number > 0 && tag != 'R') {
            out.write('V');
            out.writeInt(number);
        }
        if (isCopy) {
            out.write('O');
            COPYING.write(wire);
            out.writeInt(1);
        }
        out.write(tag);
        switch (tag) {
            case 'N': break;
            case 'R': out.writeInt(number); break;
            case 'i':
                wire.write(names[0]);
                writeCalls(wire);
                break;
            case 'a': out.writeInt((int) number()); break;
            case 'o':
                wire.write(names[0]);
                writeAll(wire, parts);
                break;
            case 'Z': out.writeBoolean(number() != 0); break;
            case 'B': out.writeByte((int) number()); break;
            case 'S': case 'C': out.writeShort((int) number()); break;
            case 'I': case 'F': out.writeInt((int) number()); break;
            case 'J': case 'D': out.writeLong(number()); break;
            case 'T':
                wire.write(text());
                // Without calls.
                if (isCopy) out.writeInt(0);
                break;
            case 'X': parts.get(0).write(wire); break;
            case 'A':
                wire.write(names[0]);
                writeAll(wire, parts);
                break;
            case 'E': case 'G':
                wire.write(names[0]);
                wire.write(names[1]);
                break;
            case 'c': wire.write(names[0]); break;
            case 'L':
                member.write(wire);
                writeAll(wire, parts);
                break;
            case 'M':
                parts.get(0).write(wire);
                member.write(wire);
                writeAll(wire, parts.subList(1, parts.size()));
                writeCalls(wire);
                break;
            default:
                member.write(wire);
                writeAll(wire, parts);
                writeCalls(wire);
        }
    }

    /** As it is sent, one character for a byte. */
    String written() {
        return written(List.of(this));
    }

    static String written(List<Node> all) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writeAll(new Wire(null, new DataOutputStream(bytes)), all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toString(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private void writeCalls(Wire wire) throws IOException {
        wire.out.writeInt(calls.size());
        for (Call call : calls) {
            call.member.write(wire);
            writeAll(wire, call.args);
        }
    }

    private void readCalls(Wire wire) throws IOException {
        for (int n = wire.in.readInt(); n > 0; n--) calls.add(new Call(Member.read(wire), null, readAll(wire)));
    }

    static void writeAll(Wire wire, List<Node> all) throws IOException {
        wire.out.writeInt(all.size());
        for (Node node : all) node.write(wire);
    }

    static Node read(Wire wire) throws IOException {
        DataInputStream in = wire.in;
        char tag = (char) in.read();
        if (tag == 'V') {
            int number = in.readInt();
            Node shared = read(wire);
            shared.number = number;
            return shared;
        }
        Node node = new Node(tag, null);
        switch (tag) {
            case 'N': break;
            case 'R': node.number = in.readInt(); break;
            case 'i':
                node.names = new String[] {wire.string()};
                node.readCalls(wire);
                break;
            case 'a': node.value = (long) in.readInt(); break;
            case 'o':
                node.names = new String[] {wire.string()};
                node.parts = readAll(wire);
                break;
            case 'Z': node.value = in.readBoolean() ? 1L : 0L; break;
            case 'B': node.value = (long) in.readByte(); break;
            case 'S': node.value = (long) in.readShort(); break;
            case 'C': node.value = (long) in.readChar(); break;
            case 'I': case 'F': node.value = (long) in.readInt(); break;
            case 'J': case 'D': node.value = in.readLong(); break;
            case 'T': node.value = wire.string(); break;
            case 'X': node.parts.add(read(wire)); break;
            case 'A':
                node.names = new String[] {wire.string()};
                node.parts = readAll(wire);
                break;
            case 'E': case 'G': node.names = new String[] {wire.string(), wire.string()}; break;
            case 'c': node.names = new String[] {wire.string()}; break;
            case 'L':
                node.member = Member.read(wire);
                node.names = new String[] {node.member.type};
                node.parts = readAll(wire);
                break;
            case 'M':
                node.parts.add(read(wire));
                node.member = Member.read(wire);
                node.parts.addAll(readAll(wire));
                node.readCalls(wire);
                break;
            case 'O':
                node.member = Member.read(wire);
                node.parts = readAll(wire);
                node.readCalls(wire);
                if (node.isOfText()) {
                    node = node.parts.get(0);
                    node.isCopy = true;
                }
                break;
            default: throw new IOException("bad input tag " + (int) tag);
        }
        return node;
    }

    /** Whether it does nothing but make a string of its own. */
    private boolean isOfText() {
        return member.is(COPYING) && calls.isEmpty() && parts.get(0).tag == 'T' && parts.get(0).number == 0;
    }

    static List<Node> readAll(Wire wire) throws IOException {
        List<Node> all = new ArrayList<>();
        for (int n = wire.in.readInt(); n > 0; n--) all.add(read(wire));
        return all;
    }
}
