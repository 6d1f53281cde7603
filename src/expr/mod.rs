//! Hash-consed terms over bit-vectors, booleans and IEEE floats, simplified when built.
