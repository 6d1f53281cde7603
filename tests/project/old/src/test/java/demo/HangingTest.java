package demo;

import org.junit.jupiter.api.Test;

class HangingTest {
    @Test
    void hangs() {
        while (Foo.foo(1) < 5) {}
    }
}
