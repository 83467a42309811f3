"""The five stages as the installed command runs them, against the world's servers."""
