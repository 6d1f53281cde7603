package demo;

/** The motivating example of paper 000, with annotations that the program declares itself. */
public class Foo {
    int change(int before, int after) {
        return before;
    }

    public int foo(int x) {
        int y;
        if (x < 0) {
            y = change(-x, x * x);
        } else {
            y = 2 * x;
        }
        y = change(y, y + 1);
        if (y > 1) {
            return 0;
        } else if (y == 1) {
            assert false;
        }
        return 1;
    }

    public static void main(String[] args) {
        new Foo().foo(0);
    }
}
