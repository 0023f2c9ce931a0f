"""English sentences and their French translations, drawn from a grammar."""
