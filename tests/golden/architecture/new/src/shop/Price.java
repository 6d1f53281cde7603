package shop;

class Price {
    static int net(int gross, boolean member) {
        int cut = member ? gross * 10 / 100 : 0;
        return gross - cut;
    }
}
