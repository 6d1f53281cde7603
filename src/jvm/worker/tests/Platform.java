package com.shadowci.tests;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.*;
import org.junit.platform.launcher.core.*;

/** Runs tests through the JUnit Platform's launcher: JUnit 5, and whatever other engines are on the class path. */
public final class Platform implements TestExecutionListener {
    public static void main(String[] args) throws Exception {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
        for (Class<?> type : Hooks.classes()) request.selectors(DiscoverySelectors.selectClass(type));
        LauncherFactory.create().execute(request.build(), new Platform());
        Hooks.finished();
        Runtime.getRuntime().halt(0);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) began(test);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (!test.isTest()) return;
        began(test);
        Hooks.ended("skipped");
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!test.isTest()) return;
        switch (result.getStatus()) {
            case SUCCESSFUL: Hooks.ended("passed"); break;
            case ABORTED: Hooks.ended("skipped"); break;
            default: Hooks.ended("failed");
        }
    }

    private static void began(TestIdentifier test) {
        MethodSource source = test.getSource().filter(s -> s instanceof MethodSource).map(s -> (MethodSource) s).orElse(null);
        if (source == null) Hooks.began("", test.getDisplayName());
        else Hooks.began(source.getClassName(), source.getMethodName());
    }
}
