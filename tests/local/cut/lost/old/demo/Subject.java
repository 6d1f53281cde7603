package demo;

import missing.Base;
import missing.Log;
import missing.Thing;

public class Subject {
    static final Thing THING = Thing.of(2);
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
            return 2;
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
            return Thing.of(2);
        }
    }

    int plain(int[] all) {
        int sum = 0;
        for (int one : all) {
            sum += one * 2;
        }
        return sum;
    }

    int area(Shape shape, int x) {
        return shape.area() + x * 2;
    }

    Object value(Node node, int x) {
        Object value = node.value();
        return x * 2 > 6 ? value : null;
    }

    static int overloaded(Object one) {
        return 1;
    }

    // Gone with its parameter, and meant by what gives `null`.
    static int overloaded(Thing one) {
        return 2;
    }

    int chosen(int x) {
        return overloaded(null) + x * 2;
    }
}

class Other {
    int starts(int x) {
        int y = x * 2;
        return Subject.made + y;
    }
}
