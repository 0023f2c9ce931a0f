"""A JupyterHub for one class on one machine; see README.md beside this file.

SEQVIZ_HUB_PASSWORD   what students log in with
SEQVIZ_HUB_COURSE     the course's folder; its release/ is handed out (course, if not set)
SEQVIZ_HUB_HOMES      where students' folders lie (homes, if not set)
"""

import os
import shutil
from pathlib import Path

COURSE = Path(os.environ.get("SEQVIZ_HUB_COURSE", "course")).absolute()
HOMES = Path(os.environ.get("SEQVIZ_HUB_HOMES", "homes")).absolute()
IDLE = 20 * 60  # seconds after which a kernel that does nothing ends


def hand_out(spawner) -> None:
    """Put the assignments into a student's folder; what is there stays."""
    home = HOMES / spawner.user.name
    home.mkdir(parents=True, exist_ok=True)
    for notebook in COURSE.glob("release/*/*.ipynb"):
        if not (home / notebook.name).exists():
            shutil.copy(notebook, home / notebook.name)


c = get_config()  # noqa: F821
c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # TLS is the work of a server before it
c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = os.environ["SEQVIZ_HUB_PASSWORD"]
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = str(HOMES / "{username}")
c.Spawner.pre_spawn_hook = hand_out
c.Spawner.default_url = "/lab"
c.Spawner.environment = {"OMP_NUM_THREADS": "1"}
c.Spawner.args = [
    f"--MappingKernelManager.cull_idle_timeout={IDLE}",
    "--MappingKernelManager.cull_interval=60",
]
c.Spawner.start_timeout = 120
c.Spawner.http_timeout = 120
c.JupyterHub.concurrent_spawn_limit = 40  # a class comes at once
