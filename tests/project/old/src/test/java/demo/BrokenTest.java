package demo;

class BrokenTest {
    missing.Library library;
}
