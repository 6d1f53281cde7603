package com.shadowci.worker;

/** How often a kind's or maker's objects were part of an input, and how often they, or what they are made of, could not be built. */
final class Ease {
    /** Inputs that say too little, and those that say enough. */
    private static final int FEW = 40, MANY = 400;

    private int used, hindered;

    /** Whether three of four can't be built: others are used rather, but not alone. */
    boolean isPoor() {
        return used >= FEW && hindered * 4L > used * 3L;
    }

    /** Whether hardly any can be built. */
    boolean isHopeless() {
        return used > MANY && hindered * 30L > used * 29L;
    }

    /** Takes an input that could be built, or not for this part; whether the part stands in the way. */
    private static boolean count(Node node, Object failed) {
        boolean hinders = node == failed;
        for (Node part : node.parts) hinders |= count(part, failed);
        for (Node.Call call : node.calls) {
            boolean stops = call == failed;
            for (Node arg : call.args) stops |= count(arg, failed);
            if (call.maker != null && (failed == null || stops)) call.maker.ease.add(stops);
            hinders |= stops;
        }
        // Of what stands beside the part nothing is known.
        if (failed != null && !hinders) return false;
        // That null is no hindrance says nothing of the kind's objects.
        if (node.kind != null && node.tag != 'N') node.kind.ease.add(hinders);
        if (node.maker != null) node.maker.ease.add(hinders);
        return hinders;
    }

    /** Counts the parts of an input that was built, or those around the one that could not be. */
    static void countAll(Iterable<Node> input, Object failed) {
        for (Node node : input) count(node, failed);
    }

    private void add(boolean hinders) {
        used++;
        if (hinders) hindered++;
    }
}
