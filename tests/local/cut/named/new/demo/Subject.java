package demo;

import java.util.ArrayList;
import java.util.List;
import missing.Log;

public class Subject extends Base {
    private List<String> list;
    private List<String> told;
    private int total;
    private int latest;
    int opened;
    int hit;

    void add(String text) {
        if (list == null) {
            list = new ArrayList<>();
        }
        list.add(text);
    }

    int count(int x) {
        total += x;
        return total;
    }

    // The test names it in a text.
    int open(int x) {
        opened += x;
        return opened;
    }

    // The test may look it up.
    int found(int x) {
        hit += x;
        return hit;
    }

    // Code that does not compile may take another overload.
    boolean told() {
        return told.isEmpty();
    }

    // In code that does not compile, the name means another field now.
    int last(int x) {
        latest += x;
        return latest;
    }

    void log() {
        Log.of(told).tell(last);
    }
}
