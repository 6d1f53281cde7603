package com.shadowci.worker;

import java.io.*;
import java.net.*;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A class loader for a class path, many of which live one after the other: jars stay open, and what was read of them stays known. */
class ClassPathLoader extends URLClassLoader {
    /** A jar; to open it, to check its signatures and to read its classes would take most of the time of one run. */
    private static final class Jar {
        /** Null where it can't be read: then it has no classes. */
        final JarFile file;
        final Manifest manifest;
        /** Class files by their paths. */
        final Map<String, byte[]> classes = new ConcurrentHashMap<>();

        Jar(String path) {
            JarFile opened = null;
            Manifest read = null;
            try {
                opened = new JarFile(new File(path), false, ZipFile.OPEN_READ, Runtime.version());
                read = opened.getManifest();
            } catch (IOException e) {
                // The platform's own loader does without it, too.
            }
            file = opened;
            manifest = read;
        }

        byte[] find(String path) throws IOException {
            byte[] known = classes.get(path);
            if (known != null || file == null) return known;
            ZipEntry entry = file.getEntry(path);
            if (entry == null) return null;
            try (InputStream in = file.getInputStream(entry)) {
                byte[] read = in.readAllBytes();
                classes.put(path, read);
                return read;
            }
        }
    }

    private static final Map<String, Jar> JARS = new ConcurrentHashMap<>();

    private final List<String> classPath;
    private final URL[] places;
    /** Of each place: the jar, or null where it is a folder. */
    private final Jar[] jars;

    ClassPathLoader(List<String> classPath) throws MalformedURLException {
        super(urls(classPath), ClassLoader.getPlatformClassLoader());
        setDefaultAssertionStatus(true);
        this.classPath = classPath;
        places = getURLs();
        jars = new Jar[places.length];
        for (int i = 0; i < jars.length; i++) {
            String part = classPath.get(i);
            if (new File(part).isFile()) jars[i] = JARS.computeIfAbsent(part, Jar::new);
        }
    }

    private static URL[] urls(List<String> classPath) throws MalformedURLException {
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) urls[i] = new File(classPath.get(i)).toURI().toURL();
        return urls;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/') + ".class";
        try {
            for (int i = 0; i < jars.length; i++) {
                byte[] found = jars[i] == null ? inFolder(classPath.get(i), path) : jars[i].find(path);
                if (found == null) continue;
                if (jars[i] != null) pack(name, jars[i].manifest, places[i]);
                return defined(name, found, places[i]);
            }
            // A jar's manifest may name others.
            URL other = findResource(path);
            if (other == null) throw new ClassNotFoundException(name);
            try (InputStream in = other.openStream()) {
                return defined(name, in.readAllBytes(), root(other.toString(), path));
            }
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private Class<?> defined(String name, byte[] found, URL place) {
        byte[] bytes = defined(name, found);
        return defineClass(name, bytes, 0, bytes.length, new CodeSource(place, (Certificate[]) null));
    }

    /** The folder or jar that a class was found in. */
    private static URL root(String place, String path) throws MalformedURLException {
        String root = place.substring(0, place.length() - path.length());
        boolean jar = root.startsWith("jar:") && root.endsWith("!/");
        return new URL(jar ? root.substring(4, root.length() - 2) : root);
    }

    /** What a class becomes of its file. */
    protected byte[] defined(String name, byte[] found) {
        return found;
    }

    /** Classes of folders may come and change while the process lives. */
    private static byte[] inFolder(String folder, String path) throws IOException {
        try (InputStream in = new FileInputStream(new File(folder, path))) {
            return in.readAllBytes();
        } catch (FileNotFoundException e) {
            return null;
        }
    }

    /** A package as its jar's manifest describes it. */
    private void pack(String name, Manifest manifest, URL place) {
        int end = name.lastIndexOf('.');
        if (end < 0 || manifest == null || getDefinedPackage(name.substring(0, end)) != null) return;
        try {
            definePackage(name.substring(0, end), manifest, place);
        } catch (IllegalArgumentException e) {
            // Another thread was first.
        }
    }
}
