"""The one way to the network: guarded, bounded, pinned."""
