"""The models, built in the open: a file per lecture idea."""
