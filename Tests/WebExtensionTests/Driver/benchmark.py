# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of the extension, beside one that only shows a frame: python benchmark.py PROGRAMS EXTENSION PAGES [--quick]

Printed for each browser, in milliseconds: from a field's focus to the menu that is drawn with its suggestions, on a granted site
with the worker warm; and the main-thread time of a page with 500 inputs, at its load and for each batch of mutations, with a menu
open. In Chromium also the time of the extension's own scripts at the load of that page, and of one without fields. Aims: median
under 30 and p95 under 60; own scripts under 5, and under 0.5 without fields; a batch under 2.
"""
import json
import pathlib
import statistics
import sys
import tempfile

from forms import grant
from stage import Stage

FIELDS = 500
# A minimal extension that shows a frame at a field's focus: the browser's own cost of that.
EMPTY = {
    "manifest.json": json.dumps({
        "manifest_version": 3, "name": "Empty", "version": "1.0",
        "browser_specific_settings": {"gecko": {"id": "empty@autofilld.org", "data_collection_permissions": {"required": ["none"]}}},
        "background": {"service_worker": "worker.js", "scripts": ["worker.js"]},
        "host_permissions": ["https://*/*"], "web_accessible_resources": [{"resources": ["menu/menu.html"], "matches": ["https://*/*"]}],
        "content_scripts": [{"matches": ["https://*/*"], "js": ["content.js"], "run_at": "document_start"}]}),
    "content.js": """let port, frame;
        document.addEventListener("focusin", (event) => {
          if (!(event.target instanceof HTMLInputElement)) return;
          port ??= chrome.runtime.connect({ name: "page" });
          port.onMessage.addListener(() => {
            if (frame) return;
            frame = document.createElement("iframe");
            frame.src = chrome.runtime.getURL("menu/menu.html#0");
            frame.style.cssText = "position: fixed; left: 40px; top: 200px; border: 0";
            document.documentElement.append(frame);
          });
          port.postMessage({});
        }, true);
        document.addEventListener("focusout", () => { frame?.remove(); frame = undefined; }, true);""",
    "worker.js": """chrome.runtime.onConnect.addListener((port) => port.onMessage.addListener((message) => port.postMessage(message)));""",
    "menu/menu.html": """<!doctype html><meta charset="utf-8"><body><script src="menu.js"></script></body>""",
    "menu/menu.js": """let isShown = true; const port = chrome.runtime.connect({ name: "menu" });
        port.onMessage.addListener(() => { const item = document.createElement("button"); item.setAttribute("role", "menuitem");
          item.textContent = "ann@example.com"; document.body.append(item); });
        port.postMessage({});""",
}
# The time of the focus, by the clock of all documents.
LISTEN = "addEventListener('focusin', (event) => { window.focusedAt = performance.timeOrigin + event.timeStamp; }, true) ?? 1"
DRAWN = "((entry) => entry && document.querySelector('[role=menuitem]') && performance.timeOrigin + entry.startTime)(performance.getEntriesByName('first-contentful-paint')[0])"
# One batch of mutations, and the work of the main thread for it before its next task, without frames.
BATCH = """new Promise((resolve) => {
    const list = document.getElementById("list"), channel = new MessageChannel(), began = performance.now();
    for (let count = 0; count < 20; count++) {
      const row = list.children[(window.batch = (window.batch ?? 0) + 7) % list.children.length];
      row.classList.toggle("on");
      row.append(document.createElement("input"));
      row.lastChild.remove();
    }
    channel.port1.onmessage = () => resolve(performance.now() - began);
    channel.port2.postMessage(0);
  })"""


# Ten of them, and the work in each frame that is drawn.
DRAWN_BATCHES = f"""(async () => {{
    for (let count = 0; count < 10; count++) {{
      await {BATCH};
      await new Promise(requestAnimationFrame);
    }}
    return 1;
  }})()"""


def page():
    """A form to sign in, and a list of fields behind it."""
    rows = "".join(f'<p><label>Line {n} <input id="line{n}" name="line{n}" autocomplete="off"></label></p>' for n in range(FIELDS - 2))
    return ('<!doctype html><html lang="en"><meta charset="utf-8"><title>Long</title><form method="post"><p><label>E-mail '
            '<input id="user" type="email" autocomplete="username"></label></p><p><label>Password <input id="password" type="password" '
            f'autocomplete="current-password"></label></p></form><form><div id="list">{rows}</div></form></html>')


def plain_page():
    """An article: headings, paragraphs and links, and no field."""
    parts = "".join(f"<h2>Part {n}</h2><p>{'Some words of the text. ' * 20}<a href='#{n}'>More</a></p>" for n in range(100))
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Article</title><h1>Article</h1>{parts}</html>'


class Subject:
    """A browser with one of the two extensions."""

    def __init__(self, browser, programs, extension, pages, folder):
        self.stage = Stage(browser, programs, extension, pages, folder)
        self.browser = self.stage.browser
        self.stage.site.extra.update({"long.html": page(), "article.html": plain_page()})

    def shown(self):
        """Milliseconds from the focus to the first drawing of the menu with an item."""
        self.browser.run("document.querySelector('#go').focus() ?? 1")
        while self.stage.menu():
            pass
        self.browser.click("#user")
        while not (menu := self.stage.menu()):
            pass
        elapsed = self.browser.until(DRAWN, "the menu is drawn", menu) - self.browser.run("focusedAt")
        assert elapsed > 0, "something was drawn in the menu before it was opened"
        return elapsed

    def open(self):
        self.stage.open("sign-in.html")
        self.browser.run(LISTEN)

    def load(self):
        """Milliseconds of a load of the long page, from its last byte to the end of its load event."""
        self.stage.open("long.html")
        return self.browser.run("((t) => t.loadEventEnd - t.responseEnd)(performance.getEntriesByType('navigation')[0])")

    def reload(self):
        self.browser("browsingContext.reload", {"context": self.browser.tab, "wait": "complete"})

    def batch(self):
        return self.browser.run(BATCH)

    def scripts(self, act):
        """Milliseconds of an extension's own scripts on the page's thread while `act` runs: Chromium's profiler, every 50 µs."""
        session = self.browser("goog:cdp.getSession", {"context": self.browser.tab})["session"]

        def cdp(method, **params):
            return self.browser("goog:cdp.sendCommand", {"method": method, "params": params, "session": session})["result"]

        cdp("Profiler.enable")
        cdp("Profiler.setSamplingInterval", interval=50)
        cdp("Profiler.start")
        act()
        profile = cdp("Profiler.stop")["profile"]
        own = {node["id"] for node in profile["nodes"] if node["callFrame"]["url"].startswith("chrome-extension:")}
        # And the browser's functions that they call. A node precedes those below it.
        for node in profile["nodes"]:
            if node["id"] in own:
                own.update(node.get("children", ()))
        return sum(delta for node, delta in zip(profile["samples"], profile["timeDeltas"]) if node in own) / 1000


def line(name, values, unit="ms"):
    ordered = sorted(values)
    return f"  {name:<58} median {statistics.median(ordered):7.2f}  p95 {ordered[int(len(ordered) * 0.95)]:7.2f} {unit}"


def measure(name, programs, extension, pages, folder, rounds):
    """All figures of one browser, as lines."""
    empty = pathlib.Path(folder) / "empty"
    for path, text in EMPTY.items():
        (empty / path).parent.mkdir(parents=True, exist_ok=True)
        (empty / path).write_text(text)
    folders = [pathlib.Path(folder) / side for side in ("ours", "theirs")]
    for side in folders:
        side.mkdir()
    ours = Subject(name, programs, extension, pages, folders[0])
    try:
        theirs = Subject(name, programs, empty, pages, folders[1])
    except BaseException:
        ours.stage.close()
        raise
    try:
        ours.stage.start()
        ours.stage.save("ann@example.com", "correct horse")
        grant(ours.stage)
        both = (ours, theirs)
        for subject in both:
            subject.open()
            for _ in range(5):
                subject.shown()
        # Alternately, so that both run on the same machine load.
        shown = list(zip(*[[subject.shown() for subject in both] for _ in range(rounds)]))
        loads = list(zip(*[[subject.load() for subject in both] for _ in range(rounds // 2)]))
        ours.browser.click("#user")
        ours.stage.await_menu()
        ours.browser.run("document.querySelector('#user').focus() ?? 1")
        batches = list(zip(*[[subject.batch() for subject in both] for _ in range(rounds)]))
        lines = [name, line("focus to menu", shown[0]), line("focus to frame, the empty extension", shown[1])]
        lines += [line(f"load of {FIELDS} inputs", loads[0]), line("  the empty extension", loads[1])]
        lines += [line("a batch of mutations, menu open", batches[0]), line("  the empty extension", batches[1])]
        if name == "chromium":
            for address, what in (("article.html", "a page without fields"), ("long.html", f"{FIELDS} inputs")):
                ours.stage.open(address)
                own = [ours.scripts(ours.reload) for _ in range(rounds // 4)]
                lines.append(line(f"own scripts at the load of {what}", own))
            ours.browser.click("#user")
            ours.stage.await_menu()
            own = [ours.scripts(lambda: ours.browser.run(DRAWN_BATCHES)) / 10 for _ in range(rounds // 4)]
            lines.append(line("own scripts for each batch and its frames, menu open", own))
        return lines
    finally:
        ours.stage.close()
        theirs.stage.close()


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    for browser in ("chromium", "firefox"):
        with tempfile.TemporaryDirectory(prefix="autofill-web-", ignore_cleanup_errors=True) as folder:
            print("\n".join(measure(browser, *arguments, folder, 12 if "--quick" in sys.argv else 60)), flush=True)
