# SPDX-License-Identifier: Apache-2.0
import base64
import csv
import hashlib
import importlib.util
import io
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

import autofill_client

ROOT = Path(__file__).parent.parent


class BuildTests(unittest.TestCase):
    def setUp(self):
        specification = importlib.util.spec_from_file_location("build_backend", ROOT / "build_backend.py")
        self.backend = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(self.backend)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_the_wheel_is_complete(self):
        name = self.backend.build_wheel(str(self.folder))
        self.assertEqual(name, f"autofill_client-{autofill_client.__version__}-py3-none-any.whl")
        with zipfile.ZipFile(self.folder / name) as archive:
            files = {file: archive.read(file) for file in archive.namelist()}
        for file in (ROOT / "autofill_client").glob("*.*"):
            self.assertEqual(files[f"autofill_client/{file.name}"], file.read_bytes())
        record = next(content for file, content in files.items() if file.endswith("/RECORD"))
        rows = {row[0]: row[1] for row in csv.reader(io.StringIO(record.decode()))}
        self.assertEqual(set(rows), set(files))
        for file, digest in rows.items():
            if digest:
                expected = base64.urlsafe_b64encode(hashlib.sha256(files[file]).digest()).rstrip(b"=").decode()
                self.assertEqual(digest, "sha256=" + expected)

    def test_the_same_files_result_in_the_same_bytes(self):
        for build in (self.backend.build_wheel, self.backend.build_sdist):
            made = []
            for number in range(2):
                folder = self.folder / f"{build.__name__}{number}"
                folder.mkdir()
                made.append((folder / build(str(folder))).read_bytes())
            self.assertEqual(made[0], made[1])

    def test_the_source_archive_can_be_built_from(self):
        with tarfile.open(self.folder / self.backend.build_sdist(str(self.folder))) as archive:
            names = {name.partition("/")[2] for name in archive.getnames()}
        self.assertLessEqual(
            {"PKG-INFO", "README.md", "pyproject.toml", "build_backend.py", "autofill_client/client.py", "tests/stage.py"},
            names)


if __name__ == "__main__":
    unittest.main()
