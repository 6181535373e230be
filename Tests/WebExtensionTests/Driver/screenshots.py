# SPDX-License-Identifier: Apache-2.0
"""Makes README's pictures: python screenshots.py PROGRAMS EXTENSION PAGES TARGET"""
import pathlib
import sys
import tempfile
import time

from bidi import BASES, ENTER, TAB
from stage import Stage

ANN, BOB = "ann@example.com", "bob@example.com"


def take(programs, extension, pages, target, dark):
    """The menu, a strong password in its field, "why not", the bar, the toolbar's popup and the options."""

    def save(name, *area):
        (pathlib.Path(target) / f"{name}-{'dark' if dark else 'light'}.png").write_bytes(stage.screenshot(*area))

    def save_of(name, page, width=388, height=400):
        stage.browser("browsingContext.setViewport", {"context": page, "viewport": {"width": width, "height": height}})
        (pathlib.Path(target) / f"{name}-{'dark' if dark else 'light'}.png").write_bytes(stage.screenshot(0, 0, width, height, page))

    with tempfile.TemporaryDirectory(prefix="autofill-web-", ignore_cleanup_errors=True) as folder:
        stage = Stage("chromium", programs, extension, pages, folder, dark)
        try:
            stage.start()
            stage.save(ANN, "correct horse")
            stage.save(BOB, "battery staple")
            stage.open("sign-in.html")
            stage.browser.click("#user")
            stage.choose()
            stage.await_value("#password")
            stage.open("sign-in.html")
            stage.browser.click("#user")
            stage.await_menu()
            stage.await_clickable()
            save("menu", 0, 0, 460, 280)
            with stage.toolbar() as popup:
                stage.browser.until("!!document.querySelector('#accounts li')", "the accounts", popup)
                stage.browser("browsingContext.activate", {"context": popup})
                save_of("toolbar", popup)
            stage.browser("browsingContext.activate", {"context": stage.browser.tab})
            stage.open("sign-up.html")
            stage.browser.click("#user")
            stage.browser.type(ANN)
            stage.browser.click("#new")
            stage.choose()
            stage.await_value("#new")
            stage.ask_for_menu()
            stage.await_clickable()
            save("strong", 0, 0, 460, 280)
            stage.open("sign-in.html", scheme="http")
            stage.browser.click("#user")
            stage.ask_for_menu()
            stage.await_clickable()
            save("why-not", 0, 0, 460, 300)
            # The question after a password that the browser does not have.
            for direction in ("", "-rtl"):
                stage.open("sign-in.html")
                stage.browser.click("#user")
                stage.browser.type("carol@example.com" + TAB)
                stage.browser.type("tr0ub4dor and more" + ENTER)
                stage.browser.until("document.title === 'Welcome'")
                bar = stage.await_bar("carol")
                time.sleep(1)
                if direction:
                    stage.browser.run("(document.documentElement.dir = 'rtl')", bar)
                    time.sleep(0.5)
                save(f"bar{direction}", 420, 0, 480, 220)
                stage.answer_bar("carol", "later")
            with stage.toolbar() as popup:
                stage.browser("browsingContext.activate", {"context": popup})
                stage.browser.until("!!document.querySelector('#accounts li')", "the accounts", popup)
                stage.browser.run("(document.documentElement.dir = 'rtl')", popup)
                save_of("toolbar-rtl", popup)
            stage.browser("browsingContext.activate", {"context": stage.browser.tab})
            with stage.toolbar() as page:
                stage.browser("browsingContext.navigate", {"context": page, "url": f"{BASES['chromium']}/options/options.html", "wait": "complete"})
                stage.browser("browsingContext.activate", {"context": page})
                stage.browser.until("document.querySelectorAll('li').length > 0", "the sites", page)
                save_of("options", page, 640, 900)
        finally:
            stage.close()


if __name__ == "__main__":
    for is_dark in (False, True):
        take(*sys.argv[1:5], is_dark)
