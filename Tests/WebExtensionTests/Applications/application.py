# SPDX-License-Identifier: Apache-2.0
"""A real application under test: how it is started, its pages, and its own check of a password."""
import contextlib
import dataclasses
import html
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

from Applications import install
from Applications.proxy import Proxy, send

FIRST, OF_BOB, WRONG = "correct horse 1 Battery", "of another User 2", "wrong Horse 3 staple"


@dataclasses.dataclass
class Form:
    """A page with a form: the selectors of its fields, and what the page shows afterwards, as expressions of JavaScript."""

    path: str
    # A click on it sends the form.
    button: str
    user: str = ""
    password: str = ""
    # Of a change: the former password, or the repetition of the new one.
    old: str = ""
    again: str = ""
    # What the user must type or click as well: selector and text, or None for a click.
    others: tuple = ()
    accepted: str = "true"
    refused: str = "true"
    # Whether the answer comes without another page.
    is_single: bool = False


class Visitor:
    """A client outside the browser, with cookies."""

    def __init__(self, application):
        self.application, self.cookies, self.body, self.status, self.location = application, {}, "", 0, ""

    def request(self, method, path, fields=None, headers=None):
        sent = {"Host": self.application.authority, "Referer": self.application.url(path), "Origin": self.application.url("").rstrip("/"), **(headers or {})}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = b""
        if fields is not None:
            body = urllib.parse.urlencode(fields).encode()
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        answer, content = send(self.application.proxy.target, method, path, sent, body)
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        self.status, self.body = answer.status, content.decode(errors="replace")
        self.location = answer.headers.get("Location", "")
        return self

    def fields(self, marker=""):
        """The hidden fields of the first form that contains the marker."""
        form = next((form for form in re.findall(r"<form.*?</form>", self.body, re.S) if marker in form), "")
        tags = re.findall(r"<input[^>]*type=[\"']?hidden[^>]*>", form)
        pairs = [(re.search(r"name=[\"']([^\"']*)", tag), re.search(r"value=[\"']([^\"']*)", tag)) for tag in tags]
        return {name[1]: html.unescape(value[1]) if value else "" for name, value in pairs if name}

    def send(self, path, marker, **fields):
        """Opens a page, and sends its form."""
        self.request("GET", path)
        return self.request("POST", path, {**self.fields(marker), **fields})


class Application:
    """One that runs for a test. `sign_up`, `sign_in`, `change` and `code` (of a second step) are its forms, None where it has none."""

    users = ("ann@example.com", "bob@example.com", "eve@example.com")
    sign_up = sign_in = change = code = None
    # A page with HTTP authentication: its path, and what it shows then.
    basic = None
    # Whether its sign-in works in frames: a cookie does not in those of other sites.
    has_frames = False
    host = "shop.example.com"
    # Headers of answers that a script in the browser does not get.
    dropped = ()

    def __init__(self, folder, certificates):
        self.folder = pathlib.Path(folder)
        self.proxy = Proxy(certificates, self.dropped)
        self.authority = f"{self.host}:{self.proxy.port}"
        self.processes = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def url(self, path):
        return f"https://{self.authority}/{path.lstrip('/')}"

    # ------------------------------------------------------------ what an application defines
    @classmethod
    def install(cls):
        """Installs it. Raises install.Unavailable."""
        raise NotImplementedError

    def start(self):
        """Starts it at self.port, with no accounts."""
        raise NotImplementedError

    def create(self, user, password):
        """Makes an account, outside the browser."""
        raise NotImplementedError

    def accepts(self, user, password):
        """The application's own check of a password, outside the browser."""
        raise NotImplementedError

    def require_code(self, user, secret):
        """From now on the user needs a one-time code as well."""
        raise NotImplementedError

    def forget(self, browser):
        """Signs out a browser that keeps this elsewhere than in cookies."""

    # ------------------------------------------------------------ for them
    def python(self, name, arguments, **variables):
        """A command with the installed packages of PyPI, and its environment."""
        environment = {**os.environ, "PYTHONPATH": f"{install.python(name)}{os.pathsep}{self.folder}", "PYTHONDONTWRITEBYTECODE": "1",
                       "HOME": str(self.folder), **variables}
        return [sys.executable, *arguments], environment

    def run(self, command, environment=None, given=""):
        run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=self.folder, timeout=240, input=given)
        assert run.returncode == 0, run.stdout[-1500:] + run.stderr[-1500:]
        return run.stdout

    def serve(self, command, environment=None, path="/"):
        """Starts the server, and waits until it answers."""
        self.spawn(command, environment)
        self.proxy.target = self.port
        deadline = time.monotonic() + 120
        while True:
            with contextlib.suppress(OSError):
                if Visitor(self).request("GET", path).status < 500:
                    return
            self.alive(deadline)

    def spawn(self, command, environment=None):
        with open(self.folder / "log", "a") as log:
            self.processes.append(subprocess.Popen(
                command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment, cwd=self.folder, start_new_session=True))

    def alive(self, deadline):
        log = (self.folder / "log").read_text(errors="replace")[-2000:]
        assert all(process.poll() is None for process in self.processes), log
        assert time.monotonic() < deadline, f"it does not answer: {log}"
        time.sleep(0.05)

    def close(self):
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.proxy.close()
