# SPDX-License-Identifier: Apache-2.0
"""A real browser, driven over WebDriver BiDi: Chromium by its chromedriver, Firefox by itself."""
import collections
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

# Debian's launcher passes the directories of packaged extensions to Chromium.
LAUNCHER = "/usr/bin/chromium"
PROGRAMS = {"chromium": "/usr/lib/chromium/chromium", "firefox": "/usr/lib/firefox-esr/firefox-esr"}
CHROMEDRIVER = "/usr/bin/chromedriver"
# Firefox chooses a random name for an extension's pages, unless one is set.
UUID = "3d1f0e52-6a0b-4c4e-9d0e-3f4b1f0c9a11"
BASES = {"chromium": "chrome-extension://ehmaddlmbpkoooffmodchpfjjepkmenb", "firefox": f"moz-extension://{UUID}"}


class Failure(Exception):
    """A command that the browser refused."""


def tries(timeout=60):
    """Yields until the time is over, after pauses that become longer: each try is work for the browser that is waited for."""
    deadline = time.monotonic() + timeout
    pause = 0.02
    while time.monotonic() < deadline:
        yield
        time.sleep(pause)
        pause = min(pause * 1.25, 0.2)


class Browser:
    """One browser with the extension, and a profile of its own in `folder`. Without `extension` and `host` it finds both itself."""

    def __init__(self, name, folder, extension, environment, host, dark=False, saves=False):
        self.name, self.folder, self.extension = name, pathlib.Path(folder), extension
        self.count = 0
        # The time limit of an answer, in seconds.
        self.patience = 60
        self.environment = {**environment, "HOME": str(self.folder)}
        self.process = None
        self.socket = None
        # Whether it uses dark colours, and saves passwords itself.
        self.dark, self.saves = dark, saves
        self._start(host)

    def _start(self, host):
        """Starts it. If it exits or does not answer, it is killed and started again in a new profile, after a longer pause each time."""
        for pause in (1, 2, 4, 8, 16, None):
            try:
                if host:
                    self._manifest(host)
                getattr(self, f"_start_{self.name}")()
                # The first tab of Firefox has the focus in its address bar.
                self.tab = None
                self.open_tab()
                return
            except (Failure, OSError, WebSocketException) as failure:
                self.close()
                if pause is None:
                    raise Failure(f"{self.name} did not start: {failure!r}") from failure
                print(f"{self.name} did not start, and is started again: {failure!r}", file=sys.stderr, flush=True)
            shutil.rmtree(self.folder, ignore_errors=True)
            time.sleep(pause)

    def _connect(self, address):
        """A connection to the browser. A busy browser may answer a ping late."""
        self.socket = connect(address, max_size=None, open_timeout=self.patience, ping_interval=None, proxy=None, origin=None)

    def _printed(self, stream, pattern):
        """What matches in the output of a browser that starts. All later output is read too: a full pipe would stop the browser."""
        for line in stream:
            if found := re.search(pattern, line):
                threading.Thread(target=collections.deque, args=(stream, 0), daemon=True).start()
                return found[1]
        raise Failure(f"{self.name} ended while it started")

    def _manifest(self, host):
        manifest = {"name": "org.autofilld.browser", "description": "t", "type": "stdio", "path": str(host)}
        if self.name == "chromium":
            hosts = self.folder / "profile/NativeMessagingHosts"
            manifest["allowed_origins"] = ["chrome-extension://ehmaddlmbpkoooffmodchpfjjepkmenb/"]
        else:
            hosts = self.folder / ".mozilla/native-messaging-hosts"
            manifest["allowed_extensions"] = ["passwords@autofilld.org"]
        hosts.mkdir(parents=True, exist_ok=True)
        (hosts / "org.autofilld.browser.json").write_text(json.dumps(manifest))

    def _start_chromium(self):
        self.process = subprocess.Popen(
            [CHROMEDRIVER, "--port=0", "--log-level=SEVERE"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=self.environment, start_new_session=True)
        port = self._printed(self.process.stdout, r"started successfully on port (\d+)")
        options = {
            "binary": PROGRAMS["chromium"] if self.extension else LAUNCHER,
            "args": [
                "--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu", "--window-size=900,700",
                f"--user-data-dir={self.folder}/profile", "--host-resolver-rules=MAP * 127.0.0.1", "--password-store=basic",
            ] + ([f"--load-extension={self.extension}"] if self.extension else []) + (["--force-dark-mode"] if self.dark else []),
            "prefs": {"credentials_enable_service": self.saves, "profile.password_manager_enabled": self.saves},
        }
        wanted = {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "acceptInsecureCerts": True, "webSocketUrl": True, "goog:chromeOptions": options}}}
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/session", json.dumps(wanted).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=self.patience) as answer:
                session = json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Failure(error.read().decode(errors="replace")[:300]) from error
        self._connect(session["capabilities"]["webSocketUrl"])
        self._evaluate("other", "about:blank", FORGET_LOST)

    def _start_firefox(self):
        profile = self.folder / "profile"
        profile.mkdir(parents=True)
        settings = {
            "network.dns.forceResolve": "127.0.0.1", "signon.rememberSignons": self.saves, "extensions.webextOptionalPermissionPrompts": False, "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False, "app.update.disabledForTesting": True,
            "browser.startup.homepage_override.mstone": "ignore",
            "toolkit.telemetry.reportingpolicy.firstRun": False, "browser.newtabpage.enabled": False,
            "browser.startup.page": 0, "extensions.webextensions.uuids": json.dumps({"passwords@autofilld.org": UUID}), "extensions.getAddons.cache.enabled": False, "dom.security.https_first": False,
            "network.captive-portal-service.enabled": False,
            "network.connectivity-service.enabled": False, "browser.safebrowsing.update.enabled": False,
            "security.sandbox.content.level": 0, "ui.systemUsesDarkTheme": int(self.dark),
            "layout.css.prefers-color-scheme.content-override": 0 if self.dark else 1,
        }
        if self.extension:
            settings |= {"extensions.autoDisableScopes": 0, "xpinstall.signatures.required": False}
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in settings.items()))
        self.process = subprocess.Popen(
            [PROGRAMS["firefox"], "--headless", "--remote-allow-system-access", "--remote-debugging-port", "0", "--profile", str(profile), "--no-remote"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=self.environment, start_new_session=True)
        address = self._printed(self.process.stderr, r"WebDriver BiDi listening on (ws://\S+)")
        self._connect(f"{address}/session")
        self("session.new", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": True}}})
        if self.extension:
            self("webExtension.install", {"extensionData": {"type": "path", "path": str(self.extension)}})

    def __call__(self, method, params, timeout=None):
        self.count += 1
        number = self.count
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        deadline = time.monotonic() + (timeout or self.patience)
        while True:
            message = json.loads(self.socket.recv(timeout=max(0.1, deadline - time.monotonic())))
            if message.get("id") == number:
                if message["type"] == "error":
                    raise Failure(f"{method}: {message['error']}: {message['message']}")
                return message["result"]

    def close(self):
        """Kills the browser, and all processes that it started."""
        if self.socket:
            self.socket.close()
            self.socket = None
        if self.process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    # ------------------------------------------------------------ pages
    def open(self, url, wait="complete"):
        """Shows a page in the tab."""
        for is_last in (False, True):
            try:
                return self("browsingContext.navigate", {"context": self.tab, "url": url, "wait": wait})
            except Failure as failure:
                # Firefox's error where a page, or a frame in it, was still loading when the next one was requested.
                if is_last or "NS_BINDING_ABORTED" not in str(failure):
                    raise

    def open_tab(self):
        """Opens another tab, in place of the one that there is."""
        former = self.tab
        self.tab = self("browsingContext.create", {"type": "tab"})["context"]
        self("browsingContext.setViewport", {"context": self.tab, "viewport": {"width": 900, "height": 640}})
        if former:
            self("browsingContext.close", {"context": former})

    def contexts(self):
        """All frames of the tab: (name, address)."""
        found = []

        def visit(nodes):
            for node in nodes:
                found.append((node["context"], node["url"]))
                visit(node.get("children") or [])

        visit(self("browsingContext.getTree", {"root": self.tab})["contexts"])
        return found

    def run(self, code, context=None):
        """The value of an expression in a page; a promise is awaited.

        An evaluation that awaits may never be answered where the page is left (w3c/webdriver-bidi, issue 378), so only promises are.
        """
        text = "((value) => JSON.stringify(value) ?? null)"
        answer = self("script.evaluate", {
            "expression": f"((value) => typeof value?.then === 'function' ? value.then({text}) : {text}(value))(({code}))",
            "awaitPromise": True, "userActivation": False, "target": {"context": context or self.tab}})
        if answer["type"] == "exception":
            raise Failure(f"{code}: {answer['exceptionDetails']['text']}")
        value = answer["result"].get("value")
        return None if value is None else json.loads(value)

    def until(self, code, what=None, context=None, timeout=60):
        """Waits until an expression is true; its value."""
        for _ in tries(timeout):
            try:
                value = self.run(code, context)
            except Failure as failure:
                value, what = None, f"{what or code} ({failure})"[:300]  # a page that navigates
            if value:
                return value
        raise AssertionError(f"not so within {timeout} s: {what or code}")

    def windows(self, text):
        """The pages of all tabs and windows whose address contains `text`."""
        return [node["context"] for node in self("browsingContext.getTree", {})["contexts"] if text in node["url"]]

    # ------------------------------------------------------------ the browser itself
    def _chrome(self, code):
        """The value of an expression in Firefox's own window."""
        tree = self("browsingContext.getTree", {"moz:scope": "chrome"})["contexts"]
        return self.run(code, next(node["context"] for node in tree if "browser.xhtml" in node["url"]))

    def allow_private(self, is_allowed):
        """Allows the extension in Firefox's private windows, or not: the switch in the list of add-ons."""
        self._chrome(f"""(async () => {{ const id = "passwords@autofilld.org";
            const {{ ExtensionPermissions }} = ChromeUtils.importESModule("resource://gre/modules/ExtensionPermissions.sys.mjs");
            const {{ AddonManager }} = ChromeUtils.importESModule("resource://gre/modules/AddonManager.sys.mjs");
            await ExtensionPermissions.{"add" if is_allowed else "remove"}(
              id, {{ permissions: ["internal:privateBrowsingAllowed"], origins: [] }}, WebExtensionPolicy.getByID(id).extension);
            await (await AddonManager.getAddonByID(id)).reload(); return 1; }})()""")

    @contextlib.contextmanager
    def _devtools(self):
        """Chromium's own protocol, for what chromedriver has no command for: yields a function that calls a method."""
        number, path = (self.folder / "profile/DevToolsActivePort").read_text().split()
        with connect(f"ws://127.0.0.1:{number}{path}", max_size=None) as line:
            def call(method, session=None, **params):
                line.send(json.dumps({"id": 1, "method": method, "params": params, **({"sessionId": session} if session else {})}))
                while "id" not in (answer := json.loads(line.recv(timeout=10))):
                    pass
                return answer["result"]

            yield call

    def close_tab(self):
        """Closes the tab, also with a dialog of the browser itself in it: chromedriver may not answer then."""
        if self.name != "chromium":
            return self("browsingContext.close", {"context": self.tab})
        with self._devtools() as call:
            call("Target.closeTarget", targetId=self.tab)

    @staticmethod
    def _target(call, kind, start):
        """The name of a page or worker by the start of its address."""
        return next(t["targetId"] for t in call("Target.getTargets")["targetInfos"] if t["type"] == kind and t["url"].startswith(start))

    def _worker(self, code):
        """Runs an expression in the extension's background in Chromium: a driver cannot press the items of its menus."""
        self._evaluate("service_worker", BASES["chromium"], code)

    def _evaluate(self, kind, start, code):
        """Runs an expression in a page or worker of Chromium, by the start of its address."""
        with self._devtools() as call:
            target = self._target(call, kind, start)
            session = call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            result = call("Runtime.evaluate", session, expression=code, awaitPromise=True)
            if "exceptionDetails" in result:
                raise Failure(str(result["exceptionDetails"]))

    def click_while_loading(self, url, x, y):
        """A real click in a page while the next one is requested; chromedriver waits for that one."""
        if self.name == "firefox":
            return self.pointer(x, y)
        with self._devtools() as call:
            session = call("Target.attachToTarget", targetId=self._target(call, "page", url), flatten=True)["sessionId"]
            for kind in ("mousePressed", "mouseReleased"):
                call("Input.dispatchMouseEvent", session, type=kind, x=x, y=y, button="left", clickCount=1)

    def end_background(self):
        """Ends the extension's background, as the browser does when it is idle."""
        if self.name == "firefox":
            return self._chrome("WebExtensionPolicy.getByID('passwords@autofilld.org').extension.terminateBackground().then(() => 1)")
        with self._devtools() as call:
            call("Target.closeTarget", targetId=self._target(call, "service_worker", BASES["chromium"]))

    def command(self, name):
        """A keyboard command of the extension: in Firefox its key, in Chromium what its key sends to the background."""
        if self.name == "firefox":
            key = {"menu": "M", "fill": "L", "strong": "G"}[name]
            return self._chrome(f"[...document.querySelectorAll('[id^=ext-keyset-id-passwords] key')].find((k) => k.getAttribute('key') === '{key}').doCommand() ?? 1")
        self._worker(f"chrome.tabs.query({{ active: true }}).then(([tab]) => chrome.commands.onCommand.dispatch({name!r}, tab))")

    def context_menu(self, selector, item):
        """A click with the right button, and the item of the extension in the menu that opens."""
        box = self.run(f"({FIND})({json.dumps(selector)}).getBoundingClientRect().toJSON()")
        self("input.performActions", {"context": self.tab, "actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "x": int(box["x"]) + 9, "y": int(box["y"]) + 9},
                {"type": "pointerDown", "button": 2}, {"type": "pointerUp", "button": 2}]}]})
        if self.name == "firefox":
            found = f"document.getElementById('passwords_autofilld_org-menuitem-_{item}')"
            tree = self("browsingContext.getTree", {"moz:scope": "chrome"})["contexts"]
            chrome = next(node["context"] for node in tree if "browser.xhtml" in node["url"])
            self.until(f"document.getElementById('contentAreaContextMenu').state === 'open' && !!{found}", "the menu", chrome)
            return self.run(f"({found}.doCommand(), document.getElementById('contentAreaContextMenu').hidePopup(), 1)", chrome)
        self._worker(f"chrome.tabs.query({{ active: true }}).then(([tab]) => chrome.contextMenus.onClicked.dispatch({{ menuItemId: {item!r}, frameId: 0 }}, tab))")

    # ------------------------------------------------------------ the user
    def pointer(self, x, y, context=None, press=True, timeout=None, rest=0):
        """Moves the pointer, and clicks after so many milliseconds there."""
        actions = [{"type": "pointerMove", "x": int(x), "y": int(y), "duration": 0}]
        if rest:
            actions += [{"type": "pause", "duration": rest}]
        if press:
            actions += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self("input.performActions", {"context": context or self.tab, "actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]}, timeout)

    def click(self, selector, context=None, timeout=None, rest=0):
        """A real click at the middle of an element."""
        box = self.run(f"(({FIND})({json.dumps(selector)}).scrollIntoView({{block: 'nearest'}}), "
                       f"({FIND})({json.dumps(selector)}).getBoundingClientRect().toJSON())", context)
        self.pointer(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, context, timeout=timeout, rest=rest)

    def type(self, text, context=None, timeout=None):
        """Real keys."""
        actions = []
        for key in text:
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self("input.performActions", {"context": context or self.tab, "actions": [{"type": "key", "id": "keys", "actions": actions}]}, timeout)


# For the hidden page in which chromedriver serves BiDi. A frame of another process that is removed while it loads may report its script
# context after its end: chromedriver keeps a realm for it, and answers each later navigation with "no such frame", which names that frame
# and not the tab. Realms, which have `associatedBrowsingContexts`, are removed where they are listed if their frame is unknown.
FORGET_LOST = """{ const { values } = Map.prototype;
    Map.prototype.values = function () {
      for (const [key, realm] of this) {
        try { realm?.associatedBrowsingContexts; } catch { this.delete(key); }
      }
      return values.call(this);
    }; }"""
# Finds an element, through open shadow roots.
FIND = ("(s => { const f = (r) => { const e = r.querySelector(s); if (e) return e; for (const h of r.querySelectorAll('*')) "
        "if (h.shadowRoot) { const i = f(h.shadowRoot); if (i) return i; } return null; }; return f(document); })")
DOWN, ENTER, ESCAPE, LEFT, RIGHT, TAB, UP = "\ue015", "\ue007", "\ue00c", "\ue012", "\ue014", "\ue004", "\ue013"
