//! Class files of the builds, of jars and of the JDK's runtime image, decoded into our own instructions.

pub mod class_file;
