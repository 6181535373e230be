# SPDX-License-Identifier: Apache-2.0
"""Makes README's pictures: python screenshots.py PROGRAMS EXTENSION PAGES TARGET"""
import pathlib
import sys
import tempfile

from stage import Stage

ANN, BOB = "ann@example.com", "bob@example.com"


def take(programs, extension, pages, target, dark):
    """The menu, a strong password in its field, "why not", and the toolbar's popup."""

    def save(name, *area):
        (pathlib.Path(target) / f"{name}-{'dark' if dark else 'light'}.png").write_bytes(stage.screenshot(*area))

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
                (pathlib.Path(target) / f"toolbar-{'dark' if dark else 'light'}.png").write_bytes(stage.screenshot(0, 0, 360, 360, popup))
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
        finally:
            stage.close()


if __name__ == "__main__":
    for is_dark in (False, True):
        take(*sys.argv[1:5], is_dark)
