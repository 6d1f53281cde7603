package org.apache.commons.logging;

import org.apache.commons.logging.impl.NoOpLog;

/** Gives logs that do nothing: a caller sees no more of any. */
public abstract class LogFactory {
    private static final LogFactory FACTORY = new LogFactory() {};

    protected LogFactory() {}

    public static Log getLog(Class<?> type) {
        return new NoOpLog();
    }

    public static Log getLog(String name) {
        return new NoOpLog();
    }

    public static LogFactory getFactory() {
        return FACTORY;
    }

    public Log getInstance(Class<?> type) {
        return new NoOpLog();
    }

    public Log getInstance(String name) {
        return new NoOpLog();
    }

    public Object getAttribute(String name) {
        return null;
    }

    public String[] getAttributeNames() {
        return new String[0];
    }

    public void setAttribute(String name, Object value) {}

    public void removeAttribute(String name) {}

    public void release() {}

    public static void release(ClassLoader loader) {}

    public static void releaseAll() {}
}
