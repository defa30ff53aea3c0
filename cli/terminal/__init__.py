"""What the verbs share: options, output, and drawing in a terminal."""
