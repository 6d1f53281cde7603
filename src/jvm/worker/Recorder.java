package com.shadowci.worker;

import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/**
 * Runs a project's tests in a process of their own, under the debugger interface, and records which of them call the watched
 * methods, and with what. Nothing is instrumented; what tests print goes nowhere.
 */
final class Recorder {
    private static final String HOOKS = "com.shadowci.tests.Hooks";
    /** Calls of one method that one test may make before it is no longer watched in that test. */
    private static final int MOST_CALLS = 500;
    private static final long STARTUP = 60_000;

    /** A method that is watched: entered as an input, changed, or part of how an object comes to be. */
    record Watch(String type, String name, String descriptor, boolean entry, boolean changed) {}

    /** A test's end, and what it called. */
    private static final class Test {
        final String type, name;
        String outcome = "died";
        final Set<Integer> touched = new TreeSet<>();
        final Map<Integer, Set<Recorded>> inputs = new TreeMap<>();

        Test(String type, String name) {
            this.type = type;
            this.name = name;
        }
    }

    /** An input as it goes on the wire; its text says why there is none. */
    private record Recorded(Histories.Bytes bytes, boolean exact, String reason) {}

    private static final Recorded MORE = new Recorded(null, false, "ever more inputs");

    private final List<Watch> watches = new ArrayList<>();
    private final List<Test> tests = new ArrayList<>();
    private final Map<BreakpointRequest, Integer> calls = new HashMap<>();
    private final Set<String> left = new LinkedHashSet<>();
    private Histories histories;
    private Test current;
    private boolean finished;
    private int mostInputs;

    static void run(Wire wire) throws IOException {
        List<String> command = wire.strings();
        File folder = new File(wire.string());
        List<String> mains = wire.strings();
        List<String> types = wire.strings();
        long testLimit = wire.in.readInt(), allLimit = wire.in.readInt();
        Recorder recorder = new Recorder();
        recorder.mostInputs = wire.in.readInt();
        for (int n = wire.in.readInt(); n > 0; n--) {
            recorder.watches.add(new Watch(wire.string(), wire.string(), wire.string(), wire.in.readBoolean(), wire.in.readBoolean()));
        }
        long end = System.currentTimeMillis() + allLimit;
        String failed = "";
        Set<String> notRun = new LinkedHashSet<>(types);
        for (String main : mains) {
            recorder.left.clear();
            recorder.left.addAll(types);
            try {
                recorder.runAll(command, folder, main, testLimit, end);
            } catch (Exception e) {
                failed = e.toString();
            }
            notRun.retainAll(recorder.left);
        }
        recorder.answer(wire, failed, notRun);
    }

    /** Begins anew behind a test that hung, or ended the process. */
    private void runAll(List<String> command, File folder, String main, long testLimit, long end) throws Exception {
        while (!left.isEmpty() && System.currentTimeMillis() < end) {
            int before = left.size();
            finished = false;
            runOnce(command, folder, main, testLimit, end);
            if (current != null) tests.add(current);
            current = null;
            if (finished) left.clear();
            // It died before any test began: it would again.
            if (left.size() == before) return;
        }
    }

    private void runOnce(List<String> command, File folder, String main, long testLimit, long end) throws Exception {
        ListeningConnector connector = Bootstrap.virtualMachineManager().listeningConnectors().stream()
                .filter(c -> c.name().equals("com.sun.jdi.SocketListen")).findFirst().orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("localAddress").setValue("127.0.0.1");
        arguments.get("port").setValue("0");
        arguments.get("timeout").setValue(Long.toString(STARTUP));
        String address = connector.startListening(arguments);
        List<String> words = new ArrayList<>(command);
        String port = address.substring(address.lastIndexOf(':') + 1);
        words.add(1, "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:" + port);
        words.add(main);
        Process process = new ProcessBuilder(words).directory(folder)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try {
            VirtualMachine vm = connector.accept(arguments);
            histories = new Histories(watches);
            calls.clear();
            watch(vm);
            OutputStream names = process.getOutputStream();
            names.write((String.join("\n", left) + "\n\n").getBytes(StandardCharsets.UTF_8));
            names.flush();
            listen(vm, testLimit, end);
        } catch (VMDisconnectedException e) {
            // The tests' process is gone; what it recorded stays.
        } finally {
            process.destroyForcibly().waitFor();
            connector.stopListening(arguments);
        }
    }

    private void watch(VirtualMachine vm) {
        Set<String> types = new TreeSet<>(Set.of(HOOKS));
        for (Watch watch : watches) types.add(watch.type);
        for (String type : types) {
            ClassPrepareRequest request = vm.eventRequestManager().createClassPrepareRequest();
            request.addClassFilter(type);
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.enable();
        }
    }

    private void listen(VirtualMachine vm, long testLimit, long end) throws InterruptedException {
        long last = System.currentTimeMillis() + STARTUP;
        Test seen = null;
        while (true) {
            long now = System.currentTimeMillis();
            if (current != seen) {
                seen = current;
                last = now + testLimit;
            }
            long wait = Math.min(last, end) - now;
            EventSet events = wait > 0 ? vm.eventQueue().remove(wait) : null;
            if (events == null) {
                if (current != null) current.outcome = "hung";
                return;
            }
            for (Event event : events) {
                if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) return;
                if (event instanceof ClassPrepareEvent prepared) prepared(vm, prepared.referenceType());
                if (event instanceof BreakpointEvent stopped) stopped(stopped);
            }
            events.resume();
        }
    }

    private void prepared(VirtualMachine vm, ReferenceType type) {
        for (Method method : type.methods()) {
            Location start = method.location();
            if (start == null || method.isAbstract() || method.isNative()) continue;
            int at = -1;
            for (int i = 0; i < watches.size(); i++) {
                Watch w = watches.get(i);
                if (w.type.equals(type.name()) && w.name.equals(method.name()) && w.descriptor.equals(method.signature())) at = i;
            }
            if (at < 0 && !type.name().equals(HOOKS)) continue;
            BreakpointRequest request = vm.eventRequestManager().createBreakpointRequest(method.locationOfCodeIndex(0));
            request.putProperty("watch", at);
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.enable();
        }
    }

    private void stopped(BreakpointEvent event) {
        int at = (Integer) event.request().getProperty("watch");
        try {
            StackFrame frame = event.thread().frame(0);
            if (at < 0) hook(event.location().method().name(), frame);
            else called(at, (BreakpointRequest) event.request(), frame, event.thread());
        } catch (IncompatibleThreadStateException | InvalidStackFrameException e) {
            // The thread is gone: nothing to record of it.
        }
    }

    private void hook(String name, StackFrame frame) {
        List<Value> values = frame.getArgumentValues();
        switch (name) {
            case "began" -> {
                current = new Test(text(values.get(0)), text(values.get(1)));
                left.remove(current.type.split("\\$")[0]);
                // Watched again in the next test, however often this one calls.
                calls.keySet().forEach(BreakpointRequest::enable);
                calls.clear();
            }
            case "ended" -> {
                if (current == null) return;
                current.outcome = text(values.get(0));
                tests.add(current);
                current = null;
            }
            case "finished" -> finished = true;
            default -> { }
        }
    }

    private static String text(Value value) {
        return value instanceof StringReference s ? s.value() : "";
    }

    private void called(int at, BreakpointRequest request, StackFrame frame, ThreadReference thread)
            throws IncompatibleThreadStateException {
        boolean last = calls.merge(request, 1, Integer::sum) >= MOST_CALLS;
        if (last) request.disable();
        Watch watch = watches.get(at);
        List<Value> values = arguments(frame);
        ObjectReference self = frame.thisObject();
        boolean inside = self != null && isInside(self, thread);
        if (current != null) {
            if (watch.changed) current.touched.add(at);
            if (watch.entry) {
                Set<Recorded> all = current.inputs.computeIfAbsent(at, k -> new LinkedHashSet<>());
                Recorded input = record(watch, self, values, inside);
                // Beyond these it is only said that there are more.
                all.add(last || all.size() >= mostInputs && !all.contains(input) ? MORE : input);
            }
        }
        if (values == null) return;
        if (watch.name.equals("<init>")) histories.made(at, self, values);
        else if (self != null && !inside) histories.called(at, self, values);
    }

    /** Null where the class file does not name all of them, as of an enum's or inner class's constructor. */
    private static List<Value> arguments(StackFrame frame) {
        try {
            return frame.getArgumentValues();
        } catch (InternalException e) {
            return null;
        }
    }

    private Recorded record(Watch watch, ObjectReference self, List<Value> values, boolean inside) {
        Histories.Writer out = histories.writer();
        if (values == null) return new Recorded(null, false, "arguments that the compiler added");
        try {
            boolean receiver = self != null && !watch.name.equals("<init>");
            out.receiver(receiver ? self : null);
            out.all(values);
            return new Recorded(out.bytes(), out.exact() && !inside, "");
        } catch (Histories.Unwritable e) {
            return new Recorded(null, false, e.getMessage());
        }
    }

    /** Whether a method of the object is under way: its state is then one between two calls. */
    private static boolean isInside(ObjectReference self, ThreadReference thread) throws IncompatibleThreadStateException {
        int n = Math.min(thread.frameCount(), 40);
        for (StackFrame frame : thread.frames(0, n).subList(1, n)) {
            Method method = frame.location().method();
            if (method.declaringType().name().startsWith("org.junit.")) return false;
            if (!method.isNative() && self.equals(frame.thisObject())) return true;
        }
        return false;
    }

    private void answer(Wire wire, String failed, Set<String> notRun) throws IOException {
        DataOutputStream out = wire.out;
        out.write('J');
        wire.write(failed);
        out.writeInt(notRun.size());
        for (String name : notRun) wire.write(name);
        out.writeInt(tests.size());
        for (Test test : tests) {
            wire.write(test.type);
            wire.write(test.name);
            wire.write(test.outcome);
            out.writeInt(test.touched.size());
            for (int at : test.touched) out.writeInt(at);
            out.writeInt(test.inputs.values().stream().mapToInt(Set::size).sum());
            for (Map.Entry<Integer, Set<Recorded>> entry : test.inputs.entrySet()) {
                for (Recorded input : entry.getValue()) {
                    out.writeInt(entry.getKey());
                    out.writeBoolean(input.exact);
                    wire.write(input.reason);
                    if (input.bytes != null) out.write(input.bytes.array());
                }
            }
        }
    }
}
