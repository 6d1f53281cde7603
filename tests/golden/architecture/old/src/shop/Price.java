package shop;

class Price {
    static int net(int gross, boolean member) {
        int cut = member ? gross / 10 : 0;
        return gross - cut;
    }
}
