# SPDX-License-Identifier: Apache-2.0
"""A random walk of a user through pages and frames of two sites, in which no document may learn another site's data."""
import json
import pathlib
import random
import shutil
import urllib.parse

from bidi import BASES, Failure

# Loaded before our content scripts: records every message of the extension to them in the document.
PROBE = """(() => {
  const connect = chrome.runtime.connect;
  const tapped = (...parameters) => {
    const port = connect.apply(chrome.runtime, parameters);
    port.onMessage.addListener((message) => {
      const root = document.documentElement;
      root.dataset.received = (root.dataset.received ?? "") + JSON.stringify(message);
    });
    return port;
  };
  Object.defineProperty(chrome.runtime, "connect", { value: tapped, configurable: true, writable: true });
})();"""
# A document that is unloaded during an action.
GONE = (Failure, AssertionError, TypeError, TimeoutError)
SITES = ("shop.example.com", "pay.example.net")
PAGES = ("sign-in.html", "sign-up.html", "change.html", "one-field.html", "spa.html")
RECEIVED = '(document.documentElement.dataset.received ?? "")'
SEEN = """[self.origin, (document.documentElement.dataset.received ?? "") + document.documentElement.outerHTML
    + [...document.querySelectorAll("input")].map((input) => input.value).join(" ")]"""


def tapped(extension, folder):
    """A copy of the extension with the probe. The walk chooses for the menu's page, so no delay is waited for."""
    copy = pathlib.Path(folder) / "tapped"
    shutil.copytree(extension, copy)
    page = copy / "background" / "page.js"
    delayed = page.read_text()
    assert "const clickDelay = 500;" in delayed
    page.write_text(delayed.replace("const clickDelay = 500;", "const clickDelay = 0;"))
    (copy / "probe.js").write_text(PROBE)
    manifest = json.loads((copy / "manifest.json").read_text())
    for scripts in manifest["content_scripts"]:
        scripts["js"].insert(0, "probe.js")
    (copy / "manifest.json").write_text(json.dumps(manifest))
    return copy


class Leak(Exception):
    """A document has learnt another site's data."""


class Walk:
    """One walk, reproducible by its seed as far as browsers are."""

    def __init__(self, stage, seed):
        self.stage, self.browser, self.random = stage, stage.browser, random.Random(seed)
        # The data of each site: no document of another site may ever have it.
        self.secrets = {site: set() for site in SITES}
        # Documents in which data of their own site was found, those in frames counted separately.
        self.own = {"pages": 0, "frames": 0}
        self.log = []
        self.focused = None
        # Consecutive actions without an answer; browsers that were abandoned for that.
        self.silent = self.renewed = 0
        stage.start()
        for site in SITES:
            for name in ("one", "two"):
                user, password = f"{name}.user@{site[:4]}-secret.example", f"{name} password of {site[:4]} secret"
                stage.save(user, password, site)
                self.secrets[site] |= {user, password}

    def run(self, steps, notify=lambda progress: None):
        """Performs this number of steps, and reports every 250; returns what was found of each site's own data."""
        weighted = ((self.serve, 34), (self.focus, 12), (self.choose, 8), (self.go, 16), (self.race, 14), (self.move_frame, 8), (self.back, 5),
                    (self.type, 3), (self.answer, 4))
        actions, weights = zip(*weighted)
        self.browser.patience = 60
        self.go()
        # A document that does not answer soon is being unloaded.
        self.browser.patience = 10
        for number in range(steps):
            if number % 250 == 249:
                notify({"step": number + 1, "of": steps, **self.own})
            action = self.random.choices(actions, weights)[0]
            self.log = self.log[-11:] + [f"{number} {action.__name__}"]
            try:
                action()
            except TimeoutError:
                self.silent += 1
            except GONE:
                pass  # the document was unloaded meanwhile
            self.inspect()
            if self.silent >= 3:
                self.renew()
        return {**self.own, "renewed": self.renewed}

    def renew(self):
        """Starts another browser: a driver that waits for an unloaded document does not answer any more."""
        self.renewed += 1
        assert self.renewed < 16, f"the browser does not answer, after {self.log}"
        self.browser.close()
        self.browser = self.stage.browser = self.stage.new_browser(f"home{self.renewed}")
        self.silent = 0
        self.go()
        self.browser.patience = 10

    # ------------------------------------------------------------ inspection
    def inspect(self):
        """Checks that every document has only data of its own site."""
        try:
            documents = self.documents()
        except TimeoutError:
            self.silent += 1
            return
        for context, url in documents:
            try:
                origin, text = self.browser.run(SEEN, context)
                self.silent = 0
            except TimeoutError:
                self.silent += 1
                continue
            except GONE:
                continue  # loading
            if origin == BASES[self.browser.name]:
                continue  # a menu, whose frame had no address yet when the documents were listed
            host = urllib.parse.urlsplit(origin).hostname if origin != "null" else None
            for site, secrets in self.secrets.items():
                found = [secret for secret in secrets if secret in text]
                if host == site:
                    self.own["pages" if context == self.browser.tab else "frames"] += bool(found)
                elif found:
                    raise Leak(f"{found} of {site} in {origin} ({url}), after {self.log}")

    def documents(self):
        return [(context, url) for context, url in self.browser.contexts() if "extension://" not in url]

    # ------------------------------------------------------------ actions
    def address(self):
        site, other = self.random.sample(SITES, 2)
        kind = self.random.random()
        if kind < 0.3:
            return self.stage.site.url(self.random.choice(PAGES), host=site)
        page, inside = "both.html", {"src": self.stage.site.url("sign-in.html", host=self.random.choice((site, other, other)))}
        if kind > 0.95:
            page, inside = "frames.html", {"srcdoc": "1"}
        elif kind > 0.9:
            page, inside["sandbox"] = "frames.html", "allow-scripts allow-forms"
        return self.stage.site.url(f"{page}?{urllib.parse.urlencode(inside)}", host=site)

    def go(self):
        self.browser.open(self.address(), self.random.choice(("interactive", "complete")))

    def focus(self):
        """Clicks a field of any document, and waits for the menu, if one opens."""
        self.focused = context = self.random.choice(self.documents())[0]
        count = self.browser.run("document.querySelectorAll('input').length", context)
        if count:
            self.browser.run(
                "((field) => { document.querySelector('[data-walk]')?.removeAttribute('data-walk'); document.activeElement?.blur(); "
                f"field.dataset.walk = ''; return 1; }})(document.querySelectorAll('input')[{self.random.randrange(count)}])", context)
            received = self.received(context)
            self.browser.click("[data-walk]", context)
            # A field that opens no menu by itself reports that as soon as the daemon has answered.
            answer = self.browser.until(f"{RECEIVED}.slice({received}).includes('\"type\":\"menu\"') && {RECEIVED}.slice({received})", "an answer", context, timeout=2)
            if '"isQuiet":false' in answer and '"count":0' not in answer:
                self.await_menu(0.6)

    def received(self, context):
        """The length of the messages to the document so far."""
        return self.browser.run(f"{RECEIVED}.length", context)

    def serve(self):
        self.focus()
        self.choose()

    def await_menu(self, patience):
        try:
            self.stage.await_menu(patience)
        except AssertionError:
            pass

    def choose(self):
        received = self.received(self.focused)
        if self.take():
            # Values, or the reasons.
            self.browser.until(f"/\"(fill|clear|open|height)\"/.test({RECEIVED}.slice({received}))", "served", self.focused, timeout=2)

    def take(self):
        """Chooses an item, as the menu's page does after its delay; returns whether there was one."""
        menu = self.stage.menu()
        if menu:
            return self.browser.run(
                f"items.length && (port.postMessage({{ type: 'choose', index: {self.random.randrange(4)} % items.length, isSure: true }}), 1)", menu)

    def answer(self):
        """Answers the bar's question, as its page does after its delay."""
        bar = self.stage.bar()
        if bar:
            choice = self.random.choice(("save", "save", "later", "undo"))
            self.browser.run(f"port?.postMessage({{ ...answerOf('{choice}'), isSure: true }}) ?? 1", bar)

    def race(self):
        """A choice is answered when another page is loaded, or loading."""
        self.take()
        self.browser.open(self.address(), "interactive")

    def move_frame(self):
        url = self.stage.site.url(self.random.choice(PAGES), host=self.random.choice(SITES))
        if self.random.random() < 0.5:
            self.take()
        self.browser.run(f"document.getElementById('frame')?.setAttribute('src', {json.dumps(url)}) ?? 1")

    def back(self):
        self.browser("browsingContext.traverseHistory", {"context": self.browser.tab, "delta": self.random.choice((-1, -1, 1))})

    def type(self):
        """Types a password for the site, and sends it."""
        host = urllib.parse.urlsplit(self.browser.run("self.origin")).hostname
        if host in self.secrets:
            password = f"typed {self.random.getrandbits(40)} for {host[:4]} secret"
            self.secrets[host].add(password)
            self.browser.run("document.querySelector('input[type=password]').focus() ?? 1")
            self.browser.type(password + "\ue007")
