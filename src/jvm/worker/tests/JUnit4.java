package com.shadowci.tests;

import org.junit.internal.runners.ErrorReportingRunner;
import org.junit.runner.*;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.*;

/** Runs tests of JUnit 4, and of JUnit 3 below it. */
public final class JUnit4 extends RunListener {
    private String outcome;
    private Throwable why;

    public static void main(String[] args) {
        Recording.each(args[0], JUnit4::run);
    }

    private static void run(Class<?> type) {
        Request all = Request.aClass(type);
        Runner runner = (Recording.wantsAll() ? all : all.filterWith(new Wanted())).getRunner();
        // No tests of this framework are in it.
        if (runner instanceof ErrorReportingRunner) return;
        Recording.type(type.getName());
        JUnitCore core = new JUnitCore();
        core.addListener(new JUnit4());
        core.run(new Given(runner));
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

    // Overrides a method of JUnit 4.5 and later only.
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

    /** A request for a runner that is there; JUnit has a method for it since 4.5. */
    private static final class Given extends Request {
        private final Runner runner;

        Given(Runner runner) {
            this.runner = runner;
        }

        @Override
        public Runner getRunner() {
            return runner;
        }
    }

    /** The tests that are to run, and what holds them. */
    private static final class Wanted extends Filter {
        @Override
        public boolean shouldRun(Description test) {
            if (test.isTest()) return Recording.wants(type(test), name(test));
            for (Description part : test.getChildren()) {
                if (shouldRun(part)) return true;
            }
            return false;
        }

        @Override
        public String describe() {
            return "the tests that showed a difference";
        }
    }

    private static void began(Description test) {
        Recording.began(type(test), name(test));
    }

    /** Where a description's method ends and its class begins; -1 where it names no method. */
    private static int open(Description test) {
        // name(class); JUnit has methods for its parts since 4.6.
        String shown = test.getDisplayName();
        int open = shown.lastIndexOf('(');
        return open > 0 && shown.endsWith(")") ? open : -1;
    }

    private static String type(Description test) {
        String shown = test.getDisplayName();
        return open(test) < 0 ? shown : shown.substring(open(test) + 1, shown.length() - 1);
    }

    private static String name(Description test) {
        String shown = test.getDisplayName();
        String name = open(test) < 0 ? shown : shown.substring(0, open(test));
        // Parameterized tests: demo.FooTest.positive[0] is one of demo.FooTest.positive.
        int index = name.indexOf('[');
        return index > 0 ? name.substring(0, index) : name;
    }
}
