# SPDX-License-Identifier: Apache-2.0
"""What Secret Service costs with autofill-secrets, and beside it with gnome-keyring where that is installed.

    measure.py PROGRAMS [--items N]...     PROGRAMS: where autofilld, autofillctl and autofill-secrets were built; as root

Prints for each number of items the median and the 99th percentile of a search by two attributes, of that with the secret, and of
a durable store; the first call to a bridge that is not running; its private memory after all that, and idle.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

OWN = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(OWN)), "SecretSuitesTests"))
import stage  # noqa: E402

ROOT = "/org/freedesktop/secrets"
OWNED = 1000  # of the program that measures


def microseconds(client, environment, *words):
    run = subprocess.run([client, *map(str, words)], env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(f"{words}: {run.stderr}")
    return [float(line) for line in run.stdout.split()]


def own_memory(pid):
    """What the process alone costs the machine, and the pages of its file that only it reads: those may be dropped at any time."""
    with open(f"/proc/{pid}/smaps_rollup") as file:
        values = {words[0]: int(words[1]) for words in map(str.split, file) if words[0] in ("Anonymous:", "Private_Clean:")}
    return f"{values['Anonymous:']} KiB, and {values['Private_Clean:']} KiB of clean pages of files"


def say(service, what, values, unit=1000, name="ms"):
    values = sorted(values)
    median, worst = statistics.median(values), values[int(len(values) * 0.99)]
    print(f"{service:14} {what:34} median {median / unit:8.2f} {name}   p99 {worst / unit:8.2f} {name}", flush=True)


def fill(client, environment, first, more):
    """One program may not have all: the first items are the client's, and each further lot is of another program."""
    while more > 0:
        part = min(more, OWNED if first == 0 else 2000)
        program = client if first == 0 else f"{client}-{first}"
        if first > 0:
            shutil.copy(client, program)
        microseconds(program, environment, "fill", first, part)
        first, more = first + part, more - part


def measure(service, on, client, counts, fill):
    there = 0
    for items in counts:
        fill(there, items - there)
        there = items
        for what, label in [("search", "search by two attributes"), ("lookup", "the same and its secret")]:
            microseconds(client, on.environment, what, OWNED, 50)
            say(service, f"{label}, {items}", microseconds(client, on.environment, what, OWNED, 1000))
        rounds = 90 if service == "autofill" else 10
        say(service, f"durable store, {items}", microseconds(client, on.environment, "store", 10_000_000 + items, rounds))


def autofill(programs, client, counts):
    on = stage.Stage()
    try:
        on.start_bus()
        data = tempfile.mkdtemp(prefix="af-bench.", dir=os.environ.get("AUTOFILL_BENCH_FOLDER", "/var/tmp"))
        on.start_autofill(data=data)
        measure("autofill", on, client, counts, lambda first, more: fill(client, on.environment, first, more))
        print(f"autofill       private memory after all that      {own_memory(on.bridge.pid)}")
        on.bridge.terminate()
        on.bridge.wait()
        starts = []
        for _ in range(20):
            # As the bus would start it: only the bus address is passed.
            starts += [float(value) * 1000 for value in microseconds(client, on.environment, "first")]
            bridge = on.ask_bus("GetConnectionUnixProcessID")
            last = own_memory(bridge)
            os.kill(bridge, 15)
            while on.owner():
                time.sleep(0.002)
        say("autofill", "first call, bridge not running", starts)
        print(f"autofill       private memory, idle               {last}")
    finally:
        on.end()
        shutil.rmtree(data, ignore_errors=True)


def plain_keyring(path, items):
    """A keyring without a password, in the form that gnome-keyring reads: so many stores of its own would need an hour."""
    with open(path, "w") as file:
        file.write("[keyring]\ndisplay-name=bulk\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n")
        for item in range(items):
            file.write(f"\n[{item + 1}]\nitem-type=0\ndisplay-name=An item\nsecret=a secret of some length\nmtime=0\nctime=0\n")
            for number, (name, value) in enumerate([("server", f"server{item % 100}.example.com"), ("user", f"user{item}")]):
                file.write(f"\n[{item + 1}:attribute{number}]\nname={name}\ntype=string\nvalue={value}\n")


def gnome_keyring(client, counts):
    for items in counts:
        on = stage.Stage()
        try:
            on.start_bus()
            folder = on.environment["XDG_DATA_HOME"] + "/keyrings"
            os.makedirs(folder)
            plain_keyring(f"{folder}/bulk.keyring", items)
            with open(f"{folder}/default", "w") as file:
                file.write("bulk")
            on.start_gnome_keyring()
            unlock = ["org.freedesktop.Secret.Service", "Unlock", "ao", "1", f"{ROOT}/collection/bulk"]
            subprocess.run(
                ["busctl", "--user", "call", stage.NAME, ROOT, *unlock], env=on.environment, check=True, stdout=subprocess.DEVNULL)
            measure("gnome-keyring", on, client, [items], lambda first, more: None)
        finally:
            on.end()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("programs")
    parser.add_argument("--items", type=int, action="append")
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    counts = options.items or [OWNED, 9_800]  # 10,000 are the most that autofilld keeps, with those that are stored to measure
    if not options.installed:
        return stage.run_installed(os.path.abspath(options.programs), sys.argv[1:], __file__)
    folder = tempfile.mkdtemp(prefix="af-ss.", dir="/tmp")
    client = f"{folder}/secret-client"
    subprocess.run(["cc", "-O2", "-o", client, f"{OWN}/client.c", "-lsystemd"], check=True)
    try:
        autofill(options.programs, client, counts)
        if shutil.which("gnome-keyring-daemon"):
            gnome_keyring(client, counts)
    finally:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
