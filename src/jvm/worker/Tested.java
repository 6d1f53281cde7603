package com.shadowci.worker;

import java.io.*;
import java.net.*;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** The class loader of one run: tested classes as they are, but that they end their run where they would end the JVM. */
final class Tested extends URLClassLoader {
    private static final byte[] AS_IT_IS = {};
    /** What classes became, by the place they were read from: it is the same in every run. */
    private static final Map<String, byte[]> BECAME = new ConcurrentHashMap<>();

    Tested(List<String> classPath) throws MalformedURLException {
        super(urls(classPath), ClassLoader.getPlatformClassLoader());
        setDefaultAssertionStatus(true);
    }

    private static URL[] urls(List<String> classPath) throws MalformedURLException {
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) urls[i] = new File(classPath.get(i)).toURI().toURL();
        return urls;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return name.equals(Exits.class.getName()) ? Exits.class : super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        // What stands for code that is not there ends the JVM and means to.
        if (name.startsWith("com.shadowci.")) return super.findClass(name);
        String path = name.replace('.', '/') + ".class";
        URL place = findResource(path);
        if (place == null) return super.findClass(name);
        byte[] bytes = BECAME.computeIfAbsent(place.toString(), key -> became(place));
        if (bytes == AS_IT_IS) return super.findClass(name);
        try {
            return defineClass(name, bytes, 0, bytes.length, new CodeSource(root(place.toString(), path), (Certificate[]) null));
        } catch (MalformedURLException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static byte[] became(URL place) {
        try (InputStream in = place.openStream()) {
            byte[] rewritten = Exits.rewritten(in.readAllBytes());
            return rewritten == null ? AS_IT_IS : rewritten;
        } catch (IOException e) {
            return AS_IT_IS;
        }
    }

    /** The folder or jar that a class was found in. */
    private static URL root(String place, String path) throws MalformedURLException {
        String root = place.substring(0, place.length() - path.length());
        boolean jar = root.startsWith("jar:") && root.endsWith("!/");
        return new URL(jar ? root.substring(4, root.length() - 2) : root);
    }
}
