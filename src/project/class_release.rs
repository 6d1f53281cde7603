//! The release of Java that the classes of a jar are compiled for.

use std::io::{Read, Seek};
use std::path::Path;
use zip::ZipArchive;

/// The major version of class files of Java 1.0 is 44 (JVMS table 4.1-A): that of Java N is 44 + N from Java 5 on.
const BEFORE_FIRST: u32 = 44;

/// As many classes of a jar are looked at: nearly all have one release.
const SAMPLE: usize = 3;

/// The release that a class of a jar is compiled for; `None` where it can't be read.
pub fn release_of_class<R: Read + Seek>(jar: &mut ZipArchive<R>, name: &str) -> Option<u32> {
    let mut begin = [0; 8];
    jar.by_name(name).ok()?.read_exact(&mut begin).ok()?;
    // `u4 magic; u2 minor_version; u2 major_version` (JVMS 4.1).
    let major = u32::from(u16::from_be_bytes([begin[6], begin[7]]));
    major.checked_sub(BEFORE_FIRST)
}

/// The release that a JDK must have at least for the first classes of a jar, those for newer JDKs only aside; `None` where there are none.
pub fn release_of_jar(jar: &Path) -> Option<u32> {
    let mut jar = ZipArchive::new(std::fs::File::open(jar).ok()?).ok()?;
    let names = jar.file_names().flatten().map(|n| n.to_string());
    let is_class = |n: &String| {
        n.ends_with(".class") && !n.starts_with("META-INF/") && !n.ends_with("-info.class")
    };
    let names: Vec<String> = names.filter(is_class).take(SAMPLE).collect();
    names
        .iter()
        .filter_map(|name| release_of_class(&mut jar, name))
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_jar_needs_what_its_own_classes_need() {
        let dir = tempfile::tempdir().unwrap();
        let jar = |classes: &[(&str, u8)]| {
            let path = dir.path().join("a.jar");
            let mut jar = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
            for (name, major) in classes {
                let options = zip::write::SimpleFileOptions::default();
                jar.start_file(*name, options).unwrap();
                jar.write_all(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, *major])
                    .unwrap();
            }
            jar.finish().unwrap();
            release_of_jar(&path)
        };
        let newer = ("META-INF/versions/21/p/A.class", 65);
        assert_eq!(
            jar(&[newer, ("module-info.class", 53), ("p/A.class", 52)]),
            Some(8)
        );
        assert_eq!(jar(&[("p/A.class", 65), ("p/B.class", 65)]), Some(21));
        assert_eq!(jar(&[newer]), None);
    }
}
