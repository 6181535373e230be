# SPDX-License-Identifier: Apache-2.0
"""A private bus with a Secret Service on it, for one command.

    stage.py [--service autofill|gnome-keyring|bus|none] [--programs DIR] [--consent WORD]... [--numbered] COMMAND...

`autofill` is autofilld with a vault in memory and autofill-secrets, installed as root installs them, in a mount namespace of
their own; `bus` is nothing but the bus, and `none` not even that. COMMAND finds DBUS_SESSION_BUS_ADDRESS, AUTOFILLD_SOCKET and an empty HOME. Its exit status is this one's.
"""
import argparse
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = "/etc/autofilld/bin"
NAME = "org.freedesktop.secrets"
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=%s</listen><servicedir>%s</servicedir><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
<limit name="max_match_rules_per_connection">50000</limit><limit name="reply_timeout">300000</limit></busconfig>
"""


def dies_with_parent():
    """Whatever ends a stage ends what it has started."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


class Stage:
    """The bus and the programs on it; `end` ends them all."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="af-ss.", dir="/tmp")
        self.environment = {
            name: value for name, value in os.environ.items()
            if name not in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME", "LD_PRELOAD")
        }
        for name, path in [("HOME", "home"), ("XDG_RUNTIME_DIR", "run"), ("XDG_DATA_HOME", "home/.local/share")]:
            self.environment[name] = f"{self.folder}/{path}"
            os.makedirs(self.environment[name], mode=0o700, exist_ok=True)
        self.processes = []

    def start(self, command, **options):
        log = open(f"{self.folder}/{os.path.basename(command[0])}.log", "ab")
        options = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log} | options
        process = subprocess.Popen(command, env=self.environment, preexec_fn=dies_with_parent, **options)
        self.processes.append(process)
        return process

    def log(self, program):
        with open(f"{self.folder}/{program}.log", errors="replace") as file:
            return file.read()

    def wait(self, what, is_there, process, seconds=120):
        deadline = time.monotonic() + seconds
        while not is_there():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{what}: {self.log(os.path.basename(process.args[0]))}")
            time.sleep(0.005)

    def start_bus(self):
        """The bus would start autofill-secrets as after `autofillctl secret-service enable`, but for systemd."""
        address = f"{self.folder}/bus"
        with open(f"{self.folder}/bus.conf", "w") as file:
            file.write(BUS % (address, self.folder))
        with open(f"{self.folder}/{NAME}.service", "w") as file:
            file.write(f"[D-BUS Service]\nName={NAME}\nExec={PROGRAMS}/autofill-secrets --socket {self.folder}/s\n")
        process = self.start(["/usr/bin/dbus-daemon", "--nofork", f"--config-file={self.folder}/bus.conf"])
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={address}"
        self.wait("no bus", lambda: os.path.exists(address), process)

    def ask_bus(self, method, name=NAME):
        address = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        try:
            with open_dbus_connection() as bus:
                reply = bus.send_and_get_reply(new_method_call(address, method, "s", (name,)))
        except OSError:  # the bus is about to listen
            return None
        return reply.body[0] if reply.header.message_type.name == "method_return" else None

    def owner(self):
        """The owner of the service's name; None if there is none."""
        return self.ask_bus("GetNameOwner")

    def start_autofill(self, programs=PROGRAMS, consent=("allow",), is_numbered=False, data=None):
        """
        - consent: the user's answers; none if it is empty.
        - data: where the vault is; else it is in memory.
        """
        socket = f"{self.folder}/s"
        command = [f"{programs}/autofilld", "--socket", socket, "--registrations", "/etc/autofilld/apps"]
        if data:
            self.environment["CREDENTIALS_DIRECTORY"] = data
            with open(f"{data}/autofilld.vault-key", "wb", opener=lambda *way: os.open(*way, 0o600)) as file:
                file.write(os.urandom(32))
            command += ["--data-directory", f"{data}/vault", "--settings", f"{data}/settings", "--system-settings", f"{data}/system"]
        else:
            command += ["--ephemeral", "--vault-key", f"{self.folder}/key", *(["--consent", *consent] if consent else [])]
        daemon = self.daemon = self.start(command)
        self.wait("no daemon", lambda: os.path.exists(socket), daemon)
        self.environment["AUTOFILLD_SOCKET"] = socket
        if data:
            create = ["vault", "create", "--no-passphrase", "--key-file", f"{data}/autofilld.vault-key"]
            subprocess.run([f"{programs}/autofillctl", *create], env=self.environment, check=True, stdout=subprocess.DEVNULL)
        self.start_bridge(programs, is_numbered)

    def start_bridge(self, programs=PROGRAMS, is_numbered=False):
        self.bridge = self.start([f"{programs}/autofill-secrets"] + (["--test-numbered"] if is_numbered else []))
        self.wait("no bridge", self.owner, self.bridge)

    def start_gnome_keyring(self):
        os.makedirs(self.environment["XDG_DATA_HOME"] + "/keyrings", exist_ok=True)
        keyring = self.start(
            ["gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground"], stdin=subprocess.PIPE)
        keyring.stdin.write(b"login")
        keyring.stdin.close()
        self.keyring = keyring
        self.wait("no gnome-keyring", self.owner, keyring)

    def end(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


# ---------------------------------------------------------------- files of root
INSTALL = r"""
set -eu
umask 022
mkdir -p "$1/autofilld/apps" "$1/autofilld/delegates" "$1/autofilld/bin"
for program in autofilld autofillctl autofill-secrets; do ln "$2/$program" "$1/autofilld/bin/$program" 2>/dev/null ||
    cp "$2/$program" "$1/autofilld/bin/$program"; done
for file in "$3"/*.json; do
    sed "s|/usr/local/bin/|/etc/autofilld/bin/|" "$file" >"$1/autofilld/apps/${file##*/}"
done
mv "$1/autofilld/apps/delegate.json" "$1/autofilld/delegates/autofill-secrets.json"
"""


def run_installed(programs, arguments, script=__file__):
    """Runs this program again, where /etc has autofilld's files."""
    files = tempfile.mkdtemp(prefix="af-etc.", dir="/tmp")
    os.chmod(files, 0o755)
    try:
        subprocess.run(["sh", "-c", INSTALL, "sh", files, programs, f"{ROOT}/systemd/secrets"], check=True)
        command = [f"{ROOT}/Tests/isolate", "--etc", files, "/usr/bin/python3", "-B", script, "--installed"]
        return subprocess.run(command + arguments).returncode
    finally:
        shutil.rmtree(files, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--service", default="autofill")
    parser.add_argument("--programs", default=f"{ROOT}/.build/debug")
    parser.add_argument("--consent", action="append")
    parser.add_argument("--no-answer", action="store_true", help="instead of --consent allow")
    parser.add_argument("--numbered", action="store_true")
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    is_keyring = "gnome-keyring" in (options.service, os.environ.get("AUTOFILL_SUITE_SERVICE"))
    if not options.installed and not is_keyring:
        return run_installed(os.path.abspath(options.programs), sys.argv[1:])
    if options.service == "none":
        return subprocess.run(options.command).returncode
    stage = Stage()
    try:
        stage.start_bus()
        if options.service == "autofill":
            consent = [] if options.no_answer else options.consent or ["allow"]
            stage.start_autofill(consent=consent, is_numbered=options.numbered)
        elif options.service == "gnome-keyring":
            stage.start_gnome_keyring()
        stage.environment["AUTOFILL_STAGE"] = stage.folder
        status = subprocess.run(options.command, env=stage.environment).returncode
        if status != 0 and options.service == "autofill":
            sys.stderr.write(f"--- autofill-secrets\n{stage.log('autofill-secrets')}--- autofilld\n{stage.log('autofilld')}")
        return status
    finally:
        stage.end()


if __name__ == "__main__":
    sys.exit(main())
