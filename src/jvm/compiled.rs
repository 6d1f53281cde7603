//! Cached compilations: equal sources, class path, options and JDK give equal classes without starting a JVM.

use super::compile::CompileRequest;
use super::jdk::Jdk;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Another one when what is kept, or how it is keyed, changes.
const FORMAT: &str = "2";

/// More files or bytes of sources than these are compiled each time: to read them all would take as long.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 128 << 20;

/// What is kept at most: this many compilations, each of no more than so many bytes, and so many bytes together.
const MOST_KEPT: usize = 4_000;
const MOST_KEPT_BYTES: u64 = 4 << 20;
const MOST_KEPT_IN_ALL: u64 = 256 << 20;

/// After so long, what a run was about to keep is what a killed one left.
const UNFINISHED: Duration = Duration::from_secs(3_600);

/// The compilations kept in a cache folder.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    folder: PathBuf,
    /// What is the same for all: the JDK.
    common: Vec<u8>,
}

impl Kept {
    /// Those for a JDK.
    pub fn of(cache: &Path, jdk: &Jdk) -> Kept {
        let mut hash = Sha256::new();
        text(&mut hash, FORMAT);
        text(&mut hash, &jdk.home.to_string_lossy());
        let release = std::fs::read(jdk.home.join("release")).unwrap_or_default();
        part(&mut hash, &release);
        Kept {
            folder: cache.join("compiled"),
            common: hash.finalize().to_vec(),
        }
    }

    /// Where the result of a request is kept, or would be; `None` for what can't be told from its input: annotation processors read
    /// what they like.
    pub fn place(&self, request: &CompileRequest) -> Option<PathBuf> {
        if request.runs_processors() {
            return None;
        }
        let mut hash = Sha256::new();
        part(&mut hash, &self.common);
        let mut read = Read::default();
        for flag in &request.flags {
            text(&mut hash, flag);
        }
        for source in &request.sources {
            let root = request.source_path.iter().find(|r| source.starts_with(r));
            let name = root.and_then(|r| source.strip_prefix(r).ok());
            let name = name.or_else(|| source.file_name().map(Path::new))?;
            read.file(&mut hash, name, source)?;
        }
        for root in &request.source_path {
            text(&mut hash, "root");
            read.folder(&mut hash, root, root, Some("java"))?;
        }
        for entry in request.class_path.iter().chain([&request.out]) {
            text(&mut hash, "classes");
            match std::fs::metadata(entry) {
                Ok(found) if found.is_file() => {
                    text(&mut hash, &entry.to_string_lossy());
                    let changed = found.modified().ok()?;
                    let changed = changed.duration_since(SystemTime::UNIX_EPOCH).ok()?;
                    text(
                        &mut hash,
                        &format!("{} {}", found.len(), changed.as_nanos()),
                    );
                }
                Ok(_) => read.folder(&mut hash, entry, entry, None)?,
                Err(_) => {}
            }
        }
        let name: String = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
        Some(self.folder.join(name))
    }

    /// Puts what is kept into the folder that the classes go to; `false` where nothing is.
    pub fn restore(&self, place: &Path, out: &Path) -> bool {
        // Another run may let go of it meanwhile: an open file stays whole.
        let Ok(file) = std::fs::File::open(place) else {
            return false;
        };
        // What is used stays.
        let _ = file.set_modified(SystemTime::now());
        let archive = zip::ZipArchive::new(file);
        archive.is_ok_and(|mut archive| archive.extract(out).is_ok())
    }

    /// Keeps the classes, and lets go of what was not used for longest. Where that fails, they are compiled again.
    pub fn keep(&self, place: &Path, out: &Path) {
        let mut size = Read {
            most_bytes: MOST_KEPT_BYTES,
            ..Read::default()
        };
        let is_small = size.folder(&mut Sha256::new(), out, out, None).is_some();
        if is_small && self.write(place, out).is_ok() {
            let _ = self.trim(MOST_KEPT, MOST_KEPT_IN_ALL);
        }
    }

    /// One file holds all classes: some file systems take long to make many where as many were removed.
    fn write(&self, place: &Path, out: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let mut staging = tempfile::NamedTempFile::new_in(&self.folder)?;
        let mut archive = zip::ZipWriter::new(staging.as_file_mut());
        add(&mut archive, out, out)?;
        archive.finish()?;
        staging.persist(place)?;
        Ok(())
    }

    /// Keeps what was used last, so many compilations and bytes at most.
    fn trim(&self, most: usize, most_bytes: u64) -> std::io::Result<()> {
        let mut all = Vec::new();
        for entry in std::fs::read_dir(&self.folder)? {
            // What another run has let go of meanwhile is no error.
            let Ok(entry) = entry else { continue };
            let Ok(about) = entry.metadata() else {
                continue;
            };
            let Ok(used) = about.modified() else { continue };
            if !entry.file_name().to_string_lossy().starts_with('.') {
                all.push((used, entry.path(), about.len()));
            } else if used.elapsed().is_ok_and(|age| age > UNFINISHED) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
        all.sort();
        let mut bytes = 0;
        let stay = all.iter().rev().take(most).take_while(|(_, _, size)| {
            bytes += size;
            bytes <= most_bytes
        });
        let surplus = all.len() - stay.count();
        for (_, path, _) in &all[..surplus] {
            // Former versions kept folders.
            let _ = match path.is_dir() {
                true => std::fs::remove_dir_all(path),
                false => std::fs::remove_file(path),
            };
        }
        Ok(())
    }
}

/// Adds all files below a folder to an archive, by their names below `base`.
fn add(
    archive: &mut zip::ZipWriter<&mut std::fs::File>,
    base: &Path,
    at: &Path,
) -> std::io::Result<()> {
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for entry in std::fs::read_dir(at)? {
        let path = entry?.path();
        if path.is_dir() {
            add(archive, base, &path)?;
        } else {
            let name = path.strip_prefix(base).unwrap_or(&path);
            archive.start_file_from_path(name, stored)?;
            std::io::copy(&mut std::fs::File::open(&path)?, archive)?;
        }
    }
    Ok(())
}

fn text(hash: &mut Sha256, text: &str) {
    part(hash, text.as_bytes());
}

/// Takes a part with its length, so that no two lists of parts read the same.
fn part(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// How much was read so far, and may be.
struct Read {
    files: usize,
    bytes: u64,
    most_bytes: u64,
}

impl Default for Read {
    fn default() -> Read {
        Read {
            files: 0,
            bytes: 0,
            most_bytes: MOST_BYTES,
        }
    }
}

impl Read {
    /// Takes a file by its name and content; `None` where that is too much, or it can't be read.
    fn file(&mut self, hash: &mut Sha256, name: &Path, file: &Path) -> Option<()> {
        let bytes = std::fs::read(file).ok()?;
        self.files += 1;
        self.bytes += bytes.len() as u64;
        text(hash, &name.to_string_lossy());
        part(hash, &bytes);
        (self.files <= MOST_FILES && self.bytes <= self.most_bytes).then_some(())
    }

    /// Takes all files below a folder, or those with an ending, in the order of their names; `None` also where a link is among them,
    /// which may lead anywhere.
    fn folder(
        &mut self,
        hash: &mut Sha256,
        base: &Path,
        at: &Path,
        ending: Option<&str>,
    ) -> Option<()> {
        let Ok(entries) = std::fs::read_dir(at) else {
            return Some(());
        };
        let mut entries: Vec<_> = entries.collect::<Result<_, _>>().ok()?;
        entries.sort_by_key(|e| e.file_name());
        for entry in entries {
            self.files += 1;
            if self.files > MOST_FILES {
                return None;
            }
            let (kind, path) = (entry.file_type().ok()?, entry.path());
            if kind.is_symlink() {
                return None;
            }
            if kind.is_dir() {
                self.folder(hash, base, &path, ending)?;
            } else if ending.is_none_or(|e| path.extension().is_some_and(|x| x == e)) {
                let name = path.strip_prefix(base).unwrap_or(&path).to_path_buf();
                self.file(hash, &name, &path)?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_a_fresh_cache() -> (tempfile::TempDir, Kept) {
        let cache = tempfile::tempdir().unwrap();
        let jdk = Jdk {
            home: "/none".into(),
            version: 17,
        };
        let kept = Kept::of(cache.path(), &jdk);
        (cache, kept)
    }

    #[test]
    fn a_compilation_is_known_by_its_input_wherever_that_lies() {
        let (_cache, kept) = in_a_fresh_cache();
        let request = |text: &str, other: &str| {
            let dir = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(dir.path().join("src/a")).unwrap();
            std::fs::write(dir.path().join("src/a/A.java"), text).unwrap();
            std::fs::write(dir.path().join("src/a/B.java"), other).unwrap();
            let request = CompileRequest {
                sources: vec![dir.path().join("src/a/A.java")],
                source_path: vec![dir.path().join("src")],
                out: dir.path().join("out"),
                ..CompileRequest::default()
            };
            (dir, request)
        };
        let place = |text, other| {
            let (_dir, request) = request(text, other);
            kept.place(&request).unwrap()
        };
        assert_eq!(
            place("class A {}", "class B {}"),
            place("class A {}", "class B {}")
        );
        assert_ne!(
            place("class A {}", "class B {}"),
            place("class A { }", "class B {}")
        );
        assert_ne!(
            place("class A {}", "class B {}"),
            place("class A {}", "class B { }")
        );

        let (_dir, mut request) = request("class A {}", "");
        let here = kept.place(&request).unwrap();
        assert!(!kept.restore(&here, &request.out));
        std::fs::create_dir_all(request.out.join("a")).unwrap();
        std::fs::write(request.out.join("a/A.class"), "x").unwrap();
        kept.keep(&here, &request.out);
        std::fs::remove_dir_all(&request.out).unwrap();
        assert!(kept.restore(&here, &request.out));
        assert!(request.out.join("a/A.class").is_file());
        request.flags = vec!["-proc:full".into()];
        assert_eq!(kept.place(&request), None);
    }

    #[test]
    fn what_was_used_last_stays_as_far_as_there_is_room() {
        let (_cache, kept) = in_a_fresh_cache();
        std::fs::create_dir_all(&kept.folder).unwrap();
        let now = SystemTime::now();
        for (name, age) in [("a", 3), ("b", 1), ("c", 4), ("d", 2)] {
            let path = kept.folder.join(name);
            std::fs::write(&path, [0; 10]).unwrap();
            let file = std::fs::File::options().append(true).open(&path).unwrap();
            file.set_modified(now - Duration::from_secs(age)).unwrap();
        }
        let left = || -> Vec<String> {
            let mut all: Vec<String> = std::fs::read_dir(&kept.folder)
                .unwrap()
                .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
                .collect();
            all.sort();
            all
        };
        kept.trim(4, 40).unwrap();
        assert_eq!(left(), ["a", "b", "c", "d"]);
        kept.trim(3, 40).unwrap();
        assert_eq!(left(), ["a", "b", "d"]);
        kept.trim(3, 29).unwrap();
        assert_eq!(left(), ["b", "d"]);
    }

    #[test]
    fn what_another_run_lets_go_of_is_restored_whole_or_not_at_all() {
        let (cache, kept) = in_a_fresh_cache();
        let (classes, place) = (cache.path().join("classes"), kept.folder.join("here"));
        for package in ["a", "b", "c/d", "e/f/g"] {
            std::fs::create_dir_all(classes.join(package)).unwrap();
            for class in 0..8 {
                std::fs::write(classes.join(format!("{package}/{class}.class")), "x").unwrap();
            }
        }
        let ended = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !ended.load(std::sync::atomic::Ordering::SeqCst) {
                    let _ = kept.trim(0, 0);
                    std::thread::sleep(Duration::from_micros(300));
                }
            });
            // A failed check inside would leave the other thread running.
            let (mut none, mut broken) = (0, Vec::new());
            while none < 5 && broken.is_empty() {
                let _ = kept.write(&place, &classes);
                let out = tempfile::tempdir().unwrap();
                if !kept.restore(&place, out.path()) {
                    none += 1;
                    continue;
                }
                broken.extend(["a", "b", "c/d", "e/f/g"].into_iter().filter(|package| {
                    let files = std::fs::read_dir(out.path().join(package));
                    files.map(Iterator::count).unwrap_or(0) != 8
                }));
            }
            ended.store(true, std::sync::atomic::Ordering::SeqCst);
            assert!(broken.is_empty(), "{broken:?}");
        });
    }
}
