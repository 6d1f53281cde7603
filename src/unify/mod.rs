//! Writing of the unified program: change() and execute() placed by the papers' patterns.
