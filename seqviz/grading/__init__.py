"""Assignments of a class with nbgrader: copies, submissions, grades, feedback, points."""
