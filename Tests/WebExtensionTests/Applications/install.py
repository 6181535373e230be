# SPDX-License-Identifier: Apache-2.0
"""Installs real applications below .build/applications: from PyPI in the versions that are written here, from Debian in those of the machine's
release. Nothing is configured on the machine, and no service starts."""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / ".build/applications"

PYTHON = {
    "django": ("Django==5.2.19", "django-allauth[mfa]==65.22.1"),
    "flask_security": ("Flask-Security-Too[common]==5.9.2", "Flask-SQLAlchemy-Lite==0.2.1", "cryptography==50.0.2", "qrcode==8.2"),
    "jupyterhub": ("jupyterhub==5.3.0", "jupyterhub-nativeauthenticator==1.3.0", "SQLAlchemy==2.0.58"),
    "jupyter_server": ("jupyter_server==2.21.1",),
    "radicale": ("Radicale==3.9.0", "bcrypt==5.0.0"),
    "appbuilder": ("Flask-AppBuilder==5.3.0",),
    "trac": ("Trac==1.6", "TracAccountManager==0.6.0", "setuptools==80.9.0"),
}


class Unavailable(Exception):
    """Why an application cannot be installed here."""


def _run(command, what):
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise Unavailable(f"{what}: {run.stderr.strip()[-400:]}")
    return run.stdout


def _installed(name, wanted, install):
    """A folder of its own for what is wanted, installed again where that has changed."""
    folder, mark = FOLDER / name, FOLDER / f"{name}.installed"
    if not (mark.exists() and mark.read_text() == "\n".join(wanted)):
        mark.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        install(folder)
        mark.write_text("\n".join(wanted))
    return folder


def python(name):
    """The packages of PYTHON[name], in a folder for PYTHONPATH."""
    options = ["--quiet", "--retries", "1", "--timeout", "20", "--disable-pip-version-check"]
    return _installed(name, PYTHON[name], lambda folder: _run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), *PYTHON[name]], "pip"))


def debian(name, *packages):
    """Debian packages and what they need, unpacked; returns the start of a command that sees them in /usr and /etc."""
    if not shutil.which("apt-get"):
        raise Unavailable("needs apt-get")

    def install(folder):
        archives = folder / "archives"
        (archives / "partial").mkdir(parents=True)
        _run(["apt-get", "install", "--download-only", "--yes", "--no-install-recommends", "-o", f"Dir::Cache::archives={archives}",
              "-o", "Debug::NoLocking=1", *packages], "apt-get")
        for archive in sorted(archives.glob("*.deb")):
            _run(["dpkg-deb", "--extract", str(archive), str(folder)], "dpkg-deb")
        shutil.rmtree(archives)
        (folder / "etc").mkdir(exist_ok=True)

    folder = _installed(name, packages, install)
    command = [str(ROOT / "Tests/isolate"), "--etc", str(folder / "etc"), "--usr", str(folder / "usr")]
    _run([*command, "true"], "needs root, and the right to mount overlays")
    return command
