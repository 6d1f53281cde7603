package com.shadowci.worker;

import java.util.*;

/**
 * Numbers that bytes hold, several for each and either end first, as binary formats have them: what a parser made of them is compared,
 * and they are what has to become another number.
 */
final class Encoded {
    /** Places of one number that are tried. */
    private static final int MOST = 4;

    private Encoded() {}

    /** Bytes, as characters, in which one place of this number holds the wanted one, or the next ones. */
    static List<String> replaced(String bytes, long is, long wanted) {
        Set<String> out = new LinkedHashSet<>();
        for (int width = 8; width >= 1; width /= 2) {
            if (!fits(is, width) || !isAsked(is, wanted, width)) continue;
            replace(bytes, is, wanted, width, true, out);
            if (width > 1) replace(bytes, is, wanted, width, false, out);
        }
        out.remove(bytes);
        return new ArrayList<>(out);
    }

    /** Whether numbers of that many bytes are looked for: short ones are the ends of long ones, and signed bytes are elements of their own. */
    private static boolean isAsked(long is, long wanted, int width) {
        if (width == 8) return !fits(is, 4) || !fits(wanted, 4);
        return width > 1 || is > Byte.MAX_VALUE;
    }

    private static void replace(String bytes, long is, long wanted, int width, boolean big, Set<String> out) {
        String sought = text(is, width, big);
        for (int at = bytes.indexOf(sought), n = 0; at >= 0 && n < MOST; at = bytes.indexOf(sought, at + 1), n++) {
            for (long next : new long[] {wanted, wanted + 1, wanted - 1}) {
                if (!fits(next, width)) continue;
                out.add(bytes.substring(0, at) + text(next, width, big) + bytes.substring(at + width));
            }
        }
    }

    /** Whether so many bytes hold the number, with a sign or without. */
    private static boolean fits(long number, int width) {
        if (width == 8) return true;
        long all = 1L << 8 * width;
        return number >= -all / 2 && number < all;
    }

    private static String text(long number, int width, boolean big) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < width; i++) out.append((char) (number >> 8 * (big ? width - 1 - i : i) & 0xff));
        return out.toString();
    }
}
