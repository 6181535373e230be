# SPDX-License-Identifier: Apache-2.0
"""Prints whether keyring can store passwords in autofilld, and the fix if it cannot.

    python3 -m autofill_client                  exit status 0 if it can
    python3 -m autofill_client --registration   prints the path of its registration
"""

from __future__ import annotations

import sys
from typing import List, Tuple

from . import _registration
from .client import Client
from .errors import AutofillError


def state() -> Tuple[bool, str]:
    """Whether it can, and a line for the user."""
    try:
        with Client(_registration.BUNDLE_ID) as client:
            # There is no such item, so no prompt is shown.
            client.keychain_get("autofill-client", "state", interaction=False)
    except AutofillError as error:
        if error.is_for("item-not-found", "interaction-required"):
            return True, "keyring can store passwords in autofilld."
        if error.is_for("app-not-registered"):
            return False, f"keyring is not registered with autofilld: autofillctl app register {_registration.FILE}"
        return False, str(error)
    return True, "keyring can store passwords in autofilld."


def main(arguments: List[str]) -> int:
    if arguments == ["--registration"]:
        print(_registration.FILE)
        return 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 64
    can, line = state()
    print(line)
    return 0 if can else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
