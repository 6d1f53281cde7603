package com.shadowci.tests;

import org.testng.*;

/** Runs tests of TestNG. */
public final class TestNg implements ITestListener {
    public static void main(String[] args) {
        Recording.each(args[0], TestNg::run);
    }

    private static void run(Class<?> type) {
        Recording.type(type.getName());
        // Without the listeners that write reports.
        TestNG all = new TestNG(false);
        all.setVerbose(0);
        all.setTestClasses(new Class<?>[] {type});
        all.addListener((ITestListener) new TestNg());
        all.run();
    }

    @Override
    public void onTestStart(ITestResult test) {
        Recording.began(test.getTestClass().getName(), test.getMethod().getMethodName());
    }

    @Override
    public void onTestSuccess(ITestResult test) {
        Recording.ended("passed", null);
    }

    @Override
    public void onTestFailure(ITestResult test) {
        Recording.ended("failed", test.getThrowable());
    }

    @Override
    public void onTestSkipped(ITestResult test) {
        // What its preparation failed with is no matter of the test; since TestNG 7 it was never started.
        onTestStart(test);
        Recording.ended("skipped", null);
    }

    @Override
    public void onTestFailedButWithinSuccessPercentage(ITestResult test) {
        Recording.ended("passed", null);
    }

    @Override
    public void onStart(ITestContext context) {}

    @Override
    public void onFinish(ITestContext context) {}
}
