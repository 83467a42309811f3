"""5  Query + index -> Related: earlier sessions that may help."""
