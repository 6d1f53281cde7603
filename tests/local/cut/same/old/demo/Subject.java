package demo;

import missing.Log;

public class Subject {
    private static final Log LOG = Log.of("subject");
    private final int base;
    private int seen;

    Subject(int base) {
        this.base = base;
    }

    int sum(int[] all) {
        int sum = base;
        for (int one : all) {
            sum += one * 2;
        }
        return sum;
    }

    // Calls code that does not compile, with the same.
    int told(int x) {
        int y = x * 2;
        tell(y);
        return seen + y;
    }

    private void tell(int x) {
        LOG.tell(x);
        seen++;
    }
}
