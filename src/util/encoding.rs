//! Decoding of source text of unknown encoding.

/// The text: UTF-16 where a byte-order mark says so, else UTF-8 where the bytes are that, else ISO-8859-1, in which every byte is
/// a character. Byte-order marks are dropped.
pub fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => decode(rest),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_string(),
            Err(_) => bytes.iter().map(|b| char::from(*b)).collect(),
        },
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|pair| unit([pair[0], pair[1]]))
        .collect();
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn marks_are_dropped_and_what_is_no_utf_8_is_latin_1() {
        assert_eq!(decode(b"\xef\xbb\xbfclass A {}"), "class A {}");
        assert_eq!(decode("\"\u{fc}\"".as_bytes()), "\"\u{fc}\"");
        assert_eq!(decode(b"\"\xfc\""), "\"\u{fc}\"");
        assert_eq!(decode(b"\xfe\xff\x00A"), "A");
        assert_eq!(decode(b"\xff\xfeA\x00"), "A");
    }
}
