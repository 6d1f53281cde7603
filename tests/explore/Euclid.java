package demo;

/** Remainders of remainders: each turn of the loop is a harder question for the solver. */
public class Euclid {
    static boolean change(boolean oldVal, boolean newVal) {
        return oldVal;
    }

    static int gcd(int a, int b) {
        int x = a < 0 ? -a : a;
        int y = b < 0 ? -b : b;
        while (y != 0) {
            int rest = x % y;
            x = y;
            y = rest;
        }
        return change(x > 1, x >= 1) ? x : 0;
    }
}
