package demo;

import com.shadowci.Shadow;

/** Small methods, each with one thing about annotations or search. */
public class Kinds {
    enum Which { OLD, NEW }

    private int state;

    public Kinds() {
        this(7);
    }

    Kinds(int state) {
        this.state = state;
    }

    static boolean change(boolean before, boolean after) {
        return after;
    }

    static int change(int before, int after) {
        return after;
    }

    static boolean execute(boolean old) {
        return old;
    }

    static boolean execute(Which which) {
        return which == Which.NEW;
    }

    /** The change can only matter on one side, and its effect ends before the last branches. */
    public static int directed(int x, int y, int z) {
        int sign = 0;
        if (x > 10) {
            if (change(x > 20, x >= 20)) {
                sign = 1;
            }
        } else if (x < -10) {
            sign = -1;
        }
        int rest = 0;
        if (y > 0) {
            rest = z > 0 ? 1 : 2;
        } else if (y < -5) {
            rest = z > 5 ? 3 : 4;
        }
        return sign * 10 + rest;
    }

    /** The value differs for a while, and is overwritten before the last branches. */
    public static int forgotten(int x, int y) {
        int step = change(x + 1, x + 2);
        int near = step > 3 ? 1 : 0;
        step = 0;
        near = 0;
        return (y > 0 ? 1 : y < -5 ? 2 : 3) + step + near;
    }

    /** Each version evaluates its own argument only: the old one never divides. */
    public static int ownArgument(int a, int b) {
        int c = change(a - b, a / b);
        return c > 0 ? 1 : 2;
    }

    /** Only the outcome differs. */
    public static int dataOnly(int x) {
        return change(x, x + 1);
    }

    /** A block that only the new version has; without a return it is no divergence of control. */
    public static int block(int x) {
        int y = x;
        if (execute(false)) {
            y = y + 1;
        }
        return y;
    }

    /** A return in such a block is one. */
    public static int earlyReturn(int x) {
        if (execute(Which.NEW)) {
            if (x == 3) {
                return -1;
            }
        }
        return x;
    }

    /** With the annotations of the library. */
    public static int library(int x) {
        int y = Shadow.change(x, x + 1);
        if (Shadow.execute(Shadow.OLD)) {
            y = y + 1;
        }
        return y > 5 ? 1 : 0;
    }

    /** Branches enough for the search orders to differ. */
    public static int branches(int a, int b, int c) {
        int n = 0;
        for (int i = 0; i < 3; i++) {
            if (a > i * 4) {
                n = n + change(b, b + 1);
            }
        }
        if (n > 10) {
            n = 10;
        }
        if (c > n) {
            return change(c > 3, c > 4) ? 1 : 2;
        }
        return n == 4 ? 3 : 4;
    }

    int divide(int by) {
        return state / by;
    }

    public static int overloaded(int x) {
        return x;
    }

    public static int overloaded(long x) {
        return 1;
    }

    static int start() {
        return new Kinds(12).divide(change(4, 3));
    }

    public static int noAnnotation(int x) {
        return x > 0 ? 1 : 2;
    }
}
