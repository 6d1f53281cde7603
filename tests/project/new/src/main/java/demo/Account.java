package demo;

public class Account {
    private final String owner;
    private int balance;

    public Account(String owner) {
        this.owner = owner;
    }

    public void deposit(int amount) {
        if (amount < 0) throw new IllegalArgumentException(owner);
        balance += amount;
    }

    public boolean over(Level level) {
        return balance >= level.limit;
    }

    public enum Level {
        LOW(10), HIGH(100);

        private final int limit;

        Level(int limit) {
            this.limit = limit;
        }
    }
}
