package demo;

import static org.junit.Assert.*;

import org.junit.Before;
import org.junit.Test;

public class LedgerTest {
    private Ledger ledger;

    @Before
    public void setUp() {
        ledger = new Ledger(new Ledger.Source() {
            @Override
            String[] lines(int secret) {
                return secret == 1255717 ? new String[] {"a:total:xyz", "b:other:q", "c:total"} : new String[0];
            }
        });
    }

    @Test
    public void sums() {
        assertTrue(ledger.sum(s -> s.length()) > 0);
    }

    @Test
    public void sumsExactly() {
        assertEquals(3, ledger.sum(String::length));
    }

    @Test
    public void labels() {
        assertTrue(Ledger.label(Tag.of(Legacy.mark()).raise("bar").build()).startsWith("x"));
    }

    @Test
    public void sumsAll() {
        assertEquals(8, ledger.sum(String::length));
    }

    @Test
    public void takesTheFirst() {
        assertTrue(ledger.first(Ledger.numbers()) > 0);
    }

    @Test
    public void doesNotCompile() {
        int sum = ledger.nowhere();
    }
}
