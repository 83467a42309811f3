"""4  Extracts -> Report: one answer with sources, every detail verified, conflicts flagged."""
