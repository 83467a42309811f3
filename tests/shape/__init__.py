"""What must hold for the source itself: layers, owners, sizes, the package and the documents."""
