//! The symbolic JVM over product states: both versions in one state.
