# SPDX-License-Identifier: Apache-2.0
"""Runs libsecret's tests of a service on D-Bus, each by itself on a bus of its own, since GLib ends at the first that fails.

    libsecret_suite.py SOURCE BUILD [NAME...]     prints "ok NAME" or "not ok NAME" and its output
"""
import os
import subprocess
import sys
import sysconfig

import stage

PROGRAMS = ["collection", "item", "methods", "password", "paths", "prompt", "service", "session"]
SHIM = """import sys
sys.path.insert(0, %r)
import mock_service
mock_service.main(%r, is_seeding=False)
"""
SEED = """import os, sys
sys.path.insert(0, %r)
import mock_service
mock_service.fill_own(os.environ["AUTOFILL_SEED_NAME"], os.environ["AUTOFILL_SEED_KIND"])
"""


def main(source, build, *names):
    own = os.path.dirname(os.path.abspath(__file__))
    for kind in ["delete", "empty", "lock", "normal", "only-plain", "prompt"]:
        with open(f"{source}/libsecret/mock-service-{kind}.py", "w") as file:
            file.write(SHIM % (own, kind))
    preload = f"{build}/preload.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", preload, f"{own}/preload.c"], check=True)
    python = sysconfig.get_config_var("LIBDIR") + "/" + sysconfig.get_config_var("INSTSONAME")
    failed = passed = 0
    for program in PROGRAMS:
        path = f"{build}/libsecret/test-{program}"
        for name in subprocess.run([path, "-l"], capture_output=True, text=True, check=True).stdout.splitlines():
            if not name.startswith("/") or names and name not in names:
                continue
            bus = stage.Stage()
            try:
                bus.start_bus()
                environment = bus.environment | {
                    "PATH": "/usr/bin:/bin", "LD_PRELOAD": preload, "AUTOFILL_SEED": SEED % own, "AUTOFILL_PYTHON": python,
                }
                # To a file: its mock holds a pipe open for a moment longer.
                log = f"{bus.folder}/log"
                with open(log, "wb") as file:
                    run = subprocess.Popen([path, "-p", name], env=environment, stdout=file, stderr=file)
                try:
                    is_passed = run.wait(60) == 0
                except subprocess.TimeoutExpired:
                    run.kill()
                    is_passed = False
                with open(log, errors="replace") as file:
                    output = file.read()
            finally:
                bus.end()
            passed, failed = passed + is_passed, failed + (not is_passed)
            print("ok" if is_passed else "not ok", program, name, flush=True)
            if not is_passed:
                print("".join(f"# {line}\n" for line in output.splitlines()[-12:]), end="", flush=True)
    print(f"{passed} passed, {failed} failed")


main(*sys.argv[1:])
