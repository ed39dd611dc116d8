//! Nothing but benchmarks: see `peers/`.
