package com.shadowci.worker;

import java.nio.charset.StandardCharsets;
import java.util.*;

/** Texts in inputs: strings, and arrays of bytes or chars whose elements are written out. */
final class Letters {
    private Letters() {}

    /** Whether the elements of such an array may be those of a text. */
    static boolean areIn(String element) {
        return element.equals("B") || element.equals("C");
    }

    /** Whether a part of an input is an array of bytes. */
    static boolean areBytes(Node at) {
        return at.tag == 'A' && at.names[0].equals("B");
    }

    /** The text that a part of an input is; null where it is none. Of bytes each is one character. */
    static String of(Node at) {
        if (at.tag == 'T') return at.text();
        if (at.tag != 'A' || !areIn(at.names[0])) return null;
        StringBuilder out = new StringBuilder();
        for (Node part : at.parts) {
            if (!part.isWhole()) return null;
            out.append((char) (part.tag == 'B' ? part.number() & 0xff : part.number()));
        }
        return out.toString();
    }

    /** Gives such a part another text; the new elements are of a kind. */
    static void put(Node at, String text, Kind of) {
        if (at.tag == 'T') {
            at.value = text;
            return;
        }
        char tag = at.names[0].charAt(0);
        String letters = tag == 'B' ? bytes(text) : text;
        at.parts = new ArrayList<>();
        for (int i = 0; i < letters.length(); i++) {
            char c = letters.charAt(i);
            Node part = new Node(tag, tag == 'B' ? (long) (byte) c : (long) c);
            part.kind = of;
            at.parts.add(part);
        }
    }

    /** Characters for the bytes of a text: those of UTF-8, if it has any that is no byte by itself. */
    private static String bytes(String text) {
        boolean isPlain = text.chars().allMatch(c -> c < 0x100);
        return isPlain ? text : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
