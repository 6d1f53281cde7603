package demo;

import java.util.List;

public class Words {
    private Words() {}

    public static int starting(String[] words, char with) {
        int n = 0;
        for (String word : words) {
            if (word != null && starts(word, with)) n++;
        }
        return n;
    }

    private static boolean starts(String word, char with) {
        return word.length() > 1 && word.charAt(0) == with;
    }

    public static int total(List<Integer> numbers) {
        int n = 0;
        for (int number : numbers) n = n + number + 0 * n;
        return n;
    }
}
