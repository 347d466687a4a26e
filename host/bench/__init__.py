"""The promises, measured."""
