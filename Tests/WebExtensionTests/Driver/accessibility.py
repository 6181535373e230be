# SPDX-License-Identifier: Apache-2.0
"""axe-core, from PyPI, finds nothing serious in the pages of the extension. Without it, and in Firefox, nothing is checked here."""
import pathlib
import subprocess
import sys

from bars import begin, sign_in
from bidi import BASES
from scenarios import ANN, scenario

PACKAGE = "axe-playwright-python"


def axe():
    """The script, or None where PyPI is not reachable."""
    found = lambda: next(pathlib.Path(sys.prefix).glob("lib/python*/site-packages/axe_playwright_python/axe.min.js"), None)
    if not found():
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--retries", "1", "--timeout", "20", PACKAGE], capture_output=True)
    return found() and found().read_text()


def check(stage, script, context, what):
    stage.browser.run(f"(() => {{ {script}\n; return 1; }})()", context)
    found = stage.browser.run("axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))"
                              ".map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`))", context)
    assert not found, f"{what}: {found}"


@scenario
def accessibility(stage):
    """axe-core finds nothing serious in the popup, the options, the search, the menu and the bar."""
    script = stage.browser.name == "chromium" and axe()
    if not script:
        return
    begin(stage)
    stage.save(ANN, "correct horse")
    sign_in(stage)
    check(stage, script, stage.await_bar(ANN), "the bar")
    stage.open("sign-up.html")
    stage.browser.click("#new")
    stage.await_menu()
    stage.await_clickable()
    check(stage, script, stage.menu(), "the menu")
    with stage.toolbar() as popup:
        stage.browser.until("!!document.querySelector('#accounts button') && !!document.querySelector('.undecided')", "the popup", popup)
        stage.browser.run("document.querySelector('#accounts button').click() ?? 1", popup)
        stage.browser.until("!!document.querySelector('#accounts .fill')", "the account", popup)
        stage.browser.run("document.querySelector('#generator button').click() ?? 1", popup)
        stage.browser.until("!!document.querySelector('#generator output')", "a password", popup)
        check(stage, script, popup, "the popup")
        stage.open_item(popup)
        stage.browser.run("document.querySelector('#item .show').click() ?? 1", popup)
        stage.browser.until("!!document.querySelector('#item .password')", "the password", popup)
        check(stage, script, popup, "an account in the popup")
        for page in ("options/options.html", "popup/search.html"):
            stage.browser("browsingContext.navigate", {"context": popup, "url": f"{BASES['chromium']}/{page}", "wait": "complete"})
            stage.browser.until("document.querySelectorAll('li').length > 0", "a list", popup)
            check(stage, script, popup, page)
