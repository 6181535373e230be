# SPDX-License-Identifier: Apache-2.0
"""A real daemon for a test, in a folder of its own. AUTOFILLD is the path of the program; without it these tests are skipped."""

import base64
import os
import pty
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from autofill_client import Client, _registration

PROGRAM = os.environ.get("AUTOFILLD", "")
KEY = b"k" * 32
SHOP = """{"bundleID": "org.example.Shop", "name": "Example Shop", "entitlements": {
  "com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
  "com.apple.developer.authentication-services.autofill-credential-provider": true}}"""
KEYRING = _registration.FILE
PROOF = {"type": "key", "key": {"base64": base64.b64encode(KEY).decode()}}
#: The pinentry for a terminal: the first that is installed, as the daemon selects it. The last text on its screen while it
#: waits, and the input for no.
PINENTRIES = {"/usr/bin/pinentry-curses": (b"Not now>", b"\r"), "/usr/bin/pinentry-tty": (b"Number:", b"\r")}
PINENTRY = next(filter(os.path.exists, PINENTRIES), None)


def in_child(work):
    """Runs `work` in a forked child. Returns its exit status: 0 if `work` returned True."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if work() is True else 2
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Daemon:
    """autofilld on a socket that remains open after it, as with systemd."""

    def __init__(self, *consent, is_ephemeral=True, registrations=True):
        self.folder = tempfile.mkdtemp(prefix="aft.", dir="/tmp")
        self.socket = self.folder + "/s"
        apps = Path(self.folder, "apps")
        apps.mkdir()
        if registrations:
            (apps / "org.example.Shop.json").write_text(SHOP)
            shutil.copy(KEYRING, apps)
        for name in ("settings", "system"):
            Path(self.folder, name + ".json").write_text('{"siteAssociation":"advisory"}' if name == "system" else "{}")
            Path(self.folder, name + ".json").chmod(0o600)
        key = Path(self.folder, "autofilld.vault-key")
        key.write_bytes(KEY)
        key.chmod(0o600)
        self.listener = None
        self.arguments = ["--registrations", str(apps)]
        if is_ephemeral:
            self.arguments += ["--ephemeral", "--socket", self.socket, "--vault-key", str(key)]
            self.arguments += [word for answer in consent for word in ("--consent", answer)]
        else:
            self.listener = socket.socket(socket.AF_UNIX)
            self.listener.bind(self.socket)
            self.listener.listen(64)
            self.arguments += [
                "--data-directory", self.folder + "/data", "--settings", self.folder + "/settings.json",
                "--system-settings", self.folder + "/system.json"]
        self.start()

    def start(self):
        script = 'exec "$@"'
        environment = {**os.environ, "CREDENTIALS_DIRECTORY": self.folder}
        for name in ("NOTIFY_SOCKET", "JOURNAL_STREAM", "LISTEN_FDS", "AUTOFILLD_SOCKET"):
            environment.pop(name, None)
        passed = ()
        if self.listener is not None:
            # As systemd passes it: the first descriptor after standard error.
            passed = (self.listener.fileno(),)
            script = f'exec 3<&{passed[0]}; LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"'
        with open(self.folder + "/log", "ab") as log:
            self.process = subprocess.Popen(
                ["bash", "-c", script, "bash", PROGRAM, *self.arguments], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env=environment, pass_fds=passed)
        if self.listener is None:
            self.await_socket()

    def await_socket(self):
        while self.process.poll() is None:
            with socket.socket(socket.AF_UNIX) as attempt:
                if attempt.connect_ex(self.socket) == 0:
                    return
            try:
                self.process.wait(0.005)
            except subprocess.TimeoutExpired:
                pass
        raise AssertionError(Path(self.folder, "log").read_text())

    def kill(self):
        self.process.kill()
        self.process.wait()

    def terminate(self):
        self.process.terminate()
        self.process.wait()

    def pause(self):
        """Stops the process: requests wait until it continues or is killed."""
        self.process.send_signal(signal.SIGSTOP)
        os.waitpid(self.process.pid, os.WUNTRACED)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def make_vault(self):
        with Client("org.autofilld.autofillctl", self.socket) as administrator:
            administrator.call("admin.vault.create", key=PROOF["key"])

    def save(self, domain):
        """Saves a credential that no app made, so that each app needs the user's consent."""
        with Client("org.autofilld.autofillctl", self.socket) as administrator:
            service = {"type": "domain", "value": domain}
            administrator.call("credential.save", service=service, user="ann", password="hunter2", proof=PROOF)

    def lock(self):
        with Client("org.autofilld.autofillctl", self.socket) as administrator:
            administrator.call("admin.vault.lock")

    def close(self):
        self.kill()
        if self.listener is not None:
            self.listener.close()
        shutil.rmtree(self.folder)


class Terminal:
    """A terminal for the daemon's prompts, with the test as the user. A prompting request waits until the test answers no or closes it."""

    def __init__(self, daemon):
        self._screen, end = pty.openpty()
        self._administrator = Client("org.autofilld.autofillctl", daemon.socket)
        self._administrator.call("admin.prompter.attach", terminal=os.ttyname(end), type="xterm", proof=PROOF)
        # From now on only the pinentry has it open.
        os.close(end)

    def _read(self):
        """The next text on the screen; empty if the pinentry has ended, or not started."""
        if not select.select([self._screen], [], [], 60)[0]:
            raise AssertionError("nothing is shown")
        try:
            return os.read(self._screen, 4096)
        except OSError:
            return b""

    def await_question(self):
        """Waits until the pinentry waits for an answer."""
        shown, end = b"", time.monotonic() + 60
        while PINENTRIES[PINENTRY][0] not in shown:
            shown += self._read() or self._pause(end)

    def await_end(self):
        """Waits until it has ended."""
        while self._read():
            pass

    @staticmethod
    def _pause(end):
        if time.monotonic() > end:
            raise AssertionError("nobody is asked")
        time.sleep(0.005)
        return b""

    def deny(self):
        os.write(self._screen, PINENTRIES[PINENTRY][1])

    def close(self):
        self._administrator.close()
        os.close(self._screen)


@unittest.skipUnless(PROGRAM, "AUTOFILLD does not name the daemon's program")
class StageTest(unittest.TestCase):
    """A test that has a daemon, or several."""

    def daemon(self, *consent, **options):
        daemon = Daemon(*consent, **options)
        self.addCleanup(daemon.close)
        return daemon

    def client(self, daemon, bundle_id="org.example.Shop"):
        client = Client(bundle_id, daemon.socket)
        self.addCleanup(client.close)
        return client

    def terminal(self, daemon):
        if PINENTRY is None:
            self.skipTest("neither pinentry-curses nor pinentry-tty is installed")
        terminal = Terminal(daemon)
        self.addCleanup(terminal.close)
        return terminal

    def await_waiting(self, client, count=1):
        """Waits until this number of requests of other threads are about to be sent, or wait for their answers."""
        while len(client._connection._requests._waiting) < count:
            pass
