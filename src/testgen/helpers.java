    private interface Call {
        Object run() throws Throwable;
    }

    /**
     * Runs the call and returns what it did: the value, or the exception (with its message, if the program made that), then what it printed.
     * Where it matters which objects are the same, those given follow as they are then.
     */
    private static String outcome(Call call, boolean withMessage, Object... given) throws Throwable {
        java.io.PrintStream out = System.out, err = System.err;
        java.io.ByteArrayOutputStream printed = new java.io.ByteArrayOutputStream();
        java.io.PrintStream capture = new java.io.PrintStream(printed, true, "UTF-8");
        System.setOut(capture);
        System.setErr(capture);
        java.util.Map<Object, Integer> met = new java.util.IdentityHashMap<>();
        asked = 0;
        String end;
        try {
            end = "returned " + text(call.run(), met);
        } catch (Throwable e) {
            Throwable thrown = e instanceof java.lang.reflect.InvocationTargetException ? e.getCause() : e;
            end = "threw " + thrown.getClass().getName() + (withMessage ? ": " + thrown.getMessage() : "");
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        for (Object object : given) end += ", then " + text(object, met);
        // Of stack traces only the exceptions count.
        String text = printed.toString("UTF-8").replaceAll("(?m)^\\t+(?:at |\\.\\.\\. \\d+ (?:more|common frames omitted)).*(?:\\R|$)", "");
        return text.isEmpty() ? end : end + ", printed " + text;
    }

    /** Asserts that both texts are the same but for what the expected one leaves open. */
    private static void assertAlike(String expected, String actual) {
        StringBuilder pattern = new StringBuilder("(?s)");
        for (String part : expected.split(java.util.regex.Pattern.quote("<another each time>"), -1)) {
            pattern.append(pattern.length() > 4 ? ".*?" : "").append(java.util.regex.Pattern.quote(part));
        }
        assertEquals(expected, actual.matches(pattern.toString()) ? expected : actual);
    }

    private static Object call(Class<?> owner, String name, Class<?>[] types, Object receiver, Object... args) throws Throwable {
        if (name.equals("<init>")) {
            java.lang.reflect.Constructor<?> constructor = owner.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(args);
        }
        java.lang.reflect.Method method = null;
        // The other version may inherit it.
        for (Class<?> c = owner; c != null && method == null; c = c.getSuperclass()) {
            for (java.lang.reflect.Method m : c.getDeclaredMethods()) {
                boolean isThat = m.getName().equals(name) && java.util.Arrays.equals(m.getParameterTypes(), types) && !m.isBridge();
                if (isThat && method == null) method = m;
            }
        }
        if (method == null) method = owner.getMethod(name, types);
        method.setAccessible(true);
        return method.invoke(receiver, args);
    }

    private static void set(Class<?> owner, String name, Object on, Object value) throws Throwable {
        java.lang.reflect.Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        field.set(on, value);
    }

    /** Whether the value is null or a box. */
    private static boolean isSimple(Object value) {
        return value == null || value instanceof Boolean || value instanceof Character
            || value instanceof Number && value.getClass().getName().startsWith("java.lang.");
    }

    private static final java.util.List<String> TEXTS = java.util.Arrays.asList("java.awt.Color", "java.awt.Dimension", "java.awt.Insets",
        "java.awt.Point", "java.awt.Rectangle", "java.awt.geom.AffineTransform", "java.awt.geom.Point2D$Double", "java.awt.geom.Point2D$Float",
        "java.awt.geom.Rectangle2D$Double", "java.awt.geom.Rectangle2D$Float");

    /** A value of the platform's as text: containers by what they contain. */
    private static String platformText(Object value, java.util.Map<Object, Integer> met) throws IllegalAccessException {
        String name = value.getClass().getName();
        if (value instanceof CharSequence) return text(value.toString(), met);
        boolean isAtomic = name.contains(".atomic.") && (value instanceof Number || value instanceof java.util.concurrent.atomic.AtomicBoolean);
        if (isAtomic) return String.valueOf(value);
        if (value instanceof java.util.concurrent.atomic.AtomicReference) {
            return text(((java.util.concurrent.atomic.AtomicReference<?>) value).get(), met);
        }
        if (value instanceof java.util.concurrent.atomic.AtomicIntegerArray || value instanceof java.util.concurrent.atomic.AtomicLongArray
            || value instanceof StackTraceElement) return text(value.toString(), met);
        if (name.equals("java.lang.Thread")) return text(threadText((Thread) value), met);
        if (value instanceof java.io.File || value instanceof java.nio.file.Path) return text(value.toString(), met);
        if (value instanceof java.io.StringWriter) return "[" + text(((java.io.StringWriter) value).getBuffer(), met) + "]";
        if (value instanceof java.util.Optional) {
            return "[" + (((java.util.Optional<?>) value).isPresent() ? text(((java.util.Optional<?>) value).get(), met) : "") + "]";
        }
        if (value instanceof java.lang.reflect.Member) return memberText((java.lang.reflect.Member) value);
        String shown = shownText(value, name);
        if (shown != null) return "[" + text(shown, met) + "]";
        if (value instanceof java.nio.Buffer) return elements(parts((java.nio.Buffer) value), met);
        if (name.equals("java.awt.image.BufferedImage")) return elements(pixels((java.awt.image.BufferedImage) value), met);
        if (value instanceof java.util.Map.Entry) {
            java.util.Map.Entry<?, ?> entry = (java.util.Map.Entry<?, ?>) value;
            return elements(new Object[] {entry.getKey(), entry.getValue()}, met);
        }
        if (name.startsWith("com.sun.org.apache.xerces.internal.dom.") && value instanceof org.w3c.dom.Node) {
            StringBuilder markup = new StringBuilder();
            markup((org.w3c.dom.Node) value, markup);
            return "[" + text(markup.toString(), met) + "]";
        }
        Object[] rest = rest(value, name);
        if (rest != null) return elements(rest, met);
        if (value instanceof java.util.Collection) return elements(sorted((java.util.Collection<?>) value, name), met);
        if (!(value instanceof java.util.Map)) return name;
        StringBuilder text = new StringBuilder("{");
        java.util.Map<?, ?> map = (java.util.Map<?, ?>) value;
        for (Object key : sorted(map.keySet(), name)) {
            java.util.Map.Entry<Object, Object> entry = new java.util.AbstractMap.SimpleEntry<>(key, map.get(key));
            text.append(text.length() > 1 ? ", " : "").append(text(entry.getKey(), met)).append("=").append(text(entry.getValue(), met));
        }
        return text + "}";
    }

    /** A node of a document as text: names, values, attributes, and the nodes in it. */
    private static void markup(org.w3c.dom.Node node, StringBuilder text) {
        if (text.length() > 10_000) return;
        text.append(node.getNodeName());
        if (node.getNodeValue() != null) text.append('=').append(node.getNodeValue());
        org.w3c.dom.NamedNodeMap attributes = node.getAttributes();
        for (int i = 0; attributes != null && i < attributes.getLength(); i++) {
            text.append(' ');
            markup(attributes.item(i), text);
        }
        if (node.getNodeType() == org.w3c.dom.Node.ATTRIBUTE_NODE) return;
        for (org.w3c.dom.Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
            text.append('(');
            markup(child, text);
            text.append(')');
        }
    }

    /** Elements in their order, but those of an immutable set or map, whose order is another one in each process. */
    private static Object[] sorted(java.util.Collection<?> all, String name) {
        Object[] array = all.toArray();
        if (name.contains("ImmutableCollections$Set") || name.contains("ImmutableCollections$Map")) {
            java.util.Arrays.sort(array, java.util.Comparator.comparing(String::valueOf));
        }
        return array;
    }

    /** What is left of an iterator, a stream or what can be read, or what a future has come to; null of other objects. */
    private static Object[] rest(Object value, String name) {
        java.util.Iterator<?> rest = null;
        if (value instanceof java.util.stream.BaseStream) rest = ((java.util.stream.BaseStream<?, ?>) value).iterator();
        if (value instanceof java.util.Iterator) rest = (java.util.Iterator<?>) value;
        if (value instanceof java.util.Spliterator) rest = java.util.Spliterators.iterator((java.util.Spliterator<?>) value);
        java.util.List<Object> all = new java.util.ArrayList<>();
        try {
            if (value instanceof java.util.Enumeration && rest == null) {
                rest = java.util.Collections.list((java.util.Enumeration<?>) value).iterator();
            }
            while (rest != null && all.size() < 100 && rest.hasNext()) all.add(rest.next());
            if (rest != null) return all.toArray();
            if (value instanceof java.util.Random) return new Object[] {((java.util.Random) value).nextLong()};
            if (value instanceof java.util.concurrent.CompletableFuture && ((java.util.concurrent.CompletableFuture<?>) value).isDone()) {
                return new Object[] {((java.util.concurrent.CompletableFuture<?>) value).join()};
            }
            StringBuilder text = new StringBuilder();
            boolean isRead = value instanceof java.io.InputStream || value instanceof java.io.Reader;
            if (value instanceof java.io.InputStream) {
                java.io.InputStream in = (java.io.InputStream) value;
                for (int b; text.length() < 10_000 && (b = in.read()) >= 0;) text.append((char) b);
            }
            if (value instanceof java.io.Reader) {
                java.io.Reader in = (java.io.Reader) value;
                for (int c; text.length() < 10_000 && (c = in.read()) >= 0;) text.append((char) c);
            }
            return isRead ? new Object[] {text.toString()} : null;
        } catch (RuntimeException | java.io.IOException e) {
            Throwable cause = e instanceof java.util.concurrent.CompletionException && e.getCause() != null ? e.getCause() : e;
            all.add("throws " + cause.getClass().getName());
            return all.toArray();
        }
    }

    /** Position, limit, and what lies before that. */
    private static Object[] parts(java.nio.Buffer buffer) {
        Object whole = null;
        if (buffer instanceof java.nio.CharBuffer) {
            java.nio.CharBuffer copy = ((java.nio.CharBuffer) buffer).duplicate();
            ((java.nio.Buffer) copy).position(0);
            whole = copy.toString();
        }
        if (buffer instanceof java.nio.ByteBuffer) {
            byte[] bytes = new byte[buffer.limit()];
            java.nio.ByteBuffer copy = ((java.nio.ByteBuffer) buffer).duplicate();
            ((java.nio.Buffer) copy).position(0);
            copy.get(bytes);
            whole = bytes;
        }
        Object[] ends = {buffer.position(), buffer.limit()};
        return whole == null || buffer.limit() > 10_000 ? ends : new Object[] {ends[0], ends[1], whole};
    }

    /** Width, height, and the colours of an image that is not too large. */
    private static Object[] pixels(java.awt.image.BufferedImage image) {
        int width = image.getWidth(), height = image.getHeight();
        if ((long) width * height > 10_000) return new Object[] {width, height};
        return new Object[] {width, height, image.getRGB(0, 0, width, height, null, 0, width)};
    }

    /** A thread's name, and what is unusual of it. */
    private static String threadText(Thread thread) {
        String priority = thread.getPriority() == Thread.NORM_PRIORITY ? "" : " (priority " + thread.getPriority() + ")";
        return thread.getName() + (thread.isDaemon() ? " (daemon)" : "") + priority;
    }

    /** How a connection is set up: nothing of it connects. */
    private static String settings(java.net.URLConnection c) {
        StringBuilder out = new StringBuilder();
        if (c instanceof java.net.HttpURLConnection) {
            java.net.HttpURLConnection http = (java.net.HttpURLConnection) c;
            out.append(http.getRequestMethod()).append(' ').append(c.getURL());
            out.append(", follows redirects: ").append(http.getInstanceFollowRedirects());
        } else {
            out.append(c.getURL());
        }
        out.append(", reads: ").append(c.getDoInput()).append(", writes: ").append(c.getDoOutput());
        out.append(", caches: ").append(c.getUseCaches()).append(", time-outs: ").append(c.getConnectTimeout()).append(' ').append(c.getReadTimeout());
        try {
            out.append(", ").append(new java.util.TreeMap<>(c.getRequestProperties()));
        } catch (IllegalStateException e) {
            // One that is connected no longer tells.
        }
        return out.toString();
    }

    /** What a value of the platform's holds; null where it has no text that tells. */
    private static String shownText(Object value, String name) {
        if (value instanceof java.util.Date) return String.valueOf(((java.util.Date) value).getTime());
        if (value instanceof java.util.TimeZone) return ((java.util.TimeZone) value).getID();
        if (value instanceof java.util.Calendar) {
            return ((java.util.Calendar) value).getTimeInMillis() + " " + ((java.util.Calendar) value).getTimeZone().getID();
        }
        if (value instanceof java.nio.charset.Charset) return ((java.nio.charset.Charset) value).name();
        if (value instanceof java.net.URLConnection) return settings((java.net.URLConnection) value);
        if (value instanceof java.text.SimpleDateFormat) return ((java.text.SimpleDateFormat) value).toPattern();
        if (value instanceof java.text.MessageFormat) return ((java.text.MessageFormat) value).toPattern();
        if (value instanceof java.text.DecimalFormat) return ((java.text.DecimalFormat) value).toPattern();
        if (value instanceof java.util.zip.Checksum) return String.valueOf(((java.util.zip.Checksum) value).getValue());
        if (value instanceof java.util.concurrent.CountDownLatch) return String.valueOf(((java.util.concurrent.CountDownLatch) value).getCount());
        if (value instanceof java.util.concurrent.Semaphore) return String.valueOf(((java.util.concurrent.Semaphore) value).availablePermits());
        if (value instanceof java.util.regex.Matcher) return value.toString();
        if (value instanceof java.io.ByteArrayOutputStream) {
            try {
                return ((java.io.ByteArrayOutputStream) value).toString("ISO-8859-1");
            } catch (java.io.UnsupportedEncodingException e) {
                return null;
            }
        }
        boolean isValue = value instanceof java.util.Locale || value instanceof java.util.UUID || value instanceof java.util.BitSet
            || value instanceof java.util.StringJoiner || value instanceof java.util.Currency || value instanceof java.net.URI
            || value instanceof java.net.URL || value instanceof java.net.InetAddress || value instanceof java.net.InetSocketAddress
            || value instanceof java.net.HttpCookie || value instanceof java.util.Formatter || value instanceof java.util.zip.ZipEntry
            || value instanceof java.util.regex.Pattern || value instanceof java.text.ParsePosition
            || value instanceof java.text.FieldPosition || value instanceof java.io.CharArrayWriter
            || value instanceof java.lang.reflect.Type || name.startsWith("java.math.") || name.startsWith("java.time.")
            || name.startsWith("java.util.Optional") || TEXTS.contains(name);
        return isValue ? value.toString() : null;
    }

    /** A member by its class, name, type and parameters. */
    private static String memberText(java.lang.reflect.Member member) {
        StringBuilder text = new StringBuilder(member.getDeclaringClass().getName());
        if (!(member instanceof java.lang.reflect.Constructor)) text.append(" \"").append(member.getName()).append('"');
        if (member instanceof java.lang.reflect.Field) text.append(" ").append(((java.lang.reflect.Field) member).getType().getName());
        if (member instanceof java.lang.reflect.Method) text.append(" ").append(((java.lang.reflect.Method) member).getReturnType().getName());
        if (member instanceof java.lang.reflect.Executable) {
            for (Class<?> type : ((java.lang.reflect.Executable) member).getParameterTypes()) text.append(" ").append(type.getName());
        }
        return text.toString();
    }

    private static String elements(Object array, java.util.Map<Object, Integer> met) throws IllegalAccessException {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < java.lang.reflect.Array.getLength(array); i++) {
            text.append(i > 0 ? ", " : "").append(text(java.lang.reflect.Array.get(array, i), met));
        }
        return text + "]";
    }

    private static int asked, depth;

    /** What is tested lies in folders, libraries lie in archives. */
    private static boolean isOfLibrary(Class<?> type) {
        java.security.CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null || source.getLocation() == null || !source.getLocation().getPath().endsWith("/");
    }

    /** A library's object by its elements, or by what its methods tell that only read. */
    private static String libraryText(Object value, java.util.Map<Object, Integer> met) throws IllegalAccessException {
        String name = value.getClass().getName();
        if (value instanceof java.util.Collection) return elements(((java.util.Collection<?>) value).toArray(), met);
        if (value instanceof java.util.Map) {
            StringBuilder text = new StringBuilder();
            String between = name.endsWith("Map") ? "=" : ", ";
            for (java.util.Map.Entry<?, ?> entry : ((java.util.Map<?, ?>) value).entrySet()) {
                text.append(text.length() > 0 ? ", " : "").append(text(entry.getKey(), met)).append(between).append(text(entry.getValue(), met));
            }
            return name.endsWith("Map") ? "{" + text + "}" : "[" + text + "]";
        }
        if (depth > 2 || asked >= 40) return name;
        asked++;
        java.util.Map<String, java.lang.reflect.Method> getters = getters(value.getClass());
        if (getters.isEmpty()) return name;
        StringBuilder text = new StringBuilder(name).append("{");
        depth++;
        for (java.lang.reflect.Method getter : getters.values()) {
            Object told;
            try {
                getter.setAccessible(true);
                told = getter.invoke(value);
            } catch (java.lang.reflect.InvocationTargetException e) {
                told = "throws " + e.getCause().getClass().getName();
            } catch (IllegalAccessException | RuntimeException e) {
                continue;
            }
            if (told instanceof String && ((String) told).length() > 10_000) continue;
            if (told instanceof String && getter.getName().equals("toString") && ((String) told).matches("(?s).*@[0-9a-fA-F].*")) continue;
            text.append(getter.getName()).append("()=").append(text(told, met)).append(";");
        }
        depth--;
        return text + "}";
    }

    private static final java.util.List<String> READING = java.util.Arrays.asList("size", "length", "name", "value", "key", "count", "text", "toString");
    private static final String OTHERS = "(getClass|getAnd|getNext|getOr|getConnection|getSession|getInstance|getLock|getThread|getContext|getDeclaring"
        + "|hasNext|hasMore|getCurrent|getUptime|getStack).*";
    private static final Class<?>[] SHOWN = {String.class, Number.class, Boolean.class, Character.class, Enum.class, java.util.Collection.class,
        java.util.Map.class, CharSequence.class, java.util.Optional.class, java.util.Date.class, java.util.Locale.class, java.net.URI.class,
        java.time.temporal.TemporalAccessor.class, java.time.temporal.TemporalAmount.class};

    private static java.util.Map<String, java.lang.reflect.Method> getters(Class<?> type) {
        if (AutoCloseable.class.isAssignableFrom(type)) return new java.util.TreeMap<>();
        java.util.Set<String> parts = new java.util.HashSet<>();
        boolean isRecord = type.getSuperclass() != null && type.getSuperclass().getName().equals("java.lang.Record");
        if (isRecord) for (java.lang.reflect.Field part : type.getDeclaredFields()) parts.add(part.getName());
        java.util.Map<String, java.lang.reflect.Method> all = new java.util.TreeMap<>();
        for (java.lang.reflect.Method method : type.getMethods()) {
            String name = method.getName();
            boolean reads = READING.contains(name) || parts.contains(name) || name.matches("(get|is|has)\\p{Lu}.*") && !name.matches(OTHERS);
            boolean isPlain = method.getParameterCount() == 0 && !method.isBridge() && !java.lang.reflect.Modifier.isStatic(method.getModifiers());
            if (reads && isPlain && method.getDeclaringClass() != Object.class && isShown(method.getReturnType())) all.put(name, method);
        }
        while (all.size() > 40) all.remove(((java.util.TreeMap<String, java.lang.reflect.Method>) all).lastKey());
        return all;
    }

    private static boolean isShown(Class<?> type) {
        if (type.isPrimitive()) return type != void.class;
        if (type.isArray() || type.getClassLoader() != null || type == Object.class) return true;
        for (Class<?> shown : SHOWN) if (shown.isAssignableFrom(type)) return true;
        return false;
    }

    private static Object field(Class<?> owner, String name) throws Throwable {
        java.lang.reflect.Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(null);
    }

    /** An object whose methods all give one value. */
    private static Object lambda(Class<?> type, Object value) {
        ClassLoader loader = type.getClassLoader() != null ? type.getClassLoader() : ClassLoader.getSystemClassLoader();
        return java.lang.reflect.Proxy.newProxyInstance(loader, new Class<?>[] {type}, (self, method, args) -> value);
    }

    private interface Answer {
        Object of(String method, Object[] arguments) throws Throwable;
    }

    private static Object answering(Class<?> type, Answer answer) {
        ClassLoader loader = type.getClassLoader() != null ? type.getClassLoader() : ClassLoader.getSystemClassLoader();
        return java.lang.reflect.Proxy.newProxyInstance(loader, new Class<?>[] {type}, (self, method, args) -> {
            String types = java.lang.invoke.MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString();
            return answer.of(method.getName() + types, args);
        });
    }

    /** A value as text: arrays by their elements, the tested program's objects by their fields. */
    private static String text(Object value) throws IllegalAccessException {
        asked = 0;
        return text(value, new java.util.IdentityHashMap<>());
    }

    /** An exception's message in brackets, where the program worded it and not the JVM or the JDK's index checks. */
    private static String message(Throwable thrown) {
        String text = thrown.getMessage();
        StackTraceElement[] at = thrown.getStackTrace();
        boolean isByJdk = at.length > 0 && at[0].getClassName().startsWith("java.");
        boolean isWorded = text == null
            || thrown instanceof NullPointerException && text.startsWith("Cannot ")
            || thrown instanceof ClassCastException && text.startsWith("class ") && text.contains(" cannot be cast to class ")
            || thrown instanceof NegativeArraySizeException && text.matches("-?[0-9]+")
            || thrown instanceof IndexOutOfBoundsException && (isByJdk || text.contains(" out of bounds for length "));
        return isWorded ? "" : "(\"" + text + "\")";
    }

    /** The name by which a field is told; null of one that can't be told from another one, or that javac made for the object around. */
    private static String toldName(java.lang.reflect.Field field, java.lang.reflect.Field[] all) {
        if (!field.isSynthetic()) return field.getName();
        String name = capturedName(field);
        int alike = 0;
        for (java.lang.reflect.Field other : all) if (name != null && name.equals(capturedName(other))) alike++;
        return alike == 1 ? name : null;
    }

    /** Of a variable that an anonymous or local class has captured, the type's name behind a sign; null of other fields. */
    private static String capturedName(java.lang.reflect.Field field) {
        String type = field.getType().getTypeName().replace('$', '.');
        boolean isCaptured = field.isSynthetic() && field.getName().startsWith("val$");
        return isCaptured ? "val$" + type.substring(type.lastIndexOf('.') + 1) : null;
    }

    /** A value as text; an object that was met before by its number, from 0. */
    private static String text(Object value, java.util.Map<Object, Integer> met) throws IllegalAccessException {
        if (value instanceof String) return '"' + (String) value + '"';
        if (isSimple(value)) return String.valueOf(value);
        if (value instanceof Enum) return ((Enum<?>) value).name();
        if (value instanceof Class) return ((Class<?>) value).getName();
        Integer before = met.putIfAbsent(value, met.size());
        if (before != null) return "#" + before;
        Class<?> type = value.getClass();
        if (type.isArray()) return elements(value, met);
        if (value instanceof Throwable) return type.getName() + message((Throwable) value);
        // What implements an interface for a test tells nothing of itself.
        String own = java.lang.invoke.MethodHandles.lookup().lookupClass().getName() + "$";
        if (type.isSynthetic() || java.lang.reflect.Proxy.isProxyClass(type) || type.getName().startsWith(own)) return "<hidden>";
        if (type.getClassLoader() == null) return platformText(value, met);
        if (isOfLibrary(type)) return libraryText(value, met);
        StringBuilder text = new StringBuilder(type.getName()).append("{");
        java.util.Deque<Class<?>> classes = new java.util.ArrayDeque<>();
        for (Class<?> c = type; c != null && c.getClassLoader() != null; c = c.getSuperclass()) {
            if (!isOfLibrary(c)) classes.push(c);
        }
        for (Class<?> c : classes) {
            java.util.Map<String, java.lang.reflect.Field> fields = new java.util.TreeMap<>();
            java.lang.reflect.Field[] declared = c.getDeclaredFields();
            for (java.lang.reflect.Field field : declared) {
                String name = toldName(field, declared);
                if (name != null && !java.lang.reflect.Modifier.isStatic(field.getModifiers())) fields.put(name, field);
            }
            for (java.util.Map.Entry<String, java.lang.reflect.Field> field : fields.entrySet()) {
                field.getValue().setAccessible(true);
                text.append(field.getKey()).append("=").append(text(field.getValue().get(value), met)).append(";");
            }
        }
        if (extendsContainer(type)) {
            met.put(new Object(), met.size());
            text.append("elements=").append(containerText(value, met)).append(";");
        }
        return text + "}";
    }

    /** Whether a class extends a collection or map of the JDK, and leaves it to that to tell its elements. */
    private static boolean extendsContainer(Class<?> type) {
        Class<?> above = type;
        while (above.getClassLoader() != null) above = above.getSuperclass();
        boolean holds = java.util.Collection.class.isAssignableFrom(above) || java.util.Map.class.isAssignableFrom(above);
        boolean changes = above.getName().contains("Weak") || above.getName().contains("Identity");
        if (!holds || changes || java.lang.reflect.Modifier.isAbstract(above.getModifiers())) return false;
        java.util.List<String> telling = java.util.Arrays.asList("size", "iterator", "toArray", "forEach", "entrySet");
        for (java.lang.reflect.Method m : type.getMethods()) {
            if (telling.contains(m.getName()) && m.getDeclaringClass().getClassLoader() != null) return false;
        }
        return true;
    }

    private static String containerText(Object value, java.util.Map<Object, Integer> met) throws IllegalAccessException {
        if (value instanceof java.util.Collection) return elements(((java.util.Collection<?>) value).toArray(), met);
        StringBuilder text = new StringBuilder("{");
        for (java.util.Map.Entry<?, ?> entry : ((java.util.Map<?, ?>) value).entrySet()) {
            text.append(text.length() > 1 ? ", " : "").append(text(entry.getKey(), met)).append("=").append(text(entry.getValue(), met));
        }
        return text + "}";
    }
