package com.shadowci.tests;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import junit.framework.*;

/** Runs tests of JUnit 3, where there is no later one. */
public final class JUnit3 implements TestListener {
    private String outcome;
    private Throwable why;

    public static void main(String[] args) {
        Recording.each(args[0], JUnit3::run);
    }

    private static void run(Class<?> type) {
        Test suite = suite(type);
        if (suite == null) return;
        Recording.type(type.getName());
        TestResult result = new TestResult();
        result.addListener(new JUnit3());
        suite.run(result);
    }

    private static Test suite(Class<?> type) {
        if (!TestCase.class.isAssignableFrom(type)) return null;
        try {
            Method own = type.getMethod("suite");
            if (Modifier.isStatic(own.getModifiers())) return (Test) own.invoke(null);
        } catch (ReflectiveOperationException | ClassCastException e) {
            // The methods of the class are the suite.
        }
        return new TestSuite(type.asSubclass(TestCase.class));
    }

    @Override
    public void startTest(Test test) {
        outcome = "passed";
        why = null;
        String name = test instanceof TestCase ? ((TestCase) test).getName() : test.toString();
        Recording.began(test.getClass().getName(), name == null ? "" : name);
    }

    @Override
    public void addError(Test test, Throwable t) {
        failed(t);
    }

    @Override
    public void addFailure(Test test, AssertionFailedError t) {
        failed(t);
    }

    private void failed(Throwable t) {
        outcome = "failed";
        if (why == null) why = t;
    }

    @Override
    public void endTest(Test test) {
        Recording.ended(outcome, why);
    }
}
