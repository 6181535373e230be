# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel and the source archive (PEP 517), with Python's own library alone. The same files result in the same bytes."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, Mapping, Optional

HERE = Path(__file__).parent
PACKAGE = HERE / "autofill_client"
VERSION = re.findall(r'^__version__ = "(.+)"$', (PACKAGE / "__init__.py").read_text(encoding="utf-8"), re.M)[0]
NAME = f"autofill_client-{VERSION}"
#: The earliest time of a zip archive.
TIME = (1980, 1, 1, 0, 0, 0)
METADATA = f"""\
Metadata-Version: 2.1
Name: autofill-client
Version: {VERSION}
Summary: The client of autofilld: Password AutoFill and a keychain for Linux desktop apps, and a backend of keyring
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: keyring
Requires-Dist: keyring>=23.9; extra == 'keyring'
Classifier: Operating System :: POSIX :: Linux
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

"""
WHEEL = "Wheel-Version: 1.0\nGenerator: autofill-client\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
ENTRY_POINTS = "[keyring.backends]\nautofill = autofill_client.keyring\n"


def _metadata() -> bytes:
    return METADATA.encode() + (HERE / "README.md").read_bytes()


def _package() -> Dict[str, bytes]:
    """The files of the package, by their names in the archives."""
    files = (file for file in sorted(PACKAGE.iterdir()) if file.suffix in {".py", ".typed", ".json"})
    return {f"autofill_client/{file.name}": file.read_bytes() for file in files}


def _information() -> Dict[str, bytes]:
    return {
        f"{NAME}.dist-info/METADATA": _metadata(),
        f"{NAME}.dist-info/WHEEL": WHEEL.encode(),
        f"{NAME}.dist-info/entry_points.txt": ENTRY_POINTS.encode(),
    }


def _write_wheel(directory: str, files: Dict[str, bytes]) -> str:
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
        record += f"{name},sha256={digest},{len(content)}\n"
    record_name = f"{NAME}.dist-info/RECORD"
    with zipfile.ZipFile(Path(directory, f"{NAME}-py3-none-any.whl"), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**files, record_name: f"{record}{record_name},,\n".encode()}.items():
            information = zipfile.ZipInfo(name, TIME)
            information.external_attr = 0o100644 << 16
            information.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(information, content)
    return f"{NAME}-py3-none-any.whl"


def build_wheel(
    wheel_directory: str, config_settings: Optional[Mapping[str, Any]] = None, metadata_directory: Optional[str] = None
) -> str:
    return _write_wheel(wheel_directory, {**_package(), **_information()})


def build_editable(
    wheel_directory: str, config_settings: Optional[Mapping[str, Any]] = None, metadata_directory: Optional[str] = None
) -> str:
    """A wheel that has only the path of the package (PEP 660)."""
    return _write_wheel(wheel_directory, {"autofill_client.pth": f"{HERE}\n".encode(), **_information()})


def build_sdist(sdist_directory: str, config_settings: Optional[Mapping[str, Any]] = None) -> str:
    files = {
        **_package(), "PKG-INFO": _metadata(),
        **{name: (HERE / name).read_bytes() for name in ("README.md", "pyproject.toml", "build_backend.py")},
        **{f"tests/{file.name}": file.read_bytes() for file in sorted((HERE / "tests").glob("*.py"))},
    }
    archived = io.BytesIO()
    with tarfile.open(fileobj=archived, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in files.items():
            information = tarfile.TarInfo(f"{NAME}/{name}")
            information.size = len(content)
            archive.addfile(information, io.BytesIO(content))
    Path(sdist_directory, f"{NAME}.tar.gz").write_bytes(gzip.compress(archived.getvalue(), mtime=0))
    return f"{NAME}.tar.gz"
