package demo;

public class Brake {
    int pressure = 0;
    int gauge = 2;

    boolean change(boolean oldVal, boolean newVal) {
        return oldVal;
    }

    public void update(int pedal, int mode, int command) {
        if (change(pedal == 0, pedal <= 0)) { // n0
            command = command + 1; // n1
        } else if (pedal == 1) { // n2
            command = command + 2; // n3
        } else {
            command = pedal; // n4
        }
        command = command + 1; // n5
        if (mode == 0) { // n6
            gauge = 1; // n7
        } else if (mode == 1) { // n8
            gauge = 2; // n9
        }
        if (command == 2) { // n10
            pressure = 0; // n11
        } else if (command == 1) { // n12
            pressure = 25; // n13
        } else {
            pressure = 50; // n14
        }
    }

    /** As the research subjects drive it: what one step leaves is what the next begins with. */
    public void launch(int pedal1, int mode1, int pedal2, int mode2, int pedal3, int mode3) {
        update(pedal1, mode1, 0);
        update(pedal2, mode2, gauge);
        update(pedal3, mode3, pressure);
    }
}
