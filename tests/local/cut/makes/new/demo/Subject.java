package demo;

import missing.Registry;

public class Subject {
    interface Shape {
        int area();
    }

    // Gone, with a class that it makes.
    void register() {
        Registry.add(new Shape() {
            public int area() {
                return 3;
            }
        });
    }

    int plain(int x) {
        return (x << 1);
    }

    int area(Shape shape, int x) {
        int y = (x << 1);
        return shape.area() + y;
    }
}
