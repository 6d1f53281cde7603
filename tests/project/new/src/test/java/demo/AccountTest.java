package demo;

import static org.junit.Assert.*;

import java.util.List;
import org.junit.*;

public class AccountTest {
    private Account account;

    @Before
    public void open() {
        account = new Account("me");
    }

    @Test
    public void poor() {
        account.deposit(5);
        assertFalse(account.over(Account.Level.LOW));
    }

    @Test
    public void rich() {
        account.deposit(5);
        account.deposit(200);
        assertTrue(account.over(Account.Level.HIGH));
    }

    @Test
    public void nothing() {
        assertEquals(0, Words.starting(new String[5], 'a'));
    }

    @Test
    public void words() {
        assertEquals(1, Words.starting(new String[] {"ab", null}, 'a'));
    }

    @Test
    public void total() {
        assertEquals(3, Words.total(List.of(1, 2)));
    }
}
