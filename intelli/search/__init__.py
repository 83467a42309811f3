"""1  Query -> Links: backends, chains, links out of prose, local documents."""
