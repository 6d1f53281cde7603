package demo;

import org.junit.jupiter.api.Test;

class QuittingTest {
    @Test
    void quits() {
        System.exit(Foo.foo(2));
    }
}
