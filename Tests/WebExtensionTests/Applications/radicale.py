# SPDX-License-Identifier: Apache-2.0
"""Radicale's web interface: a page of scripts, with the accounts of a file."""
import base64

from Applications import install
from Applications.application import Application, Form, Visitor

ADD = """
import bcrypt, sys
print(sys.argv[1] + ":" + bcrypt.hashpw(sys.stdin.read().encode(), bcrypt.gensalt(4)).decode())
"""


class Tested(Application):
    users = ("ann", "bob", "eve")
    # A collection, which nobody else may read. It is for programs: its page says so.
    basic = ("/ann/", "document.body.innerText.includes('Directory listings are not supported')")
    # It makes Chromium ask in a window of its own, beside the page.
    dropped = ("www-authenticate",)
    sign_in = Form("/.web/", "#loginscene form[data-name=form] button", "[data-name=user]:is(input)", "#loginscene [data-name=password]",
                   accepted="!document.querySelector('#collectionsscene').classList.contains('hidden')",
                   refused="!!document.querySelector('#loginscene [data-name=error]').textContent && "
                           "!document.querySelector('#loginscene').classList.contains('hidden')", is_single=True)
    has_frames = True

    @classmethod
    def install(cls):
        install.python("radicale")

    def start(self):
        (self.folder / "users").write_text("")
        options = ["--server-hosts", f"127.0.0.1:{self.port}", "--auth-type", "htpasswd", "--auth-htpasswd-filename", "users",
                   "--auth-htpasswd-encryption", "bcrypt", "--auth-delay", "0", "--storage-filesystem-folder", "collections"]
        self.serve(*self.python("radicale", ["-m", "radicale", "--config", "", *options]), path="/.web/")

    def create(self, user, password):
        line = self.run(*self.python("radicale", ["-c", ADD, user]), given=password)
        with open(self.folder / "users", "a") as file:
            file.write(line)

    def accepts(self, user, password):
        token = base64.b64encode(f"{user}:{password}".encode()).decode()
        return Visitor(self).request("PROPFIND", "/", headers={"Authorization": f"Basic {token}"}).status == 207
