//! The user's JDK and our worker process in it, which compiles and replays.
