# SPDX-License-Identifier: Apache-2.0
"""Flask-AppBuilder."""
from Applications import install
from Applications.application import Application, Form, Visitor

SITE = """
import sys
from flask import Flask
from flask_appbuilder import AppBuilder
from flask_appbuilder.utils.legacy import get_sqla_class
from werkzeug.middleware.proxy_fix import ProxyFix

app = Flask(__name__)
app.wsgi_app = ProxyFix(app.wsgi_app, x_for=0, x_proto=1)
app.config.update(SECRET_KEY="only for a test", SQLALCHEMY_DATABASE_URI="sqlite:///" + sys.argv[1], AUTH_RATE_LIMITED=False)
with app.app_context():
    db = get_sqla_class()(app)
    builder = AppBuilder(app, db.session)
    if sys.argv[2] == "create":
        user = sys.argv[3]
        assert builder.sm.add_user(user, "A", "User", user + "@example.com", builder.sm.find_role("Admin"), sys.stdin.read())
    else:
        app.run("127.0.0.1", int(sys.argv[3]))
"""


class Tested(Application):
    users = ("ann", "bob", "eve")
    sign_in = Form("/login/", "form[name=login] input[type=submit]", "#username", "#password", accepted="location.pathname === '/'",
                   refused="!!document.querySelector('.alert-danger, .alert-warning')")
    change = Form("/resetmypassword/form", "#model_form button[type=submit]", password="#password", again="#conf_password",
                  accepted="!document.querySelector('#conf_password')", refused="!!document.querySelector('.alert-danger, .alert-warning, .label-danger')")

    @classmethod
    def install(cls):
        install.python("appbuilder")

    def command(self, *arguments):
        return self.python("appbuilder", ["site.py", str(self.folder / "db"), *arguments])

    def start(self):
        (self.folder / "site.py").write_text(SITE)
        self.serve(*self.command("serve", str(self.port)), path="/login/")

    def create(self, user, password):
        self.run(*self.command("create", user), given=password)

    def accepts(self, user, password):
        visitor = Visitor(self).send("/login/", "csrf_token", username=user, password=password)
        return "/logout/" in visitor.request("GET", "/").body
