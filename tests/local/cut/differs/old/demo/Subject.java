package demo;

import missing.Log;

public class Subject {
    private final Log log = Log.of("subject");
    private int seen;

    // Reaches nothing that differs.
    int sum(int[] all) {
        int sum = 0;
        for (int one : all) {
            sum += one * 2;
        }
        return sum;
    }

    int told(int x) {
        int y = x * 2;
        tell(y);
        return y;
    }

    // Comes to it through unchanged code.
    int toldLater(int x) {
        int y = x * 2;
        later(y);
        return y;
    }

    // Gives it something else.
    int toldMore(int x) {
        later(x + 1);
        return x;
    }

    private void later(int x) {
        tell(x + 1);
    }

    private void tell(int x) {
        log.tell(x);
        seen += 1;
    }
}
