import java.lang.reflect.*;
import java.net.*;
import java.nio.file.*;

/** Runs CLASS#METHODs on all inputs, in the versions below two folders; prints the inputs on which the outcomes differ. */
public class Runner {
    private static final String EXCLUDED = "java.lang.IllegalStateException";

    public static void main(String[] args) throws Exception {
        for (int i = 2; i < args.length; i++) {
            String[] name = args[i].split("#");
            Method a = load(args[0], name), b = load(args[1], name);
            Object x = fresh(a), y = fresh(b);
            int n = a.getParameterCount();
            for (int p = -100; p <= 100; p++) {
                for (int q = n == 2 ? -100 : 0; q <= (n == 2 ? 100 : 0); q++) {
                    Object[] in = n == 2 ? new Object[] {p, q} : new Object[] {p};
                    String old = run(a, x, in);
                    String now = run(b, y, in);
                    if (!old.equals(now) && !old.equals(EXCLUDED) && !now.equals(EXCLUDED)) {
                        System.out.println(name[0] + " " + p + (n == 2 ? " " + q : ""));
                    }
                }
            }
        }
    }

    static Method load(String dir, String[] name) throws Exception {
        ClassLoader loader = new URLClassLoader(new URL[] {Path.of(dir).toUri().toURL()}, null);
        loader.setDefaultAssertionStatus(true);
        for (Method m : loader.loadClass(name[0]).getDeclaredMethods()) {
            if (m.getName().equals(name[1])) {
                return m;
            }
        }
        throw new NoSuchMethodException(name[1]);
    }

    /** Fields are of no account to the methods that are run. */
    static Object fresh(Method m) throws Exception {
        Constructor<?> c = m.getDeclaringClass().getDeclaredConstructors()[0];
        Object[] zeros = new Object[c.getParameterCount()];
        java.util.Arrays.fill(zeros, 0);
        return c.newInstance(zeros);
    }

    static String run(Method m, Object on, Object[] in) throws Exception {
        try {
            return "" + m.invoke(on, in);
        } catch (InvocationTargetException e) {
            return e.getCause().getClass().getName();
        }
    }
}
