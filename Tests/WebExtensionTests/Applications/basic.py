# SPDX-License-Identifier: Apache-2.0
"""HTTP authentication (basic) of a real application: the extension's window in place of the browser's dialog, and what is in the vault afterwards."""
import time

from Applications.application import FIRST, WRONG
from bidi import tries
from features import await_accounts, click_last, tab_of_its_own


class Basic:
    """The steps with HTTP authentication, after those of `steps`. `basic` of the application is the page: its path, and what it shows then."""

    def __init__(self, steps):
        self.steps, self.stage, self.application = steps, steps.stage, steps.application
        self.browser = steps.browser
        self.path, self.shown = self.application.basic
        self.sent = self.application.proxy.signed

    def run(self):
        ann, eve = self.steps.ann, self.steps.eve
        if ann not in self.steps.kept:
            self.application.create(ann, FIRST)
            self.save(ann, FIRST)
        # A browser sends an accepted password again, so each visit is to another host.
        self.steps.timed("first HTTP authentication", self.agree)
        self.steps.timed("HTTP authentication", lambda: self.right(ann))
        # The application has no such account.
        self.save(eve, WRONG)
        self.steps.timed("wrong password of HTTP authentication", lambda: self.wrong(eve))

    def save(self, user, password):
        self.stage.save(user, password, self.application.host)
        self.steps.kept[user] = password

    def ask(self, host):
        """Opens the page; returns the extension's window, when it may be clicked."""
        self.stage.open("welcome.html", host=host)
        url = self.application.url(self.path).replace(self.application.host, host)
        self.browser.run(f"setTimeout(() => {{ location.href = {url!r}; }}, 0) && 1")
        return await_accounts(self.stage)

    def choose(self, window, user=None):
        """A click on the account, or on the only button."""
        texts = self.browser.run("[...document.querySelectorAll('#main button')].map((button) => button.innerText.replace(/[\u2068\u2069]/g, ''))", window)
        is_agreed = self.application.sign_in is not None
        assert user in texts if user else is_agreed or texts[0].startswith("Passwords for two.example.com"), texts
        self.sent.clear()
        click_last(self.browser, f"#main button:nth-of-type({texts.index(user) + 1 if user else 1})", window)

    def agree(self):
        """Before the user has agreed for the site no account of another program is listed: the daemon asks which one is sent. Here it may have
        been asked in an earlier step."""
        with tab_of_its_own(self.browser):
            self.choose(self.ask("two.example.com"))
            self.await_sent()
            assert self.sent[0][1] in [f"{user}:{password}" for user, password in self.steps.kept.items()]
        self.unchanged()

    def right(self, user):
        """With the account that is chosen the page is shown."""
        self.choose(self.ask(self.application.host), user)
        self.browser.until(f"document.readyState === 'complete' && ({self.shown})", "the page")
        assert (self.path, f"{user}:{self.steps.kept[user]}") in self.sent
        self.unchanged()

    def wrong(self, user):
        """A password that the application refuses is sent once; then the browser's own dialog is there, and the vault is as before."""
        with tab_of_its_own(self.browser):
            self.choose(self.ask("three.example.com"), user)
            self.await_sent()
            time.sleep(1.5)
            assert not self.browser.windows("signin.html") and self.sent == [(self.path, f"{user}:{WRONG}")], "sent once"
        self.unchanged()

    def await_sent(self):
        for _ in tries():
            if self.sent:
                return
        raise AssertionError("nothing was sent")

    def unchanged(self):
        """The vault has what it had."""
        assert self.stage.saved(self.application.host) == self.steps.kept
