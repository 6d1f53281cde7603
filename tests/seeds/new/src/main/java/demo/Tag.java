package demo;

/** Made by its builder only. */
public final class Tag {
    private final String text;
    private final int level;

    private Tag(String text, int level) {
        this.text = text;
        this.level = level;
    }

    public String text() { return text; }

    public int level() { return level; }

    public static Builder of(String text) { return new Builder(text); }

    /** Collects what a tag has. */
    public static final class Builder {
        private final String text;
        private int level;

        private Builder(String text) { this.text = text; }

        public Builder raise(String key) {
            if (key.hashCode() == 97299) level += 4;
            return this;
        }

        public Tag build() { return new Tag(text, level); }
    }
}
