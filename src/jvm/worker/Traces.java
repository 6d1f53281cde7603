package com.shadowci.worker;

import java.io.File;
import java.util.*;
import java.util.concurrent.*;

/**
 * What a run may leave in the JVM and in its folder for the next one to see. Files are removed; where anything else is left, the
 * JVM has to be another one. It is this process that removes files: it can't harm others, whatever links there are.
 */
final class Traces {
    private static final String[] FOLDERS = {System.getProperty("user.dir"), System.getProperty("java.io.tmpdir"), System.getProperty("user.home")};
    private final Set<Thread> before = threads();

    /** Whether nothing is left. */
    boolean removed() {
        for (Thread thread : threads()) {
            if (!before.contains(thread) && thread.isAlive() && !isOfTheJdk(thread)) return false;
        }
        return emptied();
    }

    /** Removes all files; whether none is left. */
    static boolean emptied() {
        boolean empty = true;
        for (String folder : FOLDERS) empty &= empty(new File(folder));
        return empty;
    }

    private static Set<Thread> threads() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) group = group.getParent();
        Thread[] all = new Thread[group.activeCount() * 2 + 64];
        int n = group.enumerate(all, true);
        Set<Thread> found = Collections.newSetFromMap(new IdentityHashMap<>());
        found.addAll(Arrays.asList(all).subList(0, n));
        return found;
    }

    /** Threads that the JDK keeps for later, and that have nothing to do. */
    private static boolean isOfTheJdk(Thread thread) {
        if (thread.getClass().getName().equals("jdk.internal.misc.InnocuousThread")) return true;
        return thread instanceof ForkJoinWorkerThread worker && worker.getPool() == ForkJoinPool.commonPool()
                && ForkJoinPool.commonPool().isQuiescent();
    }

    private static boolean empty(File folder) {
        String[] names = folder.list();
        if (names == null) return false;
        if (names.length == 0) return true;
        try {
            for (String name : names) remove(new File(folder, name));
        } catch (StackOverflowError e) {
            return false;
        }
        names = folder.list();
        return names != null && names.length == 0;
    }

    /** A link or file is removed as such; a folder that is not empty is emptied first. */
    private static void remove(File file) {
        if (file.delete()) return;
        if (java.nio.file.Files.isSymbolicLink(file.toPath())) return;
        String[] names = file.list();
        if (names != null) for (String name : names) remove(new File(file, name));
        file.delete();
    }
}
