import java.util.*;

/** Writes down what probes tell, on standard error. */
public class Trace {
    static int depth;

    public static void enter(int method, Object self, Object[] args) {
        StringBuilder all = new StringBuilder();
        for (Object arg : args) all.append(' ').append(text(arg));
        System.err.println("enter " + method + " " + text(self) + all);
        depth++;
    }

    public static void made(Object self, int method) { System.err.println("made " + method + " " + text(self)); }

    public static void exit(Object value, Throwable thrown) { depth--; System.err.println("exit " + depth); }

    static String text(Object o) {
        if (o == null) return "null";
        return o instanceof Number || o instanceof String || o instanceof Character || o instanceof Boolean ? o.toString() : "a " + o.getClass().getSimpleName();
    }
}
