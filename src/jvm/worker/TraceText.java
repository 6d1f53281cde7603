package com.shadowci.worker;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Stack traces of this run in texts, as `printStackTrace` writes them. Any line that a patch adds moves the lines behind it, a method that
 * it extracts or moves is another frame, and how the worker came to the tested code changes from run to run: none of it is what a caller
 * looks at.
 */
final class TraceText {
    private static final String FRAME = "\tat ";
    /** One of these frames each of them has: the worker's, or that of another thread. */
    private static final List<String> LAST = List.of(FRAME + "com.shadowci.", FRAME + "java.base/java.lang.Thread.run(", FRAME + "java.base/java.util.concurrent.ForkJoinWorkerThread.run(");
    private static final Pattern LEFT_OUT = Pattern.compile("(?m)^\\t+(?:at |\\.\\.\\. \\d+ (?:more|common frames omitted)).*(?:\\R|$)");

    private TraceText() {}

    /** The text without the frames: what is left are the exceptions, and what caused them. */
    static String steady(String text) {
        if (!text.contains(FRAME) || LAST.stream().noneMatch(text::contains)) return text;
        return LEFT_OUT.matcher(text).replaceAll("");
    }
}
