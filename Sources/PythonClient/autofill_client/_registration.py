# SPDX-License-Identifier: Apache-2.0
"""Which app Python's keyring is to the daemon."""

from pathlib import Path

BUNDLE_ID = "org.pypi.keyring"
#: What `autofillctl app register` takes.
FILE = Path(__file__).with_name(f"{BUNDLE_ID}.json")
