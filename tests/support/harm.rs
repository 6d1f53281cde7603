//! Harm done to bytes: what a broken or hostile file is made of, from one that is fine.

use proptest::prelude::*;

/// One thing that goes wrong on the way, at a place given as a part of the whole.
#[derive(Clone, Debug)]
pub enum Harm {
    Byte(u16, u8),
    Short(u16, u16),
    Long(u16, u32),
    Cut(u16, u8),
    Repeat(u16, u8, u8),
    Insert(u16, Vec<u8>),
    End(u16),
}

fn harm() -> impl Strategy<Value = Harm> {
    let short = prop_oneof![Just(0), Just(1), Just(0x7fff), Just(0xffff), any::<u16>()];
    let long = prop_oneof![
        Just(0),
        Just(0x7fff_ffff),
        Just(0xffff_ffff),
        Just(0x8000_0000),
        any::<u32>()
    ];
    let some = prop::collection::vec(any::<u8>(), 1..8);
    prop_oneof![
        6 => (any::<u16>(), any::<u8>()).prop_map(|(at, b)| Harm::Byte(at, b)),
        4 => (any::<u16>(), short).prop_map(|(at, n)| Harm::Short(at, n)),
        2 => (any::<u16>(), long).prop_map(|(at, n)| Harm::Long(at, n)),
        1 => (any::<u16>(), any::<u8>()).prop_map(|(at, n)| Harm::Cut(at, n)),
        1 => (any::<u16>(), any::<u8>(), any::<u8>()).prop_map(|(at, n, k)| Harm::Repeat(at, n, k)),
        1 => (any::<u16>(), some).prop_map(|(at, bytes)| Harm::Insert(at, bytes)),
        1 => any::<u16>().prop_map(Harm::End),
    ]
}

/// The seed with what goes wrong done to it.
pub fn harmed(seed: &[u8], harms: &[Harm]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for harm in harms {
        let place = |at: &u16| usize::from(*at) * bytes.len() / 65536;
        let put = |at: usize, new: &[u8], bytes: &mut Vec<u8>| {
            let end = (at + new.len()).min(bytes.len());
            let old = at..end;
            bytes[old].copy_from_slice(&new[..end - at]);
        };
        match harm {
            Harm::Byte(at, b) => put(place(at), &[*b], &mut bytes),
            Harm::Short(at, n) => put(place(at), &n.to_be_bytes(), &mut bytes),
            Harm::Long(at, n) => put(place(at), &n.to_be_bytes(), &mut bytes),
            Harm::Cut(at, n) => {
                let at = place(at);
                let end = (at + usize::from(*n)).min(bytes.len());
                bytes.drain(at..end);
            }
            Harm::Repeat(at, n, times) => {
                let at = place(at);
                let end = (at + usize::from(*n)).min(bytes.len());
                let part = bytes[at..end].repeat(usize::from(*times));
                bytes.splice(at..at, part);
            }
            Harm::Insert(at, new) => {
                let at = place(at);
                bytes.splice(at..at, new.iter().copied());
            }
            Harm::End(at) => bytes.truncate(place(at)),
        }
    }
    bytes
}

/// A few things that go wrong.
pub fn harms() -> impl Strategy<Value = Vec<Harm>> {
    prop::collection::vec(harm(), 1..6)
}
