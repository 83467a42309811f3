"""The tests of intelli: a world on loopback, and what must hold in it."""
