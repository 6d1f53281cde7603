package demo;

public class Base {
    protected int last;
}
