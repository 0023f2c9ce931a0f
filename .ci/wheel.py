"""What a wheel holds besides the package: data sets, notebooks without answers, Lab's settings."""

from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = {"datasets": "_datasets", "notebooks": "_notebooks", ".jupyter": "_jupyter"}
LEFT_OUT = {"__pycache__", ".ipynb_checkpoints", "assignments"}  # these hold the answers


class Beside(BuildHookInterface):
    """Puts the folders into the package; an editable install finds them where they are."""

    def initialize(self, version: str, build_data: dict) -> None:
        """Tell hatch of each file and of its place in the wheel."""
        if version == "editable":
            return
        for folder, place in FOLDERS.items():
            root = Path(self.root, folder)
            for path in sorted(root.rglob("*")):
                inside = path.relative_to(root)
                makes_data = folder == "datasets" and path.suffix == ".py"
                if path.is_file() and not makes_data and not LEFT_OUT & {*inside.parts}:
                    build_data["force_include"][str(path)] = f"seqviz/{place}/{inside.as_posix()}"
