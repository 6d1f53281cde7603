package com.shadowci.worker;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Stack traces of this run in texts, as `printStackTrace` writes them. Any line that a patch adds moves the lines behind it, and how the
 * worker came to the tested code changes from run to run: neither is what a caller looks at.
 */
final class TraceText {
    private static final String FRAME = "\tat ";
    /** One of these frames each of them has: the worker's, or that of another thread. */
    private static final List<String> LAST = List.of(FRAME + "com.shadowci.", FRAME + "java.base/java.lang.Thread.run(", FRAME + "java.base/java.util.concurrent.ForkJoinWorkerThread.run(");
    private static final Pattern LINE = Pattern.compile("(\\.(?:java|kt|groovy|scala)):\\d+\\)");
    private static final Pattern OMITTED = Pattern.compile("^\\t\\.\\.\\. \\d+ (?=more|common frames omitted)");
    private static final Pattern CALLS = Pattern.compile("^\\tat (?:java\\.base/)?(?:jdk\\.internal\\.reflect|java\\.lang\\.reflect|java\\.lang\\.Thread|com\\.shadowci)\\.");

    private TraceText() {}

    /** The text without the numbers of lines, and without the frames below the tested code. */
    static String steady(String text) {
        if (!text.contains(FRAME) || LAST.stream().noneMatch(text::contains)) return text;
        StringBuilder steady = new StringBuilder();
        for (String line : text.split("(?<=\n)")) {
            if (line.startsWith(FRAME)) {
                if (!CALLS.matcher(line).lookingAt()) steady.append(LINE.matcher(line).replaceFirst("$1)"));
            } else {
                steady.append(OMITTED.matcher(line).replaceFirst("\t... "));
            }
        }
        return steady.toString();
    }
}
