package com.shadowci.worker;

import java.util.*;

/** Texts in the formats that some types and methods take, told from their names: chance hardly finds one. */
final class Formats {
    /** Addresses: none that a name server is asked for, or behind which anybody listens. */
    private static final String[] ADDRESSES = {
        "http://localhost:9/", "http://127.0.0.1:9/a/b.html?c=d&e#f", "https://localhost:9/a", "file:a.txt", "file:/a/b.xml", "jar:file:a.jar!/b"};
    private static final String[] PROTOCOLS = {"http", "https", "file"};
    /** Addresses of servers on the web, where a file is none. */
    private static final String[] WEB_ADDRESSES = {
        "http://localhost:9/", "http://127.0.0.1:9/a/b.html?c=d&e#f", "https://localhost:9/a", "https://localhost/?q=1"};
    private static final String[] MEDIA_TYPES = {"text/plain", "application/json; charset=utf-8", "text/html", "image/png", "*/*", "multipart/form-data"};
    private static final String[] IDENTIFIERS = {"00000000-0000-0001-0000-000000000002", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"};
    private static final String[] VERSIONS = {"1.2.3", "1.0", "2.0.1-beta.1", "10.4.0", "1.2.3-SNAPSHOT", "0.9"};
    private static final String[] HOSTS = {"localhost:9", "127.0.0.1", "127.0.0.1:80", "localhost", "[::1]:9"};
    /** Formats by the words of the names. */
    private static final Map<String, String[]> BY_WORD = new HashMap<>();

    static {
        for (String word : List.of("url", "uri", "urls", "endpoint", "href")) BY_WORD.put(word, WEB_ADDRESSES);
        for (String word : List.of("mime", "mimetype", "mediatype")) BY_WORD.put(word, MEDIA_TYPES);
        for (String word : List.of("uuid", "guid")) BY_WORD.put(word, IDENTIFIERS);
        for (String word : List.of("version", "semver")) BY_WORD.put(word, VERSIONS);
        for (String word : List.of("host", "hostname", "inet", "ip")) BY_WORD.put(word, HOSTS);
    }

    private Formats() {}

    /** Texts for the first text among so many arguments of a member; null where its names tell of no format. */
    static String[] of(Node.Member member, int arguments) {
        if (arguments == 1) return ofOne(member);
        boolean isOfParts = arguments > 1 && member.type.equals("java.net.URL") && member.name.equals("<init>");
        if (!isOfParts) return null;
        // Others begin with an address, to which the text may be relative.
        return member.descriptor.startsWith("(Ljava/lang/String;") ? PROTOCOLS : ADDRESSES;
    }

    private static String[] ofOne(Node.Member member) {
        if (List.of("java.net.URL", "java.net.URI").contains(member.type)) return ADDRESSES;
        String type = member.type.substring(Math.max(member.type.lastIndexOf('.'), member.type.lastIndexOf('$')) + 1);
        String[] found = named(type);
        return found != null || member.name.equals("<init>") ? found : named(member.name);
    }

    private static String[] named(String name) {
        String before = "";
        for (String word : name.split("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_")) {
            String lower = word.toLowerCase(Locale.ROOT);
            if ((before.equals("media") || before.equals("content")) && lower.equals("type")) return MEDIA_TYPES;
            String[] found = BY_WORD.get(lower);
            if (found != null) return found;
            before = lower;
        }
        return null;
    }
}
