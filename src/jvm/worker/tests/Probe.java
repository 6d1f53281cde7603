package com.shadowci.tests;

/** What the probes in watched methods call: keeps, per thread, which of these methods are under way, and on which objects. */
public final class Probe {
    /** A call of a watched method that is under way, or of a constructor that has no object yet. */
    private static final class Call {
        final int watch;
        /** Null in static methods, and as long as a constructor has none. */
        Object self;
        /** What a constructor is called with. */
        final Recording.Made made;
        /** The call in which it was called. */
        final Call caller;
        /** The constructor called before it that has no object yet. */
        final Call earlier;
        /** What is seen of it; null where nothing is. */
        final Observation seen;

        Call(int watch, Object self, Recording.Made made, Call caller, Call earlier, Observation seen) {
            this.watch = watch;
            this.self = self;
            this.made = made;
            this.caller = caller;
            this.earlier = earlier;
            this.seen = seen;
        }

        boolean isInside(Object other) {
            for (Call call = this; call != null; call = call.caller) {
                if (call.self == other) return true;
            }
            return false;
        }
    }

    /** What is under way in a thread. */
    private static final class Top {
        Call call;
        /** Constructors without an object: nothing tells when their super constructor throws. */
        Call unmade;
    }

    private static final ThreadLocal<Top> TOP = ThreadLocal.withInitial(Top::new);

    private Probe() {}

    /** A method begins. It counts as under way only once all else is done: that may overflow the stack. */
    public static void enter(int watch, Object self, Object[] args) {
        Top top = TOP.get();
        boolean inside = self != null && top.call != null && top.call.isInside(self);
        Recording.Entered entered = Recording.entered(watch, self, args, inside);
        if (Recording.isConstructor(watch)) top.unmade = new Call(watch, null, entered.made, top.call, top.unmade, entered.seen);
        else top.call = new Call(watch, self, null, top.call, null, entered.seen);
    }

    /** The constructor that began last has an object now; those that began in it, and did not get one, threw. */
    public static void made(Object self, int watch) {
        Top top = TOP.get();
        Call call = top.unmade;
        boolean sure = true;
        while (call != null && call.watch != watch) {
            Recording.unmade(call.watch, call.made);
            call = call.earlier;
        }
        if (call == null) return;
        for (Call other = call.earlier; other != null; other = other.earlier) sure &= other.watch != watch;
        top.unmade = call.earlier;
        Recording.made(watch, self, call.made, sure);
        top.call = new Call(watch, self, null, top.call, null, call.seen);
    }

    /** The method that began last ends with a value or an exception, and with it the constructors called in it. */
    public static void exit(Object value, Throwable thrown) {
        Top top = TOP.get();
        Call call = top.call;
        if (call == null) return;
        top.call = call.caller;
        for (; top.unmade != null && top.unmade.caller == call; top.unmade = top.unmade.earlier) {
            Recording.unmade(top.unmade.watch, top.unmade.made);
        }
        if (call.seen != null) Recording.left(call.seen, call.watch, call.self, value, thrown);
    }

    /** A changed instruction is about to run. */
    public static void reached(int watch) {
        Recording.reached(watch);
    }

    /** Nothing is under way in this thread. */
    static void reset() {
        for (Call call = TOP.get().unmade; call != null; call = call.earlier) Recording.unmade(call.watch, call.made);
        TOP.remove();
    }
}
