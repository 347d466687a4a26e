"""Screen and phones."""
