# SPDX-License-Identifier: Apache-2.0
"""The app that Python's keyring is for the daemon."""

from pathlib import Path

BUNDLE_ID = "org.pypi.keyring"
#: The registration, for `autofillctl app register`.
FILE = Path(__file__).with_name(f"{BUNDLE_ID}.json")
