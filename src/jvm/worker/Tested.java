package com.shadowci.worker;

import java.net.MalformedURLException;
import java.util.List;

/** The class loader of one run: tested classes as they are, but that they end their run where they would end the JVM. */
final class Tested extends ClassPathLoader {
    Tested(List<String> classPath) throws MalformedURLException {
        super(classPath);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return name.equals(Exits.class.getName()) ? Exits.class : super.loadClass(name, resolve);
    }

    @Override
    protected byte[] defined(String name, byte[] found) {
        // What stands for code that is not there ends the JVM and means to.
        byte[] rewritten = name.startsWith("com.shadowci.") ? null : Exits.rewritten(found);
        return rewritten == null ? found : rewritten;
    }
}
