# SPDX-License-Identifier: Apache-2.0
"""A site of Django with its accounts in SQLite: for django-allauth, with its second step, and Django's own administration."""
from Applications import install
from Applications.application import Application

SETTINGS = """
import pathlib
BASE = pathlib.Path(__file__).parent
SECRET_KEY, DEBUG, ALLOWED_HOSTS, ROOT_URLCONF = "only for a test", True, ["*"], "urls"
INSTALLED_APPS = ["django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
                  "django.contrib.messages", "django.contrib.staticfiles", "allauth", "allauth.account", "allauth.mfa"]
MIDDLEWARE = ["django.middleware.security.SecurityMiddleware", "django.contrib.sessions.middleware.SessionMiddleware",
              "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
              "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware",
              "allauth.account.middleware.AccountMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {"context_processors": [
    "django.template.context_processors.request", "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages"]}}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE / "db"}}
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "allauth.account.auth_backends.AuthenticationBackend"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
AUTH_PASSWORD_VALIDATORS = [{"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"}]
STATIC_URL, DEFAULT_AUTO_FIELD, LOGIN_REDIRECT_URL = "/static/", "django.db.models.AutoField", "/accounts/email/"
ACCOUNT_LOGIN_METHODS, ACCOUNT_SIGNUP_FIELDS = {"email"}, ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION, ACCOUNT_RATE_LIMITS = "none", False
MFA_TOTP_TOLERANCE, MFA_ALLOW_UNVERIFIED_EMAIL = 1, True
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
"""
URLS = """
from django.contrib import admin
from django.urls import include, path
urlpatterns = [path("admin/", admin.site.urls), path("accounts/", include("allauth.urls"))]
"""
CREATE = """
import sys, django
django.setup()
from django.contrib.auth.models import User
User.objects.create_superuser(sys.argv[1], sys.argv[1] if "@" in sys.argv[1] else "", sys.stdin.read())
"""
REQUIRE_CODE = """
import sys, django
django.setup()
from django.contrib.auth.models import User
from allauth.mfa.totp.internal.auth import TOTP
TOTP.activate(User.objects.get(email=sys.argv[1]), sys.stdin.read())
"""


class Django(Application):
    """What both have in common."""

    @classmethod
    def install(cls):
        install.python("django")

    def command(self, *arguments):
        return self.python("django", arguments, DJANGO_SETTINGS_MODULE="settings")

    def start(self):
        (self.folder / "settings.py").write_text(SETTINGS)
        (self.folder / "urls.py").write_text(URLS)
        self.run(*self.command("-m", "django", "migrate", "--verbosity", "0"))
        self.serve(*self.command("-m", "django", "runserver", "--noreload", f"127.0.0.1:{self.port}"), path="/accounts/login/")

    def create(self, user, password):
        self.run(*self.command("-c", CREATE, user), given=password)

    def require_code(self, user, secret):
        self.run(*self.command("-c", REQUIRE_CODE, user), given=secret)
