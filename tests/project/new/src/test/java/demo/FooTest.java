package demo;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.*;

class FooTest {
    @Test
    void zero() {
        System.out.println("J\0\0\0noise on standard output");
        System.err.println("and on standard error");
        assertEquals(1, Foo.foo(0));
    }

    @Test
    void fifteen() {
        assertEquals(0, Foo.foo(15));
    }

    @Test
    void negative() {
        assertEquals(-1, Foo.foo(-3));
    }

    @Test
    void unrelated() {
        assertEquals(2, 1 + 1);
    }

    @Nested
    class Inside {
        @Test
        void resource() throws Exception {
            try (var in = Foo.class.getResourceAsStream("answer.txt")) {
                assertEquals('4', in.read());
            }
            assertEquals(0, Foo.foo(16));
        }
    }
}
