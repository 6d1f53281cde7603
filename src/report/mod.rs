//! What a run's result looks like on the terminal and as JSON.
