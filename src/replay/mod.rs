//! Replay of predicted inputs on the real JVM in both versions and comparison with the prediction.
