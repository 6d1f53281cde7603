//! Control-flow graphs, post-dominators and the call graph: what a change can reach.
