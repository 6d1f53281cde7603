package p;

import java.util.List;

/** The patterns of paper 003, §3.1, one method each. */
class Patterns {
    private int limit = 10;
    static int calls;

    int constant(int x) {
        return x > 10 ? 1 : 2;
    }

    int argument(int x) {
        return Math.max(x, 1);
    }

    boolean weakened(int x, int y) {
        if (x > 0 && y > 0) {
            return true;
        }
        return false;
    }

    boolean strengthened(List<String> all) {
        if (all != null) {
            return all.size() > 1;
        }
        return false;
    }

    int extraAssignment(int x) {
        int y = x;
        return y;
    }

    void madeConditional(StringBuilder out) {
        out.append(1);
        out.append(2);
    }

    void madeUnconditional(StringBuilder out, boolean on) {
        if (on) {
            out.append(1);
            out.append(2);
        }
    }

    int addedDeclaration(int x) {
        return x * x;
    }

    int changedType(int x) {
        int sum = x + x;
        return sum > 3 ? 1 : 0;
    }

    int renamed(int first) {
        int twice = first * 2;
        return twice;
    }

    String switched(int x) {
        switch (x) {
            case 1:
                return "one";
            default:
                return "many";
        }
    }

    Runnable lambda(int x) {
        return () -> {
            calls += x;
        };
    }

    int caught(String s) {
        try {
            return Integer.parseInt(s);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    int loop(int[] xs) {
        int sum = 0;
        for (int i = 0; i < xs.length; i++) {
            sum += xs[i];
        }
        return sum;
    }

    int field() {
        return limit;
    }
}
