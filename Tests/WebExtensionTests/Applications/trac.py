# SPDX-License-Identifier: Apache-2.0
"""Trac with the accounts of AccountManager, in a file."""
from Applications import install
from Applications.application import Application, Form, Visitor

SETTINGS = """
[components]
acct_mgr.* = enabled
acct_mgr.register.EmailVerificationModule = disabled
trac.web.auth.LoginModule = disabled
[account-manager]
password_store = HtPasswdStore
htpasswd_file = users
hash_method = HtPasswdHashMethod
htpasswd_hash_type = sha512
reset_password = false
register_check = BasicCheck, UsernamePermCheck
force_passwd_change = false
"""
ADD = """
import sys
from trac.env import open_environment
from acct_mgr.api import AccountManager
AccountManager(open_environment("project")).set_password(sys.argv[1], sys.stdin.read())
"""


class Tested(Application):
    users = ("ann", "bob", "eve")
    sign_up = Form("/register", "#acctmgr_registerform input[type=submit]", "#acctmgr_registerform #username", "#acctmgr_registerform [name=password]",
                   accepted="!document.querySelector('#acctmgr_registerform')", refused="!!document.querySelector('.system-message')")
    sign_in = Form("/login", "#acctmgr_loginform input[type=submit]", "#username", "#password",
                   accepted="!document.querySelector('#acctmgr_loginform')", refused="!!document.querySelector('.system-message')")
    change = Form("/prefs/account", "#userprefs input[type=submit]", password="[name=password]", old="[name=old_password]",
                  accepted="!!document.querySelector('.system-message.notice')", refused="!!document.querySelector('.system-message:not(.notice)')")

    @classmethod
    def install(cls):
        install.python("trac")

    def start(self):
        self.run(*self.python("trac", ["-m", "trac.admin.console", "project", "initenv", "Project", "sqlite:db/trac.db"]))
        with open(self.folder / "project/conf/trac.ini", "a") as file:
            file.write(SETTINGS)
        self.serve(*self.python("trac", ["-m", "trac.web.standalone", "--hostname", "127.0.0.1", "--port", str(self.port), "--single-env", "project"]), path="/login")

    def create(self, user, password):
        self.run(*self.python("trac", ["-c", ADD, user]), given=password)

    def accepts(self, user, password):
        return Visitor(self).send("/login", "__FORM_TOKEN", username=user, password=password).status in (302, 303)
