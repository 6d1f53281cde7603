package demo;

import missing.Log;
import java.util.List;

public class Subject {
    private int seen;

    int plain(int x) {
        return x * 2;
    }

    // The text of `tell` is the same, but it means another class.
    int told(int x) {
        int y = x * 2;
        tell(y);
        return y;
    }

    private void tell(int x) {
        Log.tell(x);
    }

    // So is that of `renamed`, which calls a method that is another one.
    int calls(int x) {
        int y = x * 2;
        renamed(y);
        return y;
    }

    private void renamed(int x) {
        List<missing.Thing> all = null;
        take(x);
    }

    private void take(int x) {
        seen += 1;
    }
}
