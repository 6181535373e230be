# SPDX-License-Identifier: Apache-2.0
"""MediaWiki with SQLite."""
import os

from Applications.application import Form, Visitor
from Applications.php import InPHP

MORE = """
$wgPasswordAttemptThrottle = $wgAccountCreationThrottle = [];
$wgCookieSecure = true;
$wgMainCacheType = $wgMessageCacheType = $wgParserCacheType = CACHE_NONE;
$wgSessionCacheType = CACHE_DB;
$wgEmailConfirmToEdit = $wgEnableEmail = false;
$wgInvalidUsernameCharacters = '@:';
"""
SIGNED_IN = "!!document.querySelector('#pt-logout, #mw-createaccount-success') && !document.querySelector('#wpPassword1, #wpPassword2')"
REFUSED = "!!document.querySelector('.mw-message-box-error, .errorbox, .oo-ui-messageWidget.oo-ui-flaggedElement-error')"


class Tested(InPHP):
    name, packages = "mediawiki", ("php8.2-intl", "php8.2-sqlite3", "mediawiki")
    extra = ("calendar", "intl", "pdo", "pdo_sqlite", "sqlite3")
    users = ("Ann", "Bob", "Eve")
    sign_up = Form("/index.php?title=Special:CreateAccount", "#wpCreateaccount", "#wpName2", "#wpPassword2", accepted=SIGNED_IN, refused=REFUSED)
    sign_in = Form("/index.php?title=Special:UserLogin", "#wpLoginAttempt", "#wpName1", "#wpPassword1", accepted=SIGNED_IN, refused=REFUSED)
    change = Form("/index.php?title=Special:ChangeCredentials/MediaWiki%5CAuth%5CPasswordAuthenticationRequest", "#mw-content-text button[type=submit]",
                  password="#mw-content-text [name=password]", again="#mw-content-text [name=retype]",
                  accepted="!document.querySelector('#mw-content-text [name=password]')", refused=REFUSED)

    def maintain(self, *arguments, given=""):
        return self.run(self.php(*arguments), self.variables, given)

    def start(self):
        self.variables = None
        self.maintain("/usr/share/mediawiki/maintenance/install.php", "--dbtype", "sqlite", "--dbname", "wiki", "--dbpath", str(self.folder / "database"),
                      "--pass", "a password for 1 Test", "--server", self.url("").rstrip("/"), "--scriptpath", "", "--confpath", str(self.folder), "Wiki", "Root")
        with open(self.folder / "LocalSettings.php", "a") as file:
            file.write(MORE)
        self.variables = {**os.environ, "MW_CONFIG_FILE": str(self.folder / "LocalSettings.php")}
        self.serve_site("/index.php?title=Special:UserLogin", site="/usr/share/mediawiki", environment=self.variables)

    def create(self, user, password):
        self.maintain("/usr/share/mediawiki/maintenance/createAndPromote.php", user, password)

    def accepts(self, user, password):
        return Visitor(self).send("/index.php?title=Special:UserLogin", "wpLoginToken", wpName=user, wpPassword=password).status == 302
