"""Sessions on disk: layout, index, refs, locks."""
