"""Flagged share of true and altered claims: python bench/fidelity.py [DIRECTORY]."""
