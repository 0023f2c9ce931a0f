"""What students get: the source without solutions and hidden tests."""

from pathlib import Path

from nbgrader.converters import GenerateAssignment

from seqviz.grading.course import Course

SECRET = ("BEGIN SOLUTION", "END SOLUTION", "HIDDEN TESTS")


def release(course: Course, assignment: str) -> Path:
    """Make the copy that students get, and tell the gradebook what it is worth.

    Returns
    -------
    Path
        The notebook to hand out.

    Raises
    ------
    ValueError
        If there is no such assignment, or something in the copy gives its solution away.
    """
    course.source(assignment)
    with course.alone():
        with course.gradebook():  # makes the data base
            pass
        directory = course.directory(assignment, ".")
        GenerateAssignment(coursedir=directory, force=True).start()
        path = course.notebook("release", assignment)
        text = "\n".join(cell.source for cell in course.copy(assignment).cells)
    if told := [word for word in SECRET if word in text]:
        raise ValueError(f"{path} holds {', '.join(told)}: mend the marks in the source")
    return path
