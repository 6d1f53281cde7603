package com.shadowci.worker;

import java.io.*;
import java.nio.file.Files;
import java.util.*;

/** What a run leaves in its working folder: names, folders, and the beginnings of files. Links are told as files that are empty. */
final class Left {
    private static final File FOLDER = new File(System.getProperty("user.dir"));
    /** More than these are not told. */
    private static final int MOST = 64, LONGEST = 4096, DEEPEST = 16;

    private final String path;
    private final File file;
    private final boolean isFolder;

    private Left(String path, File file, boolean isFolder) {
        this.path = path;
        this.file = file;
        this.isFolder = isFolder;
    }

    /** All of it, in the order of the paths. */
    static List<Left> all() {
        List<Left> all = new ArrayList<>();
        list(FOLDER, "", 0, all);
        return all;
    }

    private static void list(File folder, String prefix, int depth, List<Left> all) {
        String[] names = folder.list();
        if (names == null) return;
        Arrays.sort(names);
        for (String name : names) {
            if (all.size() == MOST) return;
            File file = new File(folder, name);
            boolean isFolder = file.isDirectory() && !Files.isSymbolicLink(file.toPath());
            all.add(new Left(prefix + name, file, isFolder));
            if (isFolder && depth < DEEPEST) list(file, prefix + name + "/", depth + 1, all);
        }
    }

    static void write(List<Left> all, Wire wire) throws IOException {
        wire.out.writeInt(all.size());
        for (Left one : all) {
            wire.write(one.path);
            wire.out.writeBoolean(one.isFolder);
            if (one.isFolder) continue;
            byte[] bytes = one.bytes();
            wire.out.writeLong(one.file.length());
            wire.out.writeInt(bytes.length);
            wire.out.write(bytes);
        }
    }

    private byte[] bytes() {
        if (Files.isSymbolicLink(file.toPath()) || !file.isFile()) return new byte[0];
        try (FileInputStream in = new FileInputStream(file)) {
            return in.readNBytes(LONGEST);
        } catch (IOException e) {
            return new byte[0];
        }
    }
}
