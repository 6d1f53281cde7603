package com.shadowci.worker;

import java.util.*;

/** Numbers that a text has as digits: what a parser made of them is compared, and they are what has to become another number. */
final class Digits {
    /** Longer ones are not read. */
    private static final int LONGEST = 18;

    private Digits() {}

    /** The text with the first number in it that is this one, decimal or hexadecimal, replaced by the wanted one and the next ones. */
    static List<String> replaced(String text, long is, long wanted) {
        List<String> out = new ArrayList<>();
        if (!replace(text, is, wanted, 10, out)) replace(text, is, wanted, 16, out);
        return out;
    }

    private static boolean replace(String text, long is, long wanted, int radix, List<String> out) {
        for (int end, start = 0; start < text.length(); start = end + 1) {
            end = start;
            while (end < text.length() && isDigit(text.charAt(end), radix)) end++;
            if (end == start || end - start > LONGEST - (radix == 16 ? 3 : 0)) continue;
            long value = Long.parseLong(text.substring(start, end), radix);
            boolean minus = start > 0 && text.charAt(start - 1) == '-' && -value == is;
            if (value != is && !minus) continue;
            String before = text.substring(0, minus ? start - 1 : start), behind = text.substring(end);
            for (long more = 0; more <= 2; more++) {
                // The wanted number, the one above and the one below.
                long next = more == 2 ? wanted - 1 : wanted + more;
                out.add(before + Long.toString(next, radix) + behind);
            }
            return true;
        }
        return false;
    }

    /** The text with the first number in it that is this one replaced by the wanted one, and by the next ones with so many places. */
    static List<String> replaced(String text, double is, double wanted) {
        List<String> out = new ArrayList<>();
        if (!(Math.abs(wanted) < 1e15)) return out;
        for (int end, start = 0; start < text.length(); start = end + 1) {
            end = start;
            while (end < text.length() && (isDigit(text.charAt(end), 10) || text.charAt(end) == '.' && end > start)) end++;
            if (end == start || end - start > LONGEST) continue;
            boolean minus = start > 0 && text.charAt(start - 1) == '-';
            if (!is(text.substring(minus ? start - 1 : start, end), is)) {
                minus = false;
                if (!is(text.substring(start, end), is)) continue;
            }
            String before = text.substring(0, minus ? start - 1 : start), behind = text.substring(end);
            java.math.BigDecimal plain = new java.math.BigDecimal(Double.toString(wanted));
            for (java.math.BigDecimal next : List.of(plain, plain.add(plain.ulp()), plain.subtract(plain.ulp()))) out.add(before + next.toPlainString() + behind);
            return out;
        }
        return out;
    }

    private static boolean is(String digits, double value) {
        try {
            return Double.parseDouble(digits) == value;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean isDigit(char c, int radix) {
        return c < 128 && Character.digit(c, radix) >= 0;
    }
}
