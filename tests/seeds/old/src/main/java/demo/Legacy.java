package demo;

import gone.Packer;

/** Some of it does not compile: its library is gone. */
final class Legacy {
    private Legacy() { }

    static String mark() {
        return "x";
    }

    static byte[] packed(String text) {
        return new Packer().pack(text);
    }
}
