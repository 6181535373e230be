# SPDX-License-Identifier: Apache-2.0
"""Has gnome-keyring make keyrings of what seed.py reads on standard input, and puts their files into FOLDER, which is not there yet.

    make_keyrings.py FOLDER

All open with the password `login`, except collections whose line has another.
"""
import json
import shutil
import sys

import seed
import stage


def main():
    own = stage.Stage()
    try:
        own.start_bus()
        own.start_gnome_keyring()
        seed.fill(stage.NAME, map(json.loads, sys.stdin))
        shutil.copytree(own.environment["XDG_DATA_HOME"] + "/keyrings", sys.argv[1])
    finally:
        own.end()


if __name__ == "__main__":
    main()
