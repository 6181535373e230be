# SPDX-License-Identifier: Apache-2.0
"""Random walks of a user who signs up, signs in and changes passwords, rightly or not: no account is saved that the site does not have, and
no right password is replaced. Every question is answered with yes, and with the account where it names none."""
import pathlib
import random
import shutil
import time

from accounts import KINDS
from bars import FORGET
from bidi import ENTER, Failure
from outcomes import begin, extension_page, settle
from scenarios import fill_strong

USERS = ("ann@example.com", "bob@example.com", "eve@example.com")


def hasty(extension, folder):
    """A copy of the extension that waits 3 s for a site's answer instead of 10 s: many forms of a walk get none."""
    copy = pathlib.Path(folder) / "hasty"
    shutil.copytree(extension, copy)
    source = copy / "background/outcome.js"
    text = source.read_text()
    assert text.count("const patience = 10_000;") == 1
    source.write_text(text.replace("const patience = 10_000;", "const patience = 3_000;"))
    return copy


class SavingWalk:
    """Walks, reproducible by their seed as far as browsers are. They share a browser, and a page of the extension beside the site's."""

    def __init__(self, stage, seed):
        self.stage, self.seed = stage, seed
        self.counts = {"walks": 0, "sent": 0, "saved": 0, "interrupted": 0}

    def run(self, count, notify=lambda progress: None):
        with extension_page(self.stage) as self.page:
            for number in range(count):
                if number % 20 == 19:
                    notify({"walk": number + 1, "of": count, **self.counts})
                self.random = random.Random(f"{self.seed}.{number}")
                self.log = [f"walk {self.seed}.{number}"]
                self.walk()
                self.counts["walks"] += 1
        return self.counts

    def settle(self):
        return settle(self.stage, user=self.owner, page=self.page)

    def owner(self, password):
        """Whose password it is, as its user knows: that of the account that has it, or had it."""
        accounts = self.stage.site.accounts
        return next((user for user, passwords in accounts.history.items() if password in passwords), accounts.current)

    def walk(self):
        visit = begin(self.stage, "plain")
        visit.accounts.delay = 0.6
        # What an earlier walk sent is not of this one's site, and would be saved in its vault.
        self.stage.browser.run(FORGET, self.page)
        for user in self.random.sample(USERS, self.random.randrange(3)):
            visit.accounts.put(user, f"first of {user}")
            if self.random.random() < 0.7:
                self.stage.save(user, f"first of {user}")
        # What was saved and right.
        self.right = dict(self.stage.saved())
        self.is_certain = False
        self.stage.open("welcome.html")
        for _ in range(self.random.randint(3, 6)):
            self.step(visit)
            self.inspect(visit)
        self.settle()
        self.inspect(visit)
        self.counts["saved"] += len(self.stage.saved())

    def inspect(self, visit):
        """Checks what is saved against what the site has accepted."""
        saved, accounts = self.stage.saved(), visit.accounts
        for user, password in saved.items():
            assert password in accounts.history.get(user, ()), f"{user} has {password!r}, which the site never accepted: {self.log}"
        for user, password in self.right.items():
            if accounts.users[user] == password:
                assert saved.get(user) == password, f"{user}'s right password was replaced by {saved.get(user)!r}: {self.log}"
        self.right = {user: password for user, password in saved.items() if accounts.users.get(user) == password}

    def step(self, visit):
        visit.kind = self.random.choice(KINDS)
        # A change without a user name is that of the one who has signed in, where that is known: else the user would be asked whose it is.
        page = self.random.choice(("sign-in", "sign-in", "sign-up", "sign-up", "change" if self.is_certain else "sign-in"))
        visit.open(page)
        for _ in range(self.random.randint(1, 2)):
            if not self.stage.browser.run("!!document.querySelector('#form')"):
                return
            link = visit.browser.run("(({ x, y }) => [x + 5, y + 5])(document.querySelector('#other').getBoundingClientRect())")
            self.fill(visit, page)
            visit.browser.run("(document.title = 'Sent')")
            if not self.press(visit.browser):
                # Nothing is known of it.
                self.is_certain = False
                self.log.append("not sent")
                return
            self.counts["sent"] += 1
            if self.random.random() < 0.3:
                return self.interrupt(visit, link)
            self.wait(visit)

    def press(self, browser):
        """Sends the form, with the key or the button; returns whether it is known that it was sent."""
        try:
            browser.type(ENTER, timeout=15) if self.random.random() < 0.6 else browser.click("#go", timeout=15)
        except TimeoutError:
            # Where the page is gone before the key is released, chromedriver may never answer. A key that was lost is pressed again.
            try:
                if browser.run("document.title") == "Sent":
                    browser.click("#go", timeout=15)
            except TimeoutError:
                return False
        return True

    def type(self, selector, text):
        """Types into a field that gets the focus without a click, in place of what is there."""
        field = f"document.querySelector({selector!r})"
        self.stage.browser.run(f"({field}.focus(), {field}.select(), 1)")
        self.stage.browser.type(text)

    def fill(self, visit, page):
        """Types what is right, or is not."""
        user = self.random.choice(USERS)
        known = visit.accounts.users.get(user)
        if page == "sign-in":
            password = known if known and self.random.random() < 0.6 else f"wrong {self.random.getrandbits(30)}"
            self.type("#user", user)
            self.type("#password", password)
        else:
            if page == "sign-up":
                self.type("#user", user)
            else:
                old = visit.accounts.users.get(visit.accounts.current)
                self.type("#old", old if old and self.random.random() < 0.6 else "wrong old one")
            if self.random.random() < 0.3 and self.stage.value("#new") == "":
                password = fill_strong(self.stage)
                visit.browser.run("document.querySelector('#again').focus() ?? 1")
            else:
                password = f"chosen {self.random.getrandbits(30)}"
                self.type("#new", password)
                self.type("#again", password if self.random.random() < 0.8 else "another")
        self.log.append(f"{visit.kind} {page} {user} {password}")

    def wait(self, visit):
        """Waits for the site's answer, and mostly until it is known that it is one."""
        title = self.stage.browser.until("['Home', 'Welcome', 'Elsewhere'].includes(document.title) || document.title.startsWith('Refused') ? document.title : ''", "an answer")
        if title == "Elsewhere":
            visit.await_success()
        is_patient = self.random.random() < 0.7
        # A busy browser may not know the answer in time: then it does not know who has signed in.
        is_decided = is_patient and self.settle() == []
        if not title.startswith("Refused"):
            self.is_certain = is_decided
        self.log.append(title)

    def interrupt(self, visit, link):
        """Does something else before the site has answered, or just then."""
        time.sleep(self.random.choice((0, 0.1, 0.5, 1)))
        act = self.random.choice(("link", "address", "reload", "back"))
        self.log.append(act)
        self.counts["interrupted"] += 1
        self.is_certain = False
        browser = self.stage.browser
        browser.patience = 8
        try:
            if act == "link":
                browser.click_while_loading(self.stage.site.url("app/"), *link)
                time.sleep(0.5)
            elif act == "address":
                self.stage.open("welcome.html")
            elif act == "reload":
                # The driver of Firefox does not answer a reload of its own: Firefox asks before it sends a form again.
                browser.run("setTimeout(() => location.reload(), 0) && 1")
                time.sleep(0.5)
                browser("browsingContext.handleUserPrompt", {"context": browser.tab, "accept": False})
            else:
                browser("browsingContext.traverseHistory", {"context": browser.tab, "delta": -1})
                time.sleep(0.5)
        except (Failure, StopIteration, TimeoutError):
            pass  # the site's answer came first
        finally:
            browser.patience = 60
