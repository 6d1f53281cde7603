package org.apache.logging.log4j;

import org.apache.logging.log4j.message.MessageFactory;

/** Gives loggers that do nothing: a caller sees no more of any. */
public class LogManager {
    public static final String ROOT_LOGGER_NAME = "";
    private static final Logger QUIET = new com.shadowci.standin.QuietLogger();

    public static Logger getLogger() {
        return QUIET;
    }

    public static Logger getLogger(Class<?> type) {
        return QUIET;
    }

    public static Logger getLogger(Class<?> type, MessageFactory factory) {
        return QUIET;
    }

    public static Logger getLogger(MessageFactory factory) {
        return QUIET;
    }

    public static Logger getLogger(Object of) {
        return QUIET;
    }

    public static Logger getLogger(Object of, MessageFactory factory) {
        return QUIET;
    }

    public static Logger getLogger(String name) {
        return QUIET;
    }

    public static Logger getLogger(String name, MessageFactory factory) {
        return QUIET;
    }

    public static Logger getFormatterLogger() {
        return QUIET;
    }

    public static Logger getFormatterLogger(Class<?> type) {
        return QUIET;
    }

    public static Logger getFormatterLogger(String name) {
        return QUIET;
    }

    public static Logger getRootLogger() {
        return QUIET;
    }

    public static boolean exists(String name) {
        return true;
    }
}
