"""The rulebook with what the tables made of it in the margin: what stands there, and how it is drawn."""
