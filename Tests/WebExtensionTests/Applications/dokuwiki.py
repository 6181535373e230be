# SPDX-License-Identifier: Apache-2.0
"""DokuWiki, with its accounts in a file."""
from Applications.application import Form, Visitor
from Applications.php import InPHP

LOCAL = """<?php
$conf["useacl"] = 1;
$conf["superuser"] = "root";
$conf["autopasswd"] = 0;
$conf["disableactions"] = "";
$conf["registernotify"] = "";
$conf["savedir"] = "%s";
$conf["passcrypt"] = "bcrypt";
"""
HASH = "echo password_hash(stream_get_contents(STDIN), PASSWORD_BCRYPT);"
REFUSED = "!!document.querySelector('div.error')"


class Tested(InPHP):
    name, packages = "dokuwiki", ("dokuwiki",)
    users = ("ann", "bob", "eve")
    sign_up = Form("/doku.php?do=register", "#dw__register button[type=submit]", "#dw__register [name=login]", "#dw__register [name=pass]",
                   others=(("#dw__register [name=fullname]", "Some One"), ("#dw__register [name=email]", "{user}@example.com")),
                   accepted="!!document.querySelector('div.success')", refused=REFUSED)
    sign_in = Form("/doku.php?do=login", "#dw__login button[type=submit]", "#dw__login [name=u]", "#dw__login [name=p]",
                   accepted="!!document.querySelector('a.logout, .logout a')", refused=REFUSED)
    change = Form("/doku.php?do=profile", "#dw__register button[type=submit]", password="#dw__register [name=newpass]",
                  old="#dw__register [name=oldpass]", accepted="!!document.querySelector('div.success')", refused=REFUSED)

    def start(self):
        configuration, data = self.folder / "configuration", self.folder / "data"
        self.copy("/usr/share/dokuwiki")
        self.copy("/etc/dokuwiki", "configuration")
        for name in ("attic", "cache", "index", "locks", "log", "media", "media_attic", "media_meta", "meta", "pages", "tmp"):
            (data / name).mkdir(parents=True)
        (self.folder / "site/inc/preload.php").write_text(f"<?php const DOKU_MAIN_CONF = '{configuration}/', DOKU_CONF = DOKU_MAIN_CONF;\n")
        (configuration / "local.php").write_text(LOCAL % data)
        (configuration / "acl.auth.php").write_text("*\t@ALL\t8\n")
        (configuration / "users.auth.php").write_text("")
        self.serve_site("/doku.php")

    def create(self, user, password):
        hashed = self.run(self.php("-r", HASH), given=password)
        with open(self.folder / "configuration/users.auth.php", "a") as file:
            file.write(f"{user}:{hashed}:Some One:{user}@example.com:user\n")

    def accepts(self, user, password):
        visitor = Visitor(self).send("/doku.php?do=login", "dw__login", u=user, p=password)
        return visitor.status == 302 or "do=logout" in visitor.body
