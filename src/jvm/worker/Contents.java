package com.shadowci.worker;

import java.io.ByteArrayOutputStream;
import java.io.CharArrayWriter;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.util.*;

/**
 * What a caller sees of objects of the JDK that nothing models: values by their texts, collections by their elements. Nothing here
 * changes the object or runs code of the program but that of its collections' iterators.
 */
final class Contents {
    /** Larger collections are not looked into. */
    private static final int LARGEST = 10_000;
    /** Packages whose objects are values with a text that tells all. */
    private static final String[] VALUES = {"java.math.", "java.time.", "java.util.Optional"};

    /** Other such classes. */
    private static final Set<String> TEXTS = Set.of("java.awt.Color", "java.awt.Dimension", "java.awt.Insets", "java.awt.Point", "java.awt.Rectangle",
        "java.awt.geom.AffineTransform", "java.awt.geom.Point2D$Double", "java.awt.geom.Point2D$Float", "java.awt.geom.Rectangle2D$Double",
        "java.awt.geom.Rectangle2D$Float");

    private Contents() {}

    /** Null where nothing but the class is seen. */
    static Object[] of(Object value) {
        Class<?> type = value.getClass();
        try {
            String text = text(value, type.getName());
            if (text == null) text = Wrapped.text(value);
            if (text != null) return new Object[] {text};
            Object[] elements = elements(value, type.getName());
            return elements != null ? elements : Behind.of(value);
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** The elements of a library's collection or map; null of other objects, or where nobody may look. */
    static Object[] ofLibrary(Object value) {
        if (!Getters.asked || !Wrapped.shown) return null;
        return held(value);
    }

    /** The elements of a collection, or keys and values of a map, as it tells them itself; null of other objects, and where there are too many. */
    static Object[] held(Object value) {
        try {
            if (value instanceof Collection<?> all && all.size() <= LARGEST) return all.toArray();
            if (!(value instanceof Map<?, ?> map) || map.size() > LARGEST) return null;
            List<Object> all = new ArrayList<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                all.add(entry.getKey());
                all.add(entry.getValue());
            }
            return all.toArray();
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static String text(Object value, String name) {
        for (String start : VALUES) if (name.startsWith(start)) return value.toString();
        if (TEXTS.contains(name)) return value.toString();
        switch (name) {
            case "java.util.Locale": case "java.util.UUID": case "java.util.BitSet": case "java.util.StringJoiner": case "java.util.Currency":
            case "java.net.URI": case "java.net.URL": case "java.net.Inet4Address": case "java.net.Inet6Address": case "java.net.InetSocketAddress":
            case "java.net.HttpCookie": case "java.util.Formatter": case "java.util.zip.ZipEntry": case "java.util.jar.JarEntry":
            case "java.util.regex.Pattern": case "java.text.ParsePosition": case "java.text.FieldPosition":
                return value.toString();
            case "java.io.ByteArrayOutputStream": return ((ByteArrayOutputStream) value).toString(StandardCharsets.ISO_8859_1);
            case "java.lang.Thread": return thread((Thread) value);
            case "java.io.CharArrayWriter": return ((CharArrayWriter) value).toString();
            case "java.util.concurrent.atomic.AtomicIntegerArray": case "java.util.concurrent.atomic.AtomicLongArray":
            case "java.util.regex.Matcher": case "java.lang.StackTraceElement":
                return value.toString();
            case "java.util.concurrent.CountDownLatch": return String.valueOf(((java.util.concurrent.CountDownLatch) value).getCount());
            case "java.util.concurrent.Semaphore": return String.valueOf(((java.util.concurrent.Semaphore) value).availablePermits());
            case "java.text.SimpleDateFormat": return ((SimpleDateFormat) value).toPattern();
            case "java.text.DecimalFormat": return ((DecimalFormat) value).toPattern();
            case "java.text.MessageFormat": return ((java.text.MessageFormat) value).toPattern();
            default:
        }
        if (value instanceof Date d) return String.valueOf(d.getTime());
        if (value instanceof TimeZone z) return z.getID();
        if (value instanceof Calendar c) {
            // Asked for its time, a calendar computes its fields anew.
            Calendar copy = (Calendar) c.clone();
            return copy.getTimeInMillis() + " " + copy.getTimeZone().getID();
        }
        if (value instanceof Charset c) return c.name();
        if (value instanceof java.net.URLConnection c) return settings(c);
        if (value instanceof java.util.zip.Checksum c) return String.valueOf(c.getValue());
        if (value instanceof java.lang.reflect.Type t) return t.getTypeName();
        return null;
    }

    /** What is usual is not told. */
    private static String thread(Thread thread) {
        String priority = thread.getPriority() == Thread.NORM_PRIORITY ? "" : " (priority " + thread.getPriority() + ")";
        return thread.getName() + (thread.isDaemon() ? " (daemon)" : "") + priority;
    }

    /** How a connection is set up: nothing of it connects. */
    private static String settings(java.net.URLConnection c) {
        StringBuilder out = new StringBuilder();
        if (c instanceof java.net.HttpURLConnection http) {
            out.append(http.getRequestMethod()).append(' ').append(c.getURL());
            out.append(", follows redirects: ").append(http.getInstanceFollowRedirects());
        } else {
            out.append(c.getURL());
        }
        out.append(", reads: ").append(c.getDoInput()).append(", writes: ").append(c.getDoOutput());
        out.append(", caches: ").append(c.getUseCaches()).append(", time-outs: ").append(c.getConnectTimeout()).append(' ').append(c.getReadTimeout());
        try {
            out.append(", ").append(new TreeMap<>(c.getRequestProperties()));
        } catch (IllegalStateException e) {
            // One that is connected no longer tells.
        }
        return out.toString();
    }

    private static Object[] elements(Object value, String name) {
        if (name.equals("java.awt.image.BufferedImage")) return Picture.of(value);
        if (name.startsWith("com.sun.org.apache.xerces.internal.dom.")) return Markup.of(value);
        if (name.startsWith("java.nio.") && value instanceof Buffer buffer) return buffer(buffer);
        if (!name.startsWith("java.util.")) return null;
        if (isSalted(name)) return sorted(value);
        if (value instanceof java.util.concurrent.atomic.LongAdder || value instanceof java.util.concurrent.atomic.LongAccumulator) {
            return new Object[] {((Number) value).longValue()};
        }
        if (value instanceof java.util.concurrent.atomic.DoubleAdder || value instanceof java.util.concurrent.atomic.DoubleAccumulator) {
            return new Object[] {((Number) value).doubleValue()};
        }
        if (value instanceof java.util.concurrent.CompletableFuture<?> future) return result(future);
        if (name.contains("Identity")) return null;
        if (value instanceof Collection<?> all) return all.size() > LARGEST ? null : all.toArray();
        if (value instanceof Map.Entry<?, ?> entry) return new Object[] {entry.getKey(), entry.getValue()};
        if (value instanceof Map<?, ?> map && map.size() <= LARGEST && isNamedMap(name)) {
            List<Object> all = new ArrayList<>();
            map.forEach((k, v) -> { all.add(k); all.add(v); });
            return all.toArray();
        }
        return null;
    }

    /** Whether containers of a class of the JDK have another order in each process. */
    static boolean isSalted(String name) {
        return name.startsWith("java.util.ImmutableCollections$Set") || name.startsWith("java.util.ImmutableCollections$Map");
    }

    /** By their texts, if all have one: their own order is another one in each process. */
    private static Object[] sorted(Object value) {
        Collection<?> keys = value instanceof Map<?, ?> map ? map.keySet() : (Collection<?>) value;
        for (Object key : keys) if (!(key instanceof String || key instanceof Number || key instanceof Enum || key instanceof Character || key instanceof Boolean)) return null;
        Object[] all = keys.toArray();
        Arrays.sort(all, Comparator.comparing(String::valueOf));
        if (!(value instanceof Map<?, ?> map)) return all;
        return Arrays.stream(all).flatMap(key -> Arrays.stream(new Object[] {key, map.get(key)})).toArray();
    }

    /** Of one that is done, the value, or what it failed with. */
    private static Object[] result(java.util.concurrent.CompletableFuture<?> future) {
        if (!future.isDone()) return null;
        try {
            return new Object[] {future.join()};
        } catch (RuntimeException e) {
            return new Object[] {"throws " + (e.getCause() == null ? e : e.getCause()).getClass().getName()};
        }
    }

    /** Position, limit, and what lies before that: what was put is behind the position. */
    private static Object[] buffer(Buffer buffer) {
        List<Object> all = new ArrayList<>(List.of(buffer.position(), buffer.limit()));
        if (buffer.limit() > LARGEST) return all.toArray();
        if (buffer instanceof CharBuffer chars) all.add(chars.duplicate().position(0).toString());
        if (buffer instanceof ByteBuffer bytes) {
            byte[] copy = new byte[bytes.limit()];
            bytes.duplicate().position(0).get(copy);
            all.add(copy);
        }
        return all.toArray();
    }

    /** Apart, as a JVM without the module java.desktop has no such class. */
    private static final class Picture {
        /** Width, height, and the pixels of one that is not too large. */
        static Object[] of(Object value) {
            var image = (java.awt.image.BufferedImage) value;
            int width = image.getWidth(), height = image.getHeight();
            if ((long) width * height > LARGEST) return new Object[] {width, height};
            return new Object[] {width, height, image.getRGB(0, 0, width, height, null, 0, width)};
        }
    }

    /** Apart, as a JVM without the module java.xml has no such class. */
    private static final class Markup {
        /** A node of a document as text: names, values, attributes, and the nodes in it. */
        static Object[] of(Object value) {
            if (!(value instanceof org.w3c.dom.Node node)) return null;
            StringBuilder text = new StringBuilder();
            write(node, text);
            return new Object[] {text.toString()};
        }

        private static void write(org.w3c.dom.Node node, StringBuilder text) {
            if (text.length() > LARGEST) return;
            text.append(node.getNodeName());
            if (node.getNodeValue() != null) text.append('=').append(node.getNodeValue());
            org.w3c.dom.NamedNodeMap attributes = node.getAttributes();
            for (int i = 0; attributes != null && i < attributes.getLength(); i++) {
                text.append(' ');
                write(attributes.item(i), text);
            }
            if (node.getNodeType() == org.w3c.dom.Node.ATTRIBUTE_NODE) return;
            for (org.w3c.dom.Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
                text.append('(');
                write(child, text);
                text.append(')');
            }
        }
    }

    /** Whether its name says that it is a map: reports know it by that. */
    private static boolean isNamedMap(String name) {
        return name.endsWith("Map") || name.equals("java.util.Hashtable") || name.equals("java.util.Properties");
    }
}
