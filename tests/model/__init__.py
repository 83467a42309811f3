"""The pipeline with a real, small model; run by `make test-model`."""
