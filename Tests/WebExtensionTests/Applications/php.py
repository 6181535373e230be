# SPDX-License-Identifier: Apache-2.0
"""Debian's applications in PHP, by PHP's own server: in a copy below the test's folder, which they may write to."""
from Applications import install
from Applications.application import Application

# Every request came by https, to the proxy.
FIRST = """<?php
$_SERVER["HTTPS"] = "on";
$_SERVER["SERVER_PORT"] = parse_url("https://" . $_SERVER["HTTP_HOST"], PHP_URL_PORT);
return false;
"""
NEEDED = ("php8.2-cli", "php8.2-xml", "php8.2-mbstring")


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

    def copy(self, source):
        """The application's files, as they are in Debian's file system, in self.folder/site."""
        self.run([*self.install(), "cp", "-rL", f"/usr/share/{source}", "site"])

    def serve_site(self, path="/", router=FIRST):
        (self.folder / "router.php").write_text(router)
        self.serve(self.php("-S", f"127.0.0.1:{self.port}", "-t", "site", "router.php"), path=path)
