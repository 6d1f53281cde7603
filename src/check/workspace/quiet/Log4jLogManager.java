package org.apache.log4j;

import org.apache.log4j.spi.LoggerRepository;
import org.apache.log4j.spi.NOPLoggerRepository;

/** Gives loggers that do nothing: a caller sees no more of any. */
public class LogManager {
    private static final LoggerRepository NONE = new NOPLoggerRepository();
    private static final Logger QUIET = new Quiet();

    private static final class Quiet extends Logger {
        Quiet() {
            super("quiet");
            repository = NONE;
            level = Level.OFF;
        }
    }

    public static Logger getLogger(String name) {
        return QUIET;
    }

    @SuppressWarnings("rawtypes")
    public static Logger getLogger(Class type) {
        return QUIET;
    }

    public static Logger getLogger(String name, org.apache.log4j.spi.LoggerFactory factory) {
        return QUIET;
    }

    public static Logger getRootLogger() {
        return QUIET;
    }

    public static LoggerRepository getLoggerRepository() {
        return NONE;
    }

    public static void shutdown() {}

    public static void resetConfiguration() {}
}
