"""Text to tensors."""
