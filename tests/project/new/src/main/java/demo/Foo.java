package demo;

/** The toy example of paper 003 §2.2, with a branch that the patch does not touch. */
public class Foo {
    public static int foo(int x) {
        if (x < 0) {
            return -1;
        }
        int y = x + 1;
        if (y > 7) {
            return 0;
        }
        return 1;
    }
}
