"""3  Page -> Extract: what the focus asks for, by a model or by ranking."""
