package com.shadowci.tests;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Enumeration;
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
        (Recording.wantsAll() ? suite : wanted(suite)).run(result);
    }

    /** The tests of a suite that are to run. */
    private static Test wanted(Test all) {
        if (!(all instanceof TestSuite)) return all;
        TestSuite wanted = new TestSuite();
        for (Enumeration<Test> tests = ((TestSuite) all).tests(); tests.hasMoreElements();) {
            Test test = tests.nextElement();
            boolean is = !(test instanceof TestCase) || Recording.wants(test.getClass().getName(), ((TestCase) test).getName());
            if (is) wanted.addTest(wanted(test));
        }
        return wanted;
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
