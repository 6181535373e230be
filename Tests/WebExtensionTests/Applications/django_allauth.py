# SPDX-License-Identifier: Apache-2.0
"""django-allauth, with its own pages; users sign in with their e-mail addresses."""
from Applications.application import Form, Visitor
from Applications.of_django import Django

BUTTON = "form[method=post] button[type=submit], form[method=post] button:not([type])"


class Tested(Django):
    sign_up = Form("/accounts/signup/", BUTTON, "#id_email", "#id_password1", accepted="location.pathname === '/accounts/email/'",
                   refused="!!document.querySelector('.errorlist')")
    sign_in = Form("/accounts/login/", BUTTON, "#id_login", "#id_password", accepted="location.pathname === '/accounts/email/'",
                   refused="!!document.querySelector('.errorlist')")
    change = Form("/accounts/password/change/", BUTTON, password="#id_password1", old="#id_oldpassword",
                  accepted="!document.querySelector('.errorlist')", refused="!!document.querySelector('.errorlist')")
    code = Form("/accounts/2fa/authenticate/", BUTTON, "#id_code", accepted="location.pathname === '/accounts/email/'",
                refused="!!document.querySelector('.errorlist')")

    def accepts(self, user, password):
        return Visitor(self).send("/accounts/login/", "id_login", login=user, password=password).status == 302
