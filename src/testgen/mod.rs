//! JUnit tests written from findings.
