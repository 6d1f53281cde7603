package com.shadowci.tests;

import org.junit.internal.runners.ErrorReportingRunner;
import org.junit.runner.*;
import org.junit.runner.notification.*;

/** Runs tests of JUnit 4, and of JUnit 3 below it. */
public final class JUnit4 extends RunListener {
    private String outcome;
    private Throwable why;

    public static void main(String[] args) {
        Recording.each(args[0], JUnit4::run);
    }

    private static void run(Class<?> type) {
        Runner runner = Request.aClass(type).getRunner();
        // No tests of this framework are in it.
        if (runner instanceof ErrorReportingRunner) return;
        Recording.type(type.getName());
        JUnitCore core = new JUnitCore();
        core.addListener(new JUnit4());
        core.run(Request.runner(runner));
    }

    @Override
    public void testStarted(Description test) {
        outcome = "passed";
        why = null;
        began(test);
    }

    @Override
    public void testFailure(Failure failure) {
        outcome = "failed";
        if (why == null) why = failure.getException();
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
        outcome = "skipped";
    }

    @Override
    public void testIgnored(Description test) {
        began(test);
        Recording.ended("skipped", null);
    }

    @Override
    public void testFinished(Description test) {
        Recording.ended(outcome, why);
    }

    private static void began(Description test) {
        // name(class); JUnit has methods for its parts since 4.6.
        String shown = test.getDisplayName();
        int open = shown.lastIndexOf('(');
        boolean isMethod = open > 0 && shown.endsWith(")");
        String name = isMethod ? shown.substring(0, open) : shown;
        // Parameterized tests: demo.FooTest.positive[0] is one of demo.FooTest.positive.
        int index = name.indexOf('[');
        Recording.began(isMethod ? shown.substring(open + 1, shown.length() - 1) : shown, index > 0 ? name.substring(0, index) : name);
    }
}
