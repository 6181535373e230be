# SPDX-License-Identifier: Apache-2.0
"""Debian's applications in PHP, by PHP's own server: in a copy below the test's folder, which they may write to."""
import os
import pathlib
import shutil

from Applications import install
from Applications.application import Application

# Every request came by https, to the proxy.
FIRST = """<?php
$_SERVER["HTTPS"] = "on";
$_SERVER["SERVER_PORT"] = parse_url("https://" . $_SERVER["HTTP_HOST"], PHP_URL_PORT);
return false;
"""
NEEDED = ("php8.2-cli", "php8.2-xml", "php8.2-mbstring")

def copy(root, source, target):
    """Copies a file or folder of an unpacked system; its symbolic links are those of that system."""
    path = root / source.relative_to("/")
    if path.is_symlink():
        copy(root, pathlib.Path(os.path.normpath(source.parent / os.readlink(path))), target)
    elif path.is_dir():
        target.mkdir(exist_ok=True)
        for one in path.iterdir():
            copy(root, source / one.name, target / one.name)
    elif path.exists():
        shutil.copyfile(path, target)
    elif source.exists():
        # Of a package that the machine has.
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)


class InPHP(Application):
    """`name` is that of its folder in .build/applications, `packages` are Debian's."""

    name, packages = "", ()
    extensions = ("ctype", "dom", "fileinfo", "gettext", "iconv", "mbstring", "phar", "posix", "simplexml", "tokenizer", "xml", "xmlreader", "xmlwriter")
    extra = ()
    settings = {}

    @classmethod
    def install(cls):
        return install.debian(cls.name, *NEEDED, *cls.packages)

    def php(self, *arguments):
        loaded = [f"extension={name}" for name in (*self.extensions, *self.extra)]
        settings = [f"{name}={value}" for name, value in self.settings.items()]
        options = [word for one in (*loaded, *settings, "display_errors=0", f"session.save_path={self.folder}", "opcache.enable=0") for word in ("-d", one)]
        return [*self.install(), "php8.2", "-n", *options, *arguments]

    def copy(self, source, target="site"):
        """Files as they are in Debian's file system, in a folder of the test."""
        copy(install.FOLDER / self.name, pathlib.Path(source), self.folder / target)

    def serve_site(self, path="/", site="site", environment=None):
        (self.folder / "router.php").write_text(FIRST)
        self.serve(self.php("-S", f"127.0.0.1:{self.port}", "-t", site, str(self.folder / "router.php")), environment, path)
