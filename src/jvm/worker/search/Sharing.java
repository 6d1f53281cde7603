package com.shadowci.worker;

import java.util.*;
import java.util.function.UnaryOperator;

/** Lets parts of an input be the same object, or objects made alike, and keeps the numbers of such parts right. */
final class Sharing {
    /** A place for an object: what it takes, and how many of the objects are there before it is filled. */
    private record Place(List<Node> in, int at, Kind kind, String type, int before) {}

    /** Places that are looked at: a long array has many. */
    private static final int MOST_PLACES = 400;
    /** Places that are tried, of those there are. */
    private static final int TRIES = 6;

    private final Changes changes;
    private final Generator generator;
    private final Node.Member entry;
    private final int[] kinds;
    private final boolean hasReceiver;
    /** Its own: inputs in which nothing can be shared are the same as without it. */
    private final Random random;
    private final List<Place> places = new ArrayList<>();
    private final List<Node> made = new ArrayList<>();

    Sharing(Changes changes, Generator generator, Node.Member entry, int[] kinds, boolean hasReceiver, long seed) {
        this.changes = changes;
        this.generator = generator;
        this.entry = entry;
        this.kinds = kinds;
        this.hasReceiver = hasReceiver;
        random = new Random(seed);
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    /** Puts an object of the input, or one made alike, in another place too, if any fits there. */
    void share(List<Node> input, Side side) {
        places.clear();
        made.clear();
        String[] types = types(entry, hasReceiver);
        for (int i = 0; i < input.size(); i++) walk(input, i, generator.kinds[kinds[i]], type(types, i));
        List<Place> own = new ArrayList<>(places);
        own.removeIf(place -> place.in != input);
        for (int i = 0; i < TRIES && !places.isEmpty(); i++) {
            // Receiver and arguments first: that is where programs look.
            List<Place> from = i % 2 == 0 && !own.isEmpty() ? own : places;
            Place place = from.get(random.nextInt(from.size()));
            Node there = place.in.get(place.at);
            List<Node> fitting = new ArrayList<>();
            boolean takesTexts = oneIn(4);
            for (Node each : made.subList(0, place.before)) {
                // Equal texts and boxes are rarely told apart.
                boolean isObject = each.tag != 'T' && each.tag != 'X';
                boolean isThere = each.number > 0 && there.tag == 'R' && there.number == each.number;
                if ((isObject || takesTexts) && !isThere && fits(each, place, side)) fitting.add(each);
            }
            if (fitting.isEmpty()) continue;
            List<Node> given = new ArrayList<>(fitting);
            given.retainAll(input);
            List<Node> of = from == own && !given.isEmpty() ? given : fitting;
            Node object = of.get(random.nextInt(of.size()));
            // Of those, being the same is asked for more often than being alike.
            if (oneIn(from == own ? 3 : 2)) {
                place.in.set(place.at, twin(object));
                return;
            }
            if (object.number == 0) object.number = next(input);
            Node same = new Node('R', null);
            same.number = object.number;
            same.kind = place.kind;
            place.in.set(place.at, same);
            return;
        }
    }

    /** Another object that is made alike, now and then but for a part: it may be equal, and not the same. */
    private Node twin(Node object) {
        Node twin = object.copy();
        twin.number = 0;
        return oneIn(2) ? twin : changes.changed(List.of(twin), List.of(object)).get(0);
    }

    private static int next(List<Node> input) {
        int most = 0;
        List<Node> all = new ArrayList<>();
        for (Node node : input) node.collect(all);
        for (Node node : all) most = Math.max(most, node.number);
        return most + 1;
    }

    /** Notes places and objects in the order in which they are filled and made. */
    private void walk(List<Node> in, int at, Kind kind, String type) {
        if (places.size() >= MOST_PLACES) return;
        Node node = in.get(at);
        if (kind != null && kind.tag != 'P') places.add(new Place(in, at, kind, type, made.size()));
        if (node.tag == 'A' || node.tag == 'L') {
            Kind of = node.kind != null && node.kind.tag == node.tag && node.kind.of >= 0 ? generator.kinds[node.kind.of] : null;
            for (int i = 0; i < node.parts.size(); i++) if (!node.parts.get(i).isAnswer()) walk(node.parts, i, of, "");
        } else if (node.tag == 'O' || node.tag == 'M') {
            arguments(node.parts, node.maker, node.tag == 'M');
        }
        if ("OMATXLi".indexOf(node.tag) >= 0) made.add(node);
        if (node.tag == 'i') return;
        for (Node.Call call : node.calls) arguments(call.args, call.maker, false);
    }

    private void arguments(List<Node> args, Kind.Maker maker, boolean hasReceiver) {
        String[] types = maker == null ? new String[0] : types(maker.member, hasReceiver);
        for (int i = 0; i < args.size(); i++) {
            int of = maker == null ? -1 : i == 0 && hasReceiver ? maker.receiver : number(maker.args, hasReceiver ? i - 1 : i);
            walk(args, i, of < 0 ? null : generator.kinds[of], type(types, i));
        }
    }

    private static int number(int[] all, int at) {
        return at < all.length ? all[at] : -1;
    }

    private static String type(String[] types, int at) {
        return at < types.length ? types[at] : "";
    }

    /** The types of receiver and arguments, as class names; empty of those that are no classes. */
    private static String[] types(Node.Member member, boolean hasReceiver) {
        List<String> all = new ArrayList<>();
        if (hasReceiver) all.add(member.type);
        String d = member.descriptor;
        if (member.isField()) return new String[] {name(d)};
        for (int i = 1; i < d.indexOf(')');) {
            int end = i;
            while (d.charAt(end) == '[') end++;
            end = d.charAt(end) == 'L' ? d.indexOf(';', end) + 1 : end + 1;
            all.add(name(d.substring(i, end)));
            i = end;
        }
        return all.toArray(new String[0]);
    }

    private static String name(String descriptor) {
        return descriptor.startsWith("L") ? descriptor.substring(1, descriptor.length() - 1).replace('/', '.') : "";
    }

    /** Whether an object may be in a place: the kinds say so, or classes of the program that have no type parameters do. */
    private boolean fits(Node object, Place place, Side side) {
        if (isAny(place.kind) || object.kind != null && gives(place.kind, object.kind)) return true;
        if (object.member == null || object.tag == 'L' || place.type.isEmpty()) return false;
        String made = object.member.name.equals("<init>") ? object.member.type
                : name(object.member.descriptor.substring(object.member.descriptor.indexOf(')') + 1));
        if (made.isEmpty()) return false;
        try {
            Class<?> type = Class.forName(made, false, side.loader()), wanted = Class.forName(place.type, false, side.loader());
            boolean isOfProgram = wanted.getClassLoader() == side.loader();
            return isOfProgram && wanted.isAssignableFrom(type) && wanted.getTypeParameters().length + type.getTypeParameters().length == 0;
        } catch (ReflectiveOperationException | LinkageError e) {
            return false;
        }
    }

    /** Whether a kind has any object whatever. */
    private boolean isAny(Kind kind) {
        if (kind.tag != 'U') return false;
        for (int other : kind.others) {
            Kind of = generator.kinds[other];
            if (of.tag == 'O' && of.makers.size() == 1 && of.makers.get(0).member.type.equals("java.lang.Object")) return true;
        }
        return false;
    }

    /** Whether values of a kind are among those of another. */
    private boolean gives(Kind kind, Kind other) {
        if (kind == other) return true;
        if (kind.tag == 'U') {
            for (int each : kind.others) if (generator.kinds[each].tag != 'U' && gives(generator.kinds[each], other)) return true;
        }
        if (kind.tag != other.tag) return false;
        switch (kind.tag) {
            case 'T': return true;
            case 'X': return kind.primitive == other.primitive;
            case 'A': return kind.element.equals(other.element) && gives(generator.kinds[kind.of], generator.kinds[other.of]);
            case 'i': return kind.element.equals(other.element);
            case 'L': return kind.method.is(other.method) && kind.of == other.of;
            case 'U': return Arrays.equals(kind.others, other.others);
            case 'O': return alike(kind.makers, other.makers) && alike(kind.calls, other.calls);
            default: return false;
        }
    }

    private static boolean alike(List<Kind.Maker> some, List<Kind.Maker> others) {
        if (some.size() != others.size()) return false;
        for (int i = 0; i < some.size(); i++) {
            if (!some.get(i).member.is(others.get(i).member) || !Arrays.equals(some.get(i).args, others.get(i).args)) return false;
        }
        return true;
    }

    /** Makes a changed input right again: a part whose object is gone becomes another of its kind. */
    List<Node> settle(List<Node> input) {
        return settled(input, node -> node.kind == null ? Node.nothing(null) : generator.make(node.kind, 2));
    }

    /** Numbers shared objects from 1, each once; what refers to one that is not made before becomes another part. */
    static List<Node> settled(List<Node> input, UnaryOperator<Node> other) {
        List<Node> all = new ArrayList<>();
        for (Node node : input) node.collect(all);
        boolean any = false;
        for (Node node : all) any |= node.number > 0;
        if (!any) return input;
        Set<Integer> known = new HashSet<>();
        for (int i = 0; i < input.size(); i++) resolve(input, i, known, other);
        all.clear();
        for (Node node : input) node.collect(all);
        Set<Integer> used = new HashSet<>();
        for (Node node : all) if (node.tag == 'R') used.add(node.number);
        Map<Integer, Integer> names = new HashMap<>();
        for (Node node : all) {
            if (node.number == 0 || node.tag == 'R') continue;
            int before = node.number;
            node.number = used.contains(before) ? names.size() + 1 : 0;
            if (node.number > 0) names.put(before, node.number);
        }
        for (Node node : all) if (node.tag == 'R') node.number = names.get(node.number);
        return input;
    }

    private static void resolve(List<Node> in, int at, Set<Integer> known, UnaryOperator<Node> other) {
        Node node = in.get(at);
        if (node.tag == 'R') {
            if (!known.contains(node.number)) in.set(at, other.apply(node));
            return;
        }
        for (int i = 0; i < node.parts.size(); i++) resolve(node.parts, i, known, other);
        // A copy of an object is another one.
        if (node.number > 0 && !known.add(node.number)) node.number = 0;
        for (Node.Call call : node.calls) for (int i = 0; i < call.args.size(); i++) resolve(call.args, i, known, other);
    }

    /** The input with a copy of the object in the place of a part that is the same. */
    static List<Node> apart(List<Node> input, int at) {
        List<Node> copy = Node.copies(input), all = new ArrayList<>();
        for (Node node : copy) node.collect(all);
        Node same = all.get(at);
        for (Node node : all) {
            if (node.tag == 'R' || node.number != same.number) continue;
            Node other = node.copy();
            other.number = 0;
            Generator.replace(copy, same, other);
            break;
        }
        return copy;
    }

    /** Whether a part can't stand in another input. */
    static boolean isIn(Node node) {
        List<Node> all = new ArrayList<>();
        node.collect(all);
        return all.stream().anyMatch(part -> part.number > 0);
    }
}
