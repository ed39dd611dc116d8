//! Tests that look inside the search.
