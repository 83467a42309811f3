"""Sites that answer better at another address than the page's own, one module each."""
