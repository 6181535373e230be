# SPDX-License-Identifier: Apache-2.0
"""phpMyAdmin, whose accounts are those of a database server. Its change of a password is answered to a script, in the same page."""
from Applications.application import Form, Visitor
from Applications.mariadb import SERVER, WithDatabase

CONFIGURATION = """<?php
$cfg['blowfish_secret'] = '12345678901234567890123456789012';
$cfg['Servers'][1]['auth_type'] = 'cookie';
$cfg['Servers'][1]['host'] = 'localhost';
$cfg['Servers'][1]['AllowNoPassword'] = false;
$cfg['SendErrorReports'] = 'never';
$cfg['PmaNoRelation_DisableWarning'] = true;
"""
ERROR = "!!document.querySelector('.alert-danger')"


class Tested(WithDatabase):
    name, packages = "phpmyadmin", (*SERVER, "phpmyadmin")
    users = ("ann", "bob", "eve")
    sign_in = Form("/index.php", "#input_go", "#input_username", "#input_password", accepted="!document.querySelector('#input_password') && "
                   "!!document.querySelector('#pma_navigation')", refused=ERROR)
    change = Form("/index.php?route=/user-password", "#change_password_form input[type=submit]", password="#text_pma_change_pw",
                  again="#text_pma_change_pw2", accepted="!!document.querySelector('#page_content .alert-success')",
                  refused="!!document.querySelector('#ajaxError .alert-danger')", is_single=True)

    def start(self):
        self.start_database()
        self.copy("/usr/share/phpmyadmin")
        (self.folder / "temporary").mkdir()
        (self.folder / "configuration.php").write_text(CONFIGURATION)
        vendor = self.folder / "site/libraries/vendor_config.php"
        paths = {"/var/lib/phpmyadmin/tmp/": f"{self.folder}/temporary/", "/etc/phpmyadmin/config.inc.php": f"{self.folder}/configuration.php"}
        text = vendor.read_text()
        for former, path in paths.items():
            text = text.replace(former, path)
        vendor.write_text(text)
        self.serve_site("/index.php")

    def create(self, user, password):
        self.create_database_user(user, password)

    def accepts(self, user, password):
        visitor = Visitor(self).send("/index.php", "pma_username", pma_username=user, pma_password=password, server="1")
        return visitor.status == 302 and "pma_password" not in visitor.request("GET", "/index.php?route=/").body
