package demo;

import java.util.ArrayList;
import java.util.List;
import missing.Log;

public class Subject extends Base {
    private ArrayList<String> list;
    private ArrayList<String> told;
    private int count;
    private int last;
    int wide;
    int found;

    void add(String text) {
        if (list == null) {
            list = new ArrayList<>();
        }
        list.add(text);
    }

    int count(int x) {
        count += x;
        return count;
    }

    // The test names it in a text.
    int open(int x) {
        wide += x;
        return wide;
    }

    // The test may look it up.
    int found(int x) {
        found += x;
        return found;
    }

    // Code that does not compile may take another overload.
    boolean told() {
        return told.isEmpty();
    }

    // In code that does not compile, the name means another field now.
    int last(int x) {
        last += x;
        return last;
    }

    void log() {
        Log.of(told).tell(last);
    }
}
