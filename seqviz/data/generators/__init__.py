"""What is drawn when asked for: tasks, melodies, pictures; and the words of `opinions`."""
