# SPDX-License-Identifier: Apache-2.0
"""Django's own administration."""
from Applications.application import Form, Visitor
from Applications.of_django import Django


class Tested(Django):
    users = ("ann", "bob", "eve")
    sign_in = Form("/admin/login/?next=/admin/", "input[type=submit]", "#id_username", "#id_password",
                   accepted="location.pathname === '/admin/'", refused="!!document.querySelector('.errornote')")
    change = Form("/admin/password_change/", "input[type=submit]", password="#id_new_password1", old="#id_old_password",
                  accepted="location.pathname === '/admin/password_change/done/'", refused="!!document.querySelector('.errornote')")

    def accepts(self, user, password):
        return Visitor(self).send("/admin/login/?next=/admin/", "id_password", username=user, password=password).status == 302
