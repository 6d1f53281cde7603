//! The user's repository: revisions, changed files and snapshots, through git2, without touching work tree or index.
