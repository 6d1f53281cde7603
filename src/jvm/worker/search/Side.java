package com.shadowci.worker;

import com.shadowci.NotCompiled;
import java.io.*;
import java.lang.invoke.MethodType;
import java.lang.reflect.*;
import java.net.*;
import java.util.*;

/** One version: its classes in a loader of their own, and what was looked up there. */
final class Side implements Closeable {
    /** Classes of a version; probes are those of this process. */
    private static final class Loader extends ClassPathLoader {
        /** Names that are kept of those without a class. */
        private static final int MOST_MISSING = 10_000;

        /** Names without a class: looking for one in all folders and archives takes longer than many a run. */
        private final Set<String> missing = Collections.synchronizedSet(new HashSet<>());

        Loader(List<String> classPath) throws IOException {
            super(classPath);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals(Trace.class.getName())) return Trace.class;
            if (name.equals(Surroundings.class.getName())) return Surroundings.class;
            if (name.equals(NotCompiled.class.getName())) return NotCompiled.class;
            if (missing.contains(name)) throw new ClassNotFoundException(name);
            try {
                return super.findClass(name);
            } catch (ClassNotFoundException e) {
                if (missing.size() < MOST_MISSING) missing.add(name);
                throw e;
            }
        }
    }

    /** 0 for the old one, 1 for the new one. */
    final int number;
    /** Whether it runs one input only: what was looked up for the long-lived ones is not its own. */
    final boolean isFresh;
    final Values values;
    final Replay.Classes classes;
    private final Loader loader;
    /** Objects that several parts of the input at hand are, by their numbers. */
    final Map<Integer, Object> shared = new HashMap<>();
    private final Map<String, Object> constants = new HashMap<>();
    private final Map<String, Class<?>> elements = new HashMap<>();

    Side(int number, boolean isFresh, List<String> path) throws IOException {
        this.number = number;
        this.isFresh = isFresh;
        classes = new Replay.Classes(new File(path.get(0)));
        loader = new Loader(path);
        values = new Values(loader, classes);
    }

    /** Makes two versions comparable: a field that only one of them has, and that is not public, is no difference by itself. */
    static void pair(Side a, Side b) {
        a.classes.only(field -> Modifier.isPublic(field.getModifiers()) || b.has(field));
        b.classes.only(field -> Modifier.isPublic(field.getModifiers()) || a.has(field));
    }

    /** Whether objects of the class of that name have such a field here too. */
    private boolean has(Field field) {
        try {
            Class<?> type = Class.forName(field.getDeclaringClass().getName(), false, loader);
            Field own = type.getDeclaredField(field.getName());
            return own.getType().getName().equals(field.getType().getName()) && !Modifier.isStatic(own.getModifiers());
        } catch (ReflectiveOperationException | LinkageError e) {
            return false;
        }
    }

    ClassLoader loader() {
        return loader;
    }

    Class<?> element(String descriptor) {
        return elements.computeIfAbsent(descriptor, d -> MethodType.fromMethodDescriptorString("()" + d, loader).returnType());
    }

    Object constant(String type, String name) throws ReflectiveOperationException {
        String key = type + "#" + name;
        Object known = constants.get(key);
        if (known == null) {
            Field field = Class.forName(type, true, loader).getDeclaredField(name);
            field.setAccessible(true);
            known = field.get(null);
            constants.put(key, known);
        }
        return known;
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
