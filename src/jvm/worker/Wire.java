package com.shadowci.worker;

import java.io.*;
import java.util.*;

/** Strings (as UTF-16 units, so that lone surrogates survive) and lists on the wire. */
final class Wire {
    final DataInputStream in;
    final DataOutputStream out;

    Wire(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    String string() throws IOException {
        char[] units = new char[in.readInt()];
        for (int i = 0; i < units.length; i++) units[i] = in.readChar();
        return new String(units);
    }

    List<String> strings() throws IOException {
        List<String> all = new ArrayList<>();
        for (int n = in.readInt(); n > 0; n--) all.add(string());
        return all;
    }

    void write(String s) throws IOException {
        out.write(Visible.text(s));
    }
}
