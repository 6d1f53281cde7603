package com.shadowci.tests;

import java.util.Optional;
import org.junit.platform.engine.*;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.*;
import org.junit.platform.launcher.*;
import org.junit.platform.launcher.core.*;

/** Runs tests through the JUnit Platform's launcher: JUnit 5, and whatever other engines are on the class path. */
public final class Platform implements TestExecutionListener {
    private TestPlan plan;

    public static void main(String[] args) throws Exception {
        try {
            LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                    .filters((PostDiscoveryFilter) Platform::wanted);
            for (Class<?> type : Recording.start(args[0])) request.selectors(DiscoverySelectors.selectClass(type));
            LauncherFactory.create().execute(request.build(), new Platform());
            Recording.finished();
        } catch (Throwable t) {
            Recording.failed(t);
        }
        Runtime.getRuntime().halt(0);
    }

    /** What is no method is kept for what is in it. */
    private static FilterResult wanted(TestDescriptor test) {
        TestSource source = test.getSource().orElse(null);
        boolean is = !(source instanceof MethodSource)
                || Recording.wants(((MethodSource) source).getClassName(), ((MethodSource) source).getMethodName());
        return FilterResult.includedIf(is);
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        this.plan = plan;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) began(test);
        else if (test.getSource().orElse(null) instanceof ClassSource) Recording.type(type(test));
    }

    private static String type(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        if (source instanceof ClassSource) return ((ClassSource) source).getClassName();
        if (source instanceof MethodSource) return ((MethodSource) source).getClassName() + "#" + ((MethodSource) source).getMethodName();
        return "";
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (!test.isTest()) {
            for (TestIdentifier child : plan.getChildren(test)) executionSkipped(child, reason);
            return;
        }
        began(test);
        Recording.ended("skipped", null);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!test.isTest()) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) Recording.lost(type(test), result.getThrowable().orElse(null));
            return;
        }
        switch (result.getStatus()) {
            case SUCCESSFUL: Recording.ended("passed", null); break;
            case ABORTED: Recording.ended("skipped", null); break;
            default: Recording.ended("failed", result.getThrowable().orElse(null));
        }
    }

    /** A test that was made while running is one of the method that made it. */
    private void began(TestIdentifier test) {
        Optional<TestIdentifier> at = Optional.of(test);
        while (at.isPresent()) {
            TestSource source = at.get().getSource().orElse(null);
            if (source instanceof MethodSource) {
                MethodSource method = (MethodSource) source;
                Recording.began(method.getClassName(), method.getMethodName());
                return;
            }
            at = plan.getParent(at.get());
        }
        Recording.began("", test.getDisplayName());
    }
}
