# SPDX-License-Identifier: Apache-2.0
"""WordPress. A new account gets its password by e-mail, so it has no sign-up of its own here."""
import os

from Applications.application import Form, Visitor
from Applications.mariadb import SERVER, WithDatabase

CONFIGURATION = """<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost'); define('DB_CHARSET', 'utf8mb4');
define('WP_SITEURL', '%s'); define('WP_HOME', '%s'); define('WP_CONTENT_DIR', __DIR__ . '/wp-content');
define('AUTOMATIC_UPDATER_DISABLED', true); define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true);
$table_prefix = 'wp_';
$_SERVER['HTTPS'] = 'on';
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
"""
INSTALL = """
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = getenv('HTTP_HOST');
require 'site/wp-load.php';
require 'site/wp-admin/includes/upgrade.php';
function wp_new_blog_notification() {}
wp_install('Blog', 'root', 'root@example.com', false, '', 'of the installer 1');
"""
CREATE = """
$_SERVER['HTTP_HOST'] = getenv('HTTP_HOST');
require 'site/wp-load.php';
$user = wp_insert_user(['user_login' => $argv[1], 'user_email' => $argv[1] . '@example.com', 'user_pass' => stream_get_contents(STDIN), 'role' => 'author']);
exit(is_int($user) ? 0 : 1);
"""


class Tested(WithDatabase):
    name, packages = "wordpress", (*SERVER, "wordpress")
    users = ("ann", "bob", "eve")
    sign_in = Form("/wp-login.php", "#wp-submit", "#user_login", "#user_pass", accepted="location.pathname.startsWith('/wp-admin/')",
                   refused="!!document.querySelector('#login_error')")

    def start(self):
        self.start_database()
        self.sql("CREATE DATABASE wordpress;")
        self.copy("/usr/share/wordpress")
        address = self.url("").rstrip("/")
        (self.folder / "site/wp-config.php").write_text(CONFIGURATION % (address, address))
        self.run(self.php("-r", INSTALL), {**os.environ, "HTTP_HOST": self.authority})
        self.serve_site("/wp-login.php")

    def create(self, user, password):
        self.run(self.php("-r", CREATE, user), {**os.environ, "HTTP_HOST": self.authority}, password)

    def accepts(self, user, password):
        return Visitor(self).send("/wp-login.php", "user_login", log=user, pwd=password).status == 302
