package other;

class Words {
    Object list;
    Object count;

    String all(Words other) {
        return "the wide door " + other.list + other.count + "found";
    }
}
