# SPDX-License-Identifier: Apache-2.0
"""Flask-Security with its own pages."""
from Applications import install
from Applications.application import Application, Form, Visitor

SITE = """
import sys
from flask import Flask
from flask_security import Security, SQLAlchemyUserDatastore, FSQLALiteUserDatastore, auth_required, hash_password
from flask_security.models import fsqla_v3
from flask_sqlalchemy_lite import SQLAlchemy
from sqlalchemy.orm import DeclarativeBase
from werkzeug.middleware.proxy_fix import ProxyFix
from flask_security.models import sqla as models

app = Flask(__name__)
app.wsgi_app = ProxyFix(app.wsgi_app, x_for=0, x_proto=1)
app.config.update(
    SECRET_KEY="only for a test", SECURITY_PASSWORD_SALT="1234567890", SECURITY_REGISTERABLE=True, SECURITY_CHANGEABLE=True,
    SECURITY_SEND_REGISTER_EMAIL=False, SECURITY_SEND_PASSWORD_CHANGE_EMAIL=False, SECURITY_EMAIL_VALIDATOR_ARGS={"check_deliverability": False,
    "test_environment": True}, SECURITY_USE_REGISTER_V2=True, SECURITY_POST_LOGIN_VIEW="/home", SECURITY_POST_REGISTER_VIEW="/home",
    SECURITY_POST_CHANGE_VIEW="/home?changed", SECURITY_PASSWORD_HASH="pbkdf2_sha512", SECURITY_PASSWORD_SCHEMES=["pbkdf2_sha512"],
    SECURITY_TWO_FACTOR=True, SECURITY_TWO_FACTOR_ENABLED_METHODS=["authenticator"], SECURITY_TWO_FACTOR_RESCUE_EMAIL=False,
    SECURITY_TOTP_SECRETS={1: "only for a test, with 32 letters"}, SECURITY_TOTP_ISSUER="Site",
    SQLALCHEMY_ENGINES={"default": "sqlite:///" + sys.argv[1]})
db = SQLAlchemy(app)

class Model(DeclarativeBase):
    pass

models.FsModels.set_db_info(base_model=Model)

class Role(Model, models.FsRoleMixin):
    __tablename__ = "role"

class User(Model, models.FsUserMixin):
    __tablename__ = "user"

security = Security(app, FSQLALiteUserDatastore(db, User, Role))

@app.route("/home")
@auth_required("session")
def home():
    return "<!doctype html><title>Home</title><h1>Signed in</h1>"

with app.app_context():
    Model.metadata.create_all(db.engine)
    if sys.argv[2] == "create":
        security.datastore.create_user(email=sys.argv[3], password=hash_password(sys.stdin.read()))
        db.session.commit()
    elif sys.argv[2] == "code":
        secret = security._totp_factory._totp(key=sys.stdin.read()).to_json(encrypt=True)
        security.datastore.tf_set(security.datastore.find_user(email=sys.argv[3]), "authenticator", totp_secret=secret)
        db.session.commit()
    else:
        app.run("127.0.0.1", int(sys.argv[3]))
"""


class Tested(Application):
    sign_up = Form("/register", "#submit", "#email", "#password", accepted="location.pathname === '/home'", refused="!!document.querySelector('.fs-error-msg')")
    sign_in = Form("/login", "#submit", "#email", "#password", accepted="location.pathname === '/home'", refused="!!document.querySelector('.fs-error-msg')")
    change = Form("/change", "#submit", password="#new_password", old="#password", accepted="location.pathname === '/home'",
                  refused="!!document.querySelector('.fs-error-msg')")
    code = Form("/tf-validate", "#submit-code", "#code", accepted="location.pathname === '/home'",
                refused="!!document.querySelector('.fs-error-msg')")

    @classmethod
    def install(cls):
        install.python("flask_security")

    def command(self, *arguments):
        return self.python("flask_security", ["site.py", str(self.folder / "db"), *arguments])

    def start(self):
        (self.folder / "site.py").write_text(SITE)
        self.serve(*self.command("serve", str(self.port)), path="/login")

    def create(self, user, password):
        self.run(*self.command("create", user), given=password)

    def require_code(self, user, secret):
        self.run(*self.command("code", user), given=secret)

    def accepts(self, user, password):
        return Visitor(self).send("/login", "csrf_token", email=user, password=password).status == 302
