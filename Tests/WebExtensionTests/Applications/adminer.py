# SPDX-License-Identifier: Apache-2.0
"""Adminer, whose accounts are those of a database server."""
from Applications.application import Form, Visitor
from Applications.mariadb import SERVER, WithDatabase


class Tested(WithDatabase):
    name, packages = "adminer", (*SERVER, "adminer")
    users = ("ann", "bob", "eve")
    sign_in = Form("/adminer.php", "#content form input[type=submit]", "#username", "[name='auth[password]']",
                   accepted="!!document.querySelector('#logout')", refused="!!document.querySelector('.error')")

    def start(self):
        self.start_database()
        self.copy("/usr/share/adminer")
        self.serve_site("/adminer.php")

    def create(self, user, password):
        self.create_database_user(user, password)

    def accepts(self, user, password):
        fields = {"auth[driver]": "server", "auth[server]": "", "auth[username]": user, "auth[password]": password, "auth[db]": ""}
        visitor = Visitor(self).send("/adminer.php", "auth[driver]", **fields)
        return "logout" in visitor.request("GET", f"/adminer.php?{visitor.location.partition('?')[2]}").body
