# SPDX-License-Identifier: Apache-2.0
"""Jupyter Server: one password and no user name."""
from Applications import install
from Applications.application import Application, Form, Visitor

HASH = "import sys; from jupyter_server.auth import passwd; print(passwd(sys.stdin.read(), 'sha1'))"


class Tested(Application):
    # It has one account; its name is the user's own.
    users = ("me", None, None)
    sign_in = Form("/login", "#login_submit", password="#password_input", accepted="location.pathname !== '/login'",
                   refused="!!document.querySelector('.message')")

    @classmethod
    def install(cls):
        install.python("jupyter_server")

    def start(self):
        """It starts with its account."""

    def create(self, user, password):
        hashed = self.run(*self.python("jupyter_server", ["-c", HASH]), given=password).strip()
        options = [f"--ServerApp.port={self.port}", "--ServerApp.open_browser=False", "--allow-root", f"--ServerApp.root_dir={self.folder}",
                   "--ServerApp.allow_remote_access=True", "--ServerApp.trust_xheaders=True", "--ServerApp.port_retries=0",
                   "--ServerApp.default_url=/view/page.html", "--IdentityProvider.token=", f"--PasswordIdentityProvider.hashed_password={hashed}"]
        (self.folder / "page.html").write_text("<!doctype html><title>Page</title><p>Text</p>")
        self.serve(*self.python("jupyter_server", ["-m", "jupyter_server", *options]), path="/login")

    def accepts(self, user, password):
        return Visitor(self).send("/login", "_xsrf", password=password).status == 302
