# SPDX-License-Identifier: Apache-2.0
"""The real daemon under a browser's extension, and the actions of a user in the page."""
import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from bidi import BASES, DOWN, ENTER, Browser, Failure, tries

KEY = b"autofilld's tests have this key!"
PROOF = {"type": "key", "key": {"base64": base64.b64encode(KEY).decode()}}


class Stage:
    """A browser, a site, and a daemon for each scenario."""

    def __init__(self, browser, programs, extension, pages, folder, dark=False):
        from web import Site

        self.folder = pathlib.Path(folder)
        self.programs = pathlib.Path(programs)
        self.socket_path = str(self.folder / "s")
        self.key = self.folder / "key"
        self.key.write_bytes(KEY)
        self.key.chmod(0o600)
        # Root must own every directory above it, for a daemon that is not ephemeral.
        self.apps = pathlib.Path(tempfile.mkdtemp(prefix="autofill-web-", dir="/run" if os.geteuid() == 0 else folder))
        host = pathlib.Path(os.environ.get("AUTOFILL_HOST") or self.programs / "autofill-browser")
        if os.environ.get("AUTOFILL_INSTALLED"):
            # Tests/isolate shows a package's files: the browser finds the host and the extension there.
            self.apps, host, extension = pathlib.Path("/usr/share/autofilld/apps"), None, None
        else:
            (self.apps / "autofilld.browser.json").write_text(json.dumps({
                "bundleID": "autofilld.browser", "name": "Passwords in browsers",
                "entitlements": {"com.apple.developer.web-browser": True}}))
        if os.environ.get("AUTOFILL_TAPPED"):
            from isolation import tapped

            extension = tapped(extension, self.folder)
        if os.environ.get("AUTOFILL_HASTY"):
            from saving import hasty

            extension = hasty(extension, self.folder)
        self.site = Site(pages, self.folder)
        self.daemon = None
        self.user_client = None
        self.arguments = []
        self.extension = extension
        variables = {**os.environ, "AUTOFILLD_SOCKET": self.socket_path}
        self.new_browser = lambda home="home", own=extension, **how: Browser(browser, self.folder / home, own, variables, host, dark, **how)
        self.browser = self.new_browser()

    # ------------------------------------------------------------ the daemon
    def start(self, consent="allow", vault=None):
        """Starts a daemon: with a vault in memory, or with a permanent one in a folder."""
        self.stop()
        self.arguments = [str(self.programs / "autofilld"), "--socket", self.socket_path, "--registrations", str(self.apps)]
        if vault:
            self.arguments += ["--data-directory", vault, "--settings", f"{vault}.settings", "--system-settings", f"{vault}.system"]
        else:
            self.arguments += ["--ephemeral", "--vault-key", str(self.key)] + (["--consent", consent] if consent else [])
        self.start_again()
        if vault:
            self.call("admin.vault.create", key=PROOF["key"])

    def start_again(self):
        credentials = self.folder / "credentials"
        credentials.mkdir(exist_ok=True)
        shutil.copy(self.key, credentials / "autofilld.vault-key")
        self.daemon = subprocess.Popen(
            self.arguments, stdout=subprocess.DEVNULL, stderr=open(self.folder / "log", "a"),
            env={**os.environ, "CREDENTIALS_DIRECTORY": str(credentials)})
        deadline = time.monotonic() + 60
        while True:
            try:
                self.user_client = socket.socket(socket.AF_UNIX)
                self.user_client.connect(self.socket_path)
                break
            except OSError:
                if time.monotonic() > deadline or self.daemon.poll() is not None:
                    raise
                time.sleep(0.005)
        self.lines = self.user_client.makefile("rw", encoding="utf-8")
        self.call("hello", bundleID="org.autofilld.autofillctl", protocol={"min": 1, "max": 1})

    def kill9(self):
        if self.daemon:
            self.user_client.close()
            self.lines.close()
            self.daemon.send_signal(signal.SIGKILL)
            self.daemon.wait()
        self.daemon = None

    def stop(self):
        self.kill9()
        pathlib.Path(self.socket_path).unlink(missing_ok=True)

    def call(self, method, **params):
        """A request of the user's own program."""
        self.lines.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
        self.lines.flush()
        answer = json.loads(self.lines.readline())
        if "result" not in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    def save(self, user, password, domain="shop.example.com"):
        service = {"type": "domain", "value": domain}
        return self.call("credential.save", service=service, user=user, password=password, proof=PROOF)["credential"]

    def saved(self, domain="shop.example.com"):
        """Users and passwords of a site; None where one of them was removed meanwhile."""
        service = {"type": "domain", "value": domain}
        users = [c["user"] for c in self.call("credential.list", service=service, proof=PROOF)["credentials"]]
        try:
            return {u: self.call("credential.get", service=service, user=u, proof=PROOF)["password"] for u in users}
        except AssertionError as error:
            if "credential-not-found" not in str(error):
                raise
            return None

    def await_saved(self, expected, domain="shop.example.com"):
        for _ in tries():
            if (found := self.saved(domain)) == expected:
                return
        raise AssertionError(f"saved is {found}, not {expected}")

    def releases(self):
        """The releases to the browser."""
        found = self.call("admin.release.list", limit=100, proof=PROOF)["releases"]
        return [r for r in found if "refused" not in r and r["bundleID"] != "org.autofilld.autofillctl"]

    def offers(self, state="all"):
        return self.call("offer.list", state=state, limit=100, proof=PROOF)["offers"]

    # ------------------------------------------------------------ the toolbar
    @contextlib.contextmanager
    def toolbar(self):
        """The toolbar's popup for the page, in a tab of its own."""
        browser = self.browser
        base = BASES[browser.name]
        url = browser.contexts()[0][1]
        tab = browser("browsingContext.create", {"type": "tab", "background": True})["context"]
        try:
            browser("browsingContext.navigate", {"context": tab, "url": f"{base}/options/options.html", "wait": "complete"})
            number = browser.until(f"chrome.tabs.query({{}}).then((tabs) => tabs.find((tab) => tab.url === {json.dumps(url)}).id)", context=tab)
            browser("browsingContext.navigate", {"context": tab, "url": f"{base}/popup/popup.html?tab={number}", "wait": "complete"})
            yield tab
        finally:
            try:
                browser("browsingContext.close", {"context": tab})
            except Failure:  # it has closed
                pass

    def open_item(self, popup):
        """Opens the first account of the popup."""
        self.browser.until("!!document.querySelector('#accounts .details')", "the account", popup)
        self.browser.run("document.querySelector('#accounts .details').click() ?? 1", popup)
        self.browser.until("!!document.querySelector('#item .previous')", "the account's page", popup)

    # ------------------------------------------------------------ the page
    def open(self, page, **where):
        self.browser.open(self.site.url(page, **where))

    def menu(self):
        """The context of the menu's page, or None. One that is loaded early has no size."""
        for context, url in self.browser.contexts():
            if "extension://" in url and "/menu/menu.html#" in url:
                with contextlib.suppress(Failure):
                    if self.browser.run("isShown", context):
                        return context
        return None

    def await_spare_menu(self):
        """Waits until the menu's page is loaded for the next menu."""
        for _ in tries():
            for context, url in self.browser.contexts():
                if "extension://" in url and "/menu/menu.html#" in url:
                    with contextlib.suppress(Failure):
                        if self.browser.run("!isShown && document.readyState === 'complete'", context):
                            return
        raise AssertionError("no menu's page was loaded")

    def await_menu(self, timeout=60):
        """Waits for the menu; returns its text, a line per item."""
        for _ in tries(timeout):
            menu = self.menu()
            if menu:
                try:
                    items = self.browser.run("[...document.querySelectorAll('[role=menuitem]')].map((i) => i.innerText.replace(/[\u2068\u2069]/g, '').replace('\\n', ' | '))", menu)
                except Exception:  # loading
                    items = None
                if items:
                    return items
        raise AssertionError("no menu came")

    def ask_for_menu(self, context=None):
        """Opens a menu that does not open by itself, by keyboard; returns its text."""
        for _ in range(10):
            self.browser.type(DOWN, context)
            try:
                return self.await_menu(0.6)
            except AssertionError:
                continue
        raise AssertionError("no menu came")

    def no_menu(self, seconds=0.8):
        """Checks that none opens."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            assert self.menu() is None, "a menu came"
            time.sleep(0.1)

    def await_clickable(self):
        """Waits until the menu may be clicked: its page shows that."""
        ready = "document.querySelectorAll('[role=menuitem]').length > 0 && document.querySelectorAll('[role=menuitem].waits').length === 0"
        for _ in tries():
            menu = self.menu()
            with contextlib.suppress(Failure):  # it was replaced
                if menu and self.browser.run(ready, menu):
                    break
        else:
            raise AssertionError("the menu is not clickable")
        # For the inspection by the page around it, where the browser reports nothing to the menu.
        time.sleep(0.15)

    def choose(self, index=0):
        """Enters the menu by keyboard, and chooses an item."""
        self.await_menu()
        self.browser.type(DOWN)
        self.press(index)

    def press(self, index=0):
        """In the menu, which has the focus, moves down and presses Enter; again where the menu asks to wait, as a user would: what is
        around it may have moved since, and on a busy machine that is reported late."""
        self.await_clickable()
        if index:
            self.browser.type(DOWN * index)
        for _ in range(5):
            self.await_clickable()
            with contextlib.suppress(Failure):
                self.browser.run("showStatus('') ?? 1", self.menu())
            # Where the menu is gone before the key is released, chromedriver may never answer.
            with contextlib.suppress(TimeoutError):
                self.browser.type(ENTER, timeout=15)
            if not self.asks_to_wait():
                return
        raise AssertionError("the menu asks to wait each time")

    def asks_to_wait(self):
        """Whether the menu does, within a second, instead of closing."""
        for _ in tries(1):
            menu = self.menu()
            if not menu:
                break
            with contextlib.suppress(Failure):  # it was replaced
                if self.browser.run("[say('wait'), say('covered')].includes(line.textContent)", menu):
                    return True
        return False

    def value(self, selector, context=None):
        from bidi import FIND

        return self.browser.run(f"({FIND})({json.dumps(selector)}).value", context)

    def await_value(self, selector, expected=None, context=None):
        """Waits for a value: the one that is expected, or any."""
        from bidi import FIND

        code = f"({FIND})({json.dumps(selector)}).value"
        try:
            return self.browser.until(code if expected is None else f"{code} === {json.dumps(expected)} && {code}", selector, context)
        except AssertionError:
            raise AssertionError(f"{selector} has {self.value(selector, context)!r}, not {expected!r}") from None

    # ------------------------------------------------------------ the bar
    def bar(self):
        """The context of the bar's page, or None."""
        return next((context for context, url in self.browser.contexts() if "extension://" in url and "/bar/bar.html#" in url), None)

    def await_bar(self, text="", timeout=60):
        """Waits for the bar, and until it may be clicked; returns its page."""
        ready = f"!form.hidden && !form.matches('.waits') && line.hidden && part('title').textContent.replace(/[\u2068\u2069]/g, '').includes({json.dumps(text)}) && part('title').textContent"
        title = None
        for _ in tries(timeout):
            bar = self.bar()
            try:
                if bar and self.browser.run(ready, bar):
                    # For the content script's own inspection.
                    time.sleep(0.15)
                    return bar
                title = bar and self.browser.run("part('title').textContent + line.textContent", bar)
            except Failure:
                pass  # it was replaced
        raise AssertionError(f"no bar with {text!r}, but {title!r}")

    def answer_bar(self, text="", choice="save"):
        """A click on a button of the bar that has this text."""
        bar = self.await_bar(text)
        before = self.browser.run("part('title').textContent", bar)
        with contextlib.suppress(Failure):  # it closes, maybe before the button is released
            self.browser.click(f"#{choice}", bar, rest=600)
        again = time.monotonic() + 2
        for _ in tries(20):
            try:
                if self.bar() != bar or self.browser.run(f"part('title').textContent !== {json.dumps(before)} || !part('why').hidden", bar):
                    return
                # As a user does: again, where the page was drawn late.
                if time.monotonic() > again and self.browser.run("line.textContent !== say('asking')", bar):
                    self.browser.click(f"#{choice}", bar, rest=600)
                    again = time.monotonic() + 2
            except (Failure, StopIteration, TypeError):
                if self.bar() != bar:
                    return  # it was removed
        raise AssertionError(f"the bar does not answer: {self.browser.run('document.body.innerText', bar)}")

    def no_bar(self, seconds=1.5):
        """Checks that none comes."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            bar = self.bar()
            with contextlib.suppress(Failure):
                assert bar is None or self.browser.run("form.hidden", bar), "a bar came"
            time.sleep(0.1)

    def screenshot(self, x=0, y=0, width=900, height=640, context=None):
        clip = {"type": "box", "x": x, "y": y, "width": width, "height": height}
        return base64.b64decode(self.browser("browsingContext.captureScreenshot", {"context": context or self.browser.tab, "clip": clip})["data"])

    def close(self):
        self.browser.close()
        self.stop()
        shutil.rmtree(self.apps, ignore_errors=True)
