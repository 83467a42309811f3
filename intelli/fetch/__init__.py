"""2  Link -> Page: both readings of a page, the cleaner one kept."""
