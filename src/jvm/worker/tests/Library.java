package com.shadowci.tests;

import java.io.*;
import java.lang.reflect.Field;
import java.math.*;
import java.nio.charset.Charset;
import java.util.*;
import java.util.regex.Pattern;

/** Writes objects of the JDK as inputs: by a constructor or factory, and what they hold. */
final class Library {
    private static final int LARGEST = 100;
    private static final String OBJECT = "Ljava/lang/Object;", STRING = "Ljava/lang/String;";

    private Library() {}

    /** Whether it could be written. */
    static boolean write(Inputs to, Object value, int depth) throws IOException, Inputs.Unwritable {
        String name = value.getClass().getName();
        switch (name) {
            case "java.util.ArrayList": case "java.util.LinkedList": case "java.util.ArrayDeque": case "java.util.Vector":
            case "java.util.HashSet": case "java.util.LinkedHashSet":
                return holding(to, name, "add", "(" + OBJECT + ")Z", elements((Collection<?>) value), 1, depth);
            case "java.util.TreeSet":
                if (((TreeSet<?>) value).comparator() != null) return false;
                return holding(to, name, "add", "(" + OBJECT + ")Z", elements((Collection<?>) value), 1, depth);
            case "java.util.TreeMap":
                if (((TreeMap<?, ?>) value).comparator() != null) return false;
                return holding(to, name, "put", "(" + OBJECT + OBJECT + ")" + OBJECT, entries((Map<?, ?>) value), 2, depth);
            case "java.util.HashMap": case "java.util.LinkedHashMap": case "java.util.Hashtable": case "java.util.Properties":
                return holding(to, name, "put", "(" + OBJECT + OBJECT + ")" + OBJECT, entries((Map<?, ?>) value), 2, depth);
            case "java.util.Arrays$ArrayList":
                return made(to, "java.util.Arrays", "asList", "([" + OBJECT + ")Ljava/util/List;", depth, (Object) ((Collection<?>) value).toArray());
            case "java.util.Collections$EmptyList": return made(to, "java.util.Collections", "emptyList", "()Ljava/util/List;", depth);
            case "java.util.Collections$EmptyMap": return made(to, "java.util.Collections", "emptyMap", "()Ljava/util/Map;", depth);
            case "java.util.Collections$EmptySet": return made(to, "java.util.Collections", "emptySet", "()Ljava/util/Set;", depth);
            case "java.util.ImmutableCollections$List12": case "java.util.ImmutableCollections$ListN":
                return made(to, "java.util.List", "of", "([" + OBJECT + ")Ljava/util/List;", depth, (Object) ((Collection<?>) value).toArray());
            case "java.lang.StringBuilder": case "java.lang.StringBuffer": return made(to, name, "<init>", "(" + STRING + ")V", depth, value.toString());
            case "java.math.BigDecimal": case "java.math.BigInteger": return made(to, name, "<init>", "(" + STRING + ")V", depth, value.toString());
            case "java.util.Date": return made(to, name, "<init>", "(J)V", depth, ((Date) value).getTime());
            case "java.io.File": return made(to, name, "<init>", "(" + STRING + ")V", depth, ((File) value).getPath());
            case "java.util.regex.Pattern":
                return made(to, name, "compile", "(" + STRING + "I)Ljava/util/regex/Pattern;", depth, ((Pattern) value).pattern(), ((Pattern) value).flags());
            case "java.util.Locale": {
                Locale l = (Locale) value;
                return made(to, name, "<init>", "(" + STRING + STRING + STRING + ")V", depth, l.getLanguage(), l.getCountry(), l.getVariant());
            }
            case "sun.util.calendar.ZoneInfo":
                return made(to, "java.util.TimeZone", "getTimeZone", "(" + STRING + ")Ljava/util/TimeZone;", depth, ((TimeZone) value).getID());
            case "java.io.StringReader": {
                Object text = field(value, "str"), next = field(value, "next");
                return text instanceof String && Integer.valueOf(0).equals(next) && made(to, name, "<init>", "(" + STRING + ")V", depth, text);
            }
            case "java.io.ByteArrayInputStream": {
                byte[] bytes = (byte[]) field(value, "buf");
                Object at = field(value, "pos"), end = field(value, "count");
                boolean whole = bytes != null && Integer.valueOf(0).equals(at) && Integer.valueOf(bytes.length).equals(end);
                return whole && made(to, name, "<init>", "([B)V", depth, (Object) bytes);
            }
            case "java.io.StringWriter": case "java.io.ByteArrayOutputStream":
                return value.toString().isEmpty() && made(to, name, "<init>", "()V", depth);
            default:
                if (value instanceof Charset) {
                    return made(to, "java.nio.charset.Charset", "forName", "(" + STRING + ")Ljava/nio/charset/Charset;", depth, ((Charset) value).name());
                }
                return name.equals("java.lang.Object") && made(to, name, "<init>", "()V", depth);
        }
    }

    private static List<Object> elements(Collection<?> all) {
        return new ArrayList<>(all);
    }

    private static List<Object> entries(Map<?, ?> map) {
        List<Object> all = new ArrayList<>();
        map.forEach((k, v) -> { all.add(k); all.add(v); });
        return all;
    }

    private static boolean holding(Inputs to, String type, String add, String descriptor, List<Object> all, int each, int depth)
            throws IOException, Inputs.Unwritable {
        if (all.size() > LARGEST) throw new Inputs.Unwritable("a container of " + all.size() / each + " elements");
        to.member('O', type, "<init>", "()V");
        to.count(0);
        to.count(all.size() / each);
        for (int i = 0; i < all.size(); i += each) {
            to.member((char) 0, type, add, descriptor);
            to.count(each);
            for (int j = 0; j < each; j++) to.write(all.get(i + j), false, depth + 1);
        }
        return true;
    }

    private static boolean made(Inputs to, String type, String name, String descriptor, int depth, Object... args)
            throws IOException, Inputs.Unwritable {
        to.member('O', type, name, descriptor);
        to.count(args.length);
        for (Object arg : args) to.write(arg, arg instanceof Long || arg instanceof Integer, depth + 1);
        to.count(0);
        return true;
    }

    /** A field of a JDK class, where this process may read it. */
    private static Object field(Object of, String name) {
        try {
            Field field = of.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }
}
