package p;

import java.util.List;

/** The patterns of paper 003, §3.1, one method each. */
class Patterns {
    private long limit = 20;
    static int calls;

    int constant(int x) {
        return x > 20 ? 1 : 2;
    }

    int argument(int x) {
        return Math.max(x, calls++);
    }

    boolean weakened(int x, int y) {
        if (x > 0) {
            return true;
        }
        return false;
    }

    boolean strengthened(List<String> all) {
        if (all != null && !all.isEmpty()) {
            return all.size() > 1;
        }
        return false;
    }

    int extraAssignment(int x) {
        int y = x;
        y = y + 1;
        return y;
    }

    void madeConditional(StringBuilder out) {
        if (out.length() > 0) {
            out.append(1);
            out.append(2);
        }
    }

    void madeUnconditional(StringBuilder out, boolean on) {
        out.append(1);
        out.append(2);
    }

    int addedDeclaration(int x) {
        // once only
        int y = x * x;
        if (y < 0) {
            throw new ArithmeticException("overflow");
        }
        return y;
    }

    int changedType(int x) {
        long sum = (long) x + x;
        return sum > 3 ? 1 : 0;
    }

    int renamed(int value) {
        int doubled = value * 2;
        return doubled;
    }

    String switched(int x) {
        switch (x) {
            case 1:
                return "one";
            default:
                return x < 0 ? "none" : "many";
        }
    }

    Runnable lambda(int x) {
        return () -> {
            calls -= x;
        };
    }

    int caught(String s) {
        try {
            return Integer.parseInt(s);
        } catch (NumberFormatException e) {
            calls++;
            return -1;
        }
    }

    int loop(int[] xs) {
        int sum = 0;
        for (int i = 0; i < xs.length - 1; i++) {
            sum += xs[i];
        }
        return sum;
    }

    int field() {
        return (int) limit;
    }
}
