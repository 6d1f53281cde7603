package demo;

import missing.other.Log;
import java.util.List;

public class Subject {
    private int seen;

    int plain(int x) {
        return (x << 1);
    }

    // The text of `tell` is the same, but it means another class.
    int told(int x) {
        int y = (x << 1);
        tell(y);
        return y;
    }

    private void tell(int x) {
        Log.tell(x);
    }

    // So is that of `renamed`, which calls a method that is another one.
    int calls(int x) {
        int y = (x << 1);
        renamed(y);
        return y;
    }

    private void renamed(int x) {
        List<missing.Thing> all = null;
        take(x);
    }

    private void take(long x) {
        seen += 2;
    }
}
