# SPDX-License-Identifier: Apache-2.0
"""nginx, with a page for the users of a file: HTTP authentication alone."""
import base64
import subprocess

from Applications import install
from Applications.application import Application, Visitor

CONFIGURATION = """
user root; daemon off; master_process off; pid pid; error_log stderr;
events {}
http {
    access_log off;
    client_body_temp_path temporary; proxy_temp_path temporary; fastcgi_temp_path temporary; uwsgi_temp_path temporary; scgi_temp_path temporary;
    server { listen 127.0.0.1:%d; root %s/site; default_type text/html; location /private/ { auth_basic "Only for users"; auth_basic_user_file %s/users; } }
}
"""


class Tested(Application):
    users = ("ann", "bob", "eve")
    basic = ("/private/page", "document.title === 'In'")

    @classmethod
    def install(cls):
        return install.debian("nginx", "nginx")

    def start(self):
        (self.folder / "site/private").mkdir(parents=True)
        (self.folder / "site/private/page").write_text("<!doctype html><title>In</title>")
        (self.folder / "users").write_text("")
        (self.folder / "configuration").write_text(CONFIGURATION % (self.port, self.folder, self.folder))
        self.serve([*self.install(), "/usr/sbin/nginx", "-p", str(self.folder), "-c", "configuration", "-e", "stderr"], path="/private/page")

    def create(self, user, password):
        hashed = subprocess.run(["openssl", "passwd", "-6", "-stdin"], input=password, capture_output=True, text=True, check=True).stdout
        with open(self.folder / "users", "a") as file:
            file.write(f"{user}:{hashed}")

    def accepts(self, user, password):
        token = base64.b64encode(f"{user}:{password}".encode()).decode()
        return Visitor(self).request("GET", "/private/page", headers={"Authorization": f"Basic {token}"}).status == 200
