# SPDX-License-Identifier: Apache-2.0
"""JupyterHub with its own sign-in and the accounts of NativeAuthenticator, without servers and without its proxy, which would need npm."""
from Applications import install
from Applications.application import Application, Form, Visitor

CONFIGURATION = """
import os, sys
from jupyterhub.proxy import Proxy

class NoProxy(Proxy):
    should_start = False
    async def add_route(self, routespec, target, data): pass
    async def delete_route(self, routespec): pass
    async def get_all_routes(self): return {}

c.JupyterHub.proxy_class = NoProxy
c.JupyterHub.hub_bind_url = "http://127.0.0.1:" + os.environ["HUB_PORT"]
c.JupyterHub.bind_url = "http://127.0.0.1:" + os.environ["HUB_PORT"]
c.JupyterHub.default_url = "/hub/home"
c.JupyterHub.cleanup_servers = False
c.JupyterHub.authenticator_class = "native"
c.NativeAuthenticator.open_signup = True
c.NativeAuthenticator.allow_all = True
"""
SIGNED_IN = "location.pathname.startsWith('/hub/home')"


class Tested(Application):
    users = ("ann", "bob", "eve")
    sign_up = Form("/hub/signup", "#signup_submit", "#username_input", "#password_input",
                   accepted="!!document.querySelector('.alert-success')", refused="!!document.querySelector('.alert-danger')")
    sign_in = Form("/hub/login", "#login_submit", "#username_input", "#password_input", accepted=SIGNED_IN, refused="!!document.querySelector('.login_error')")
    change = Form("/hub/change-password", "#signup_submit", password="#new_password_input", old="#old_password_input",
                  accepted="!!document.querySelector('.alert-success')", refused="!!document.querySelector('.alert-danger')")

    @classmethod
    def install(cls):
        install.python("jupyterhub")

    def start(self):
        (self.folder / "configuration.py").write_text(CONFIGURATION)
        self.serve(*self.python("jupyterhub", ["-m", "jupyterhub", "--config", "configuration.py"], HUB_PORT=str(self.port)), path="/hub/login")

    def create(self, user, password):
        visitor = Visitor(self).send("/hub/signup", "_xsrf", username=user, signup_password=password, signup_password_confirmation=password)
        assert "successful" in visitor.body, visitor.body

    def accepts(self, user, password):
        return Visitor(self).send("/hub/login", "_xsrf", username=user, password=password).status == 302
