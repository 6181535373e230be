# SPDX-License-Identifier: Apache-2.0
"""A user's visit to a real application, step by step, with what is in the vault after each. Every prompt and question is answered with yes."""
import contextlib
import importlib
import json
import tempfile
import time

from Applications.application import FIRST, OF_BOB, WRONG
from Applications.basic import Basic
from Applications.codes import Codes
from Applications.frames import Frames
from Applications.install import Unavailable
from bidi import ESCAPE, tries
from outcomes import settle


def run(stage, name, is_quick=False):
    """The seconds of each step, or why the application cannot be had. A quick visit has one user, and no steps that others have too."""
    tested = importlib.import_module(f"Applications.{name}").Tested
    try:
        tested.install()
    except Unavailable as reason:
        return {"skipped": str(reason)}
    with tempfile.TemporaryDirectory(prefix="autofill-application-", ignore_cleanup_errors=True) as folder:
        application = tested(folder, stage.folder)
        try:
            return Steps(stage, application, is_quick).run()
        finally:
            application.close()


class Steps:
    """The steps, with the accounts that the vault must have."""

    def __init__(self, stage, application, is_quick=False):
        self.stage, self.browser, self.application, self.is_quick = stage, stage.browser, application, is_quick
        self.ann, self.bob, self.eve = application.users
        self.kept, self.seconds = {}, {}

    def run(self):
        application = self.application
        self.timed("start", application.start)
        self.stage.start()
        self.stage.began = time.time() * 1000
        if application.sign_in:
            self.forms()
        if not self.is_quick:
            self.more()
        return {"steps": self.seconds}

    def more(self):
        """What few applications have."""
        if self.application.code:
            Codes(self).run()
        if self.application.has_frames:
            Frames(self).run()
        if self.application.basic:
            Basic(self).run()

    def forms(self):
        application = self.application
        if application.sign_up:
            self.timed("sign-up", self.sign_up)
            application.create(self.bob, OF_BOB)
        else:
            application.create(self.ann, FIRST)
            if self.bob is not None:
                application.create(self.bob, OF_BOB)
            self.timed("typed sign-in", lambda: self.typed(self.ann, FIRST))
        self.timed("sign-in", self.sign_in)
        self.timed("wrong password", self.wrong)
        if application.sign_up and not (self.is_quick and application.change):
            self.timed("refused sign-up", self.refused_sign_up)
        if application.change:
            if not self.is_quick:
                self.sign_in()
            self.timed("refused change", self.refused_change)
            self.timed("change", self.change)

    def timed(self, name, step):
        began = time.monotonic()
        try:
            step()
        except Exception as error:
            raise AssertionError(f"{name} at {self.browser.contexts()[0][1]}, after {self.seconds}: {error}") from error
        self.seconds[name] = round(time.monotonic() - began, 1)

    # ------------------------------------------------------------ the steps
    def sign_up(self):
        """With a strong password of the menu."""
        form = self.application.sign_up
        self.open(form, fresh=True)
        self.type(form.user, self.ann)
        self.others(form, self.ann)
        password = self.strong(form)
        assert self.stage.saved(self.application.host) == {}, "saved before the form was sent"
        self.send(form, "accepted")
        self.keeps({self.ann: password})

    def typed(self, user, password):
        """A right password that is typed is saved."""
        form = self.application.sign_in
        self.open(form, fresh=True)
        self.type(form.user, user)
        self.type(form.password, password)
        self.send(form, "accepted")
        self.keeps({**self.kept, user: password})

    def sign_in(self, form=None):
        """With what is saved."""
        form = form or self.application.sign_in
        self.open(form, fresh=True)
        self.focus(form.user or form.password)
        items = self.stage.await_menu()
        self.stage.choose(next(index for index, item in enumerate(items) if self.ann in item))
        self.stage.await_value(form.password, self.kept[self.ann])
        if form.user:
            self.stage.await_value(form.user, self.ann)
        self.send(form, "accepted")
        self.keeps(self.kept)

    def wrong(self):
        """A wrong password replaces none, and the right one of another account, typed after it, is saved."""
        form = self.application.sign_in
        self.open(form, fresh=True)
        users = [user for user in (self.ann, self.bob) if user is not None][:1 if self.is_quick else 2]
        for user in users:
            self.type(form.user, user)
            self.type(form.password, WRONG)
            self.send(form, "refused")
            self.keeps(self.kept)
        password = OF_BOB if user == self.bob else self.kept[user]
        self.type(form.user, user)
        self.type(form.password, password)
        self.send(form, "accepted")
        self.keeps({**self.kept, user: password})

    def refused_sign_up(self):
        """The name of another account is refused; then it is corrected."""
        form = self.application.sign_up
        self.open(form, fresh=True)
        self.type(form.user, self.bob)
        self.others(form, self.bob)
        password = self.strong(form)
        self.send(form, "refused")
        self.keeps(self.kept)
        self.type(form.user, self.eve)
        self.others(form, self.eve)
        if not self.stage.value(form.password):
            assert self.strong(form) == password, "another offer"
        self.send(form, "accepted")
        self.keeps({**self.kept, self.eve: password})

    def refused_change(self):
        """With a wrong old password, or two new ones that differ, nothing is replaced."""
        form = self.application.change
        self.open(form)
        self.strong(form)
        self.type(form.old or form.again, WRONG)
        self.send(form, "refused")
        self.keeps(self.kept)

    def change(self):
        """A strong password replaces the saved one."""
        form, former = self.application.change, self.kept[self.ann]
        self.open(form)
        password = self.strong(form)
        if form.old and not self.stage.value(form.old):
            self.type(form.old, former)
        self.send(form, "accepted")
        self.keeps({**self.kept, self.ann: password})
        assert password != former and not self.application.accepts(self.ann, former), "the application has not changed it"

    # ------------------------------------------------------------ a user's actions
    def open(self, form, fresh=False):
        """A form's page; `fresh` as in a browser that is not signed in."""
        if fresh:
            self.browser.open("about:blank")
            self.browser("storage.deleteCookies", {})
            self.application.forget(self.browser)
        self.browser.open(self.application.url(form.path))
        self.browser.until(f"document.readyState === 'complete' && !!document.querySelector({json.dumps(form.password)})", "the form")
        # A field that has the focus at first gets a menu.
        if self.browser.run("document.activeElement instanceof HTMLInputElement"):
            with contextlib.suppress(AssertionError):
                self.stage.await_menu(3)

    def focus(self, selector):
        """A click on a field, once the menu of another one, which may be over it, is closed."""
        is_focused = f"document.activeElement === document.querySelector({json.dumps(selector)})"
        # Again, where a menu that came late got the click.
        for _ in range(4):
            if self.stage.menu() and not self.browser.run(is_focused):
                self.browser.type(ESCAPE)
                for _ in tries(20):
                    if not self.stage.menu():
                        break
            self.browser.click(selector)
            with contextlib.suppress(AssertionError):
                return self.browser.until(is_focused, f"the focus in {selector}", timeout=5)
        raise AssertionError(f"no focus in {selector}")

    def type(self, selector, text):
        """Types into a field, in place of what is there."""
        if not selector:
            return
        self.focus(selector)
        self.browser.run(f"document.querySelector({json.dumps(selector)}).select() ?? 1")
        self.browser.type(text)

    def others(self, form, user):
        """What a form wants besides."""
        for selector, text in form.others:
            if text is None:
                self.browser.click(selector)
            else:
                self.type(selector, text.replace("{user}", user.partition("@")[0]))

    def strong(self, form):
        """The strong password of the menu."""
        self.focus(form.password)
        # The menu of another field, which has the focus at first, may still be there.
        for _ in tries(20):
            if (items := self.stage.await_menu())[0].startswith("Use Strong Password | "):
                break
        else:
            raise AssertionError(f"no strong password, but {items}")
        self.stage.choose()
        return self.stage.await_value(form.password)

    def send(self, form, answer):
        self.browser.run("(window.isSent = true)")
        # Where the page is gone before the button is released, chromedriver may never answer.
        with contextlib.suppress(TimeoutError):
            self.browser.click(form.button, timeout=15)
        new = "true" if form.is_single else "!window.isSent"
        self.browser.until(f"{new} && document.readyState === 'complete' && ({getattr(form, answer)})", f"{answer} by {form.path}")

    def keeps(self, expected):
        """What the vault has, once every form is decided; the application accepts each of its passwords."""
        def owner(password):
            return next((user for user, own in expected.items() if own == password), self.ann)
        # A page that takes longer than the extension waits is judged when it is there.
        for _ in tries(20):
            if not (pending := settle(self.stage, owner)):
                break
        assert pending == [], [one.get("user") for one in pending]
        self.stage.await_saved(expected, self.application.host)
        for user, password in expected.items():
            assert self.application.accepts(user, password), f"{user} cannot sign in with {password!r}"
        self.kept = dict(expected)
