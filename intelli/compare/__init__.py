"""Two sessions side by side, and one session again: matching, refetching, replaying."""
