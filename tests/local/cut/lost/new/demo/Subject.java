package demo;

import missing.Base;
import missing.Log;
import missing.Thing;

public class Subject {
    static final Thing THING = Thing.of(3);
    static int made;

    interface Shape {
        int area();
    }

    static class Square implements Shape {
        public int area() {
            return 4;
        }
    }

    // Gone with its superclass.
    static class Lost extends Base implements Shape {
        public int area() {
            return 3;
        }
    }

    static class Node {
        Object value() {
            return "node";
        }
    }

    static class Leaf extends Node {
        // Gone with its type.
        Thing value() {
            return Thing.of(3);
        }
    }

    int plain(int[] all) {
        int sum = 0;
        for (int one : all) {
            sum += one << 1;
        }
        return sum;
    }

    int area(Shape shape, int x) {
        return shape.area() + (x << 1);
    }

    Object value(Node node, int x) {
        Object value = node.value();
        return (x << 1) > 6 ? value : null;
    }

    static int overloaded(Object one) {
        return 1;
    }

    // Gone with its parameter, and meant by what gives `null`.
    static int overloaded(Thing one) {
        return 3;
    }

    int chosen(int x) {
        return overloaded(null) + (x << 1);
    }
}

class Other {
    int starts(int x) {
        int y = (x << 1);
        return Subject.made + y;
    }
}
