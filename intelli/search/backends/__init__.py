"""One file for each search service; `intelli/search/backend.py` holds the table."""
