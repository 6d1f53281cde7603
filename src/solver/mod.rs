//! Feasibility of path conditions: cheap layers in front of Z3.
