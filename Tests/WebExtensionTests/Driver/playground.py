# SPDX-License-Identifier: Apache-2.0
"""A user at the page of `autofillctl rules playground`: python playground.py BROWSER TARGET COMMAND...

The command prints the page's address. With a TARGET other than "-" README's pictures are written there, and nothing else is done.
"""
import base64
import contextlib
import http.server
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

from bidi import ENTER, TAB, Browser

RIGHT, CONTROL, BACKSPACE = "\ue014", "\ue009", "\ue003"
MISTAKEN = "required: uper; minlength: 6; maxlength: 6; allowed: digit;"
SHOWN = "required: lower; required: upper; required: digits; required: [-!@#$%]; max-repeating: 2; minlength: 12; maxlength: 24;"

# The text whose contrast with what is behind it is too low (WCAG 2.2, 1.4.3), and controls without a name.
CONTRAST = """(() => {
  const rgba = (text) => { const c = text.match(/[\\d.]+/g).map(Number); return [c[0], c[1], c[2], c[3] ?? 1]; };
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const light = (c) => { const [r, g, b] = c.map((v) => (v / 255 <= .04045 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4));
    return .2126 * r + .7152 * g + .0722 * b; };
  const found = [];
  for (const e of document.querySelectorAll("body *")) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility({ visibilityProperty: true })) continue;
    if (e.closest("textarea, .hidden, .skip, script, noscript, option")) continue;
    const layers = [];
    for (let n = e; n; n = n.parentElement) layers.push(rgba(getComputedStyle(n).backgroundColor));
    const back = layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
    const fore = over(rgba(getComputedStyle(e).color), back);
    const [a, b] = [light(fore), light(back)].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) found.push(`${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 30)} ${((a + .05) / (b + .05)).toFixed(2)}`);
  }
  for (const e of document.querySelectorAll("button, input, select, textarea, a")) {
    const name = e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent;
    if (e.checkVisibility() && !name.trim()) found.push(`without a name: ${e.outerHTML.slice(0, 60)}`);
  }
  return found; })()"""


@contextlib.contextmanager
def page(name, command, dark=False):
    """The command, and a browser at the address that it prints; the output of the command must be that line alone."""
    with tempfile.TemporaryDirectory(prefix="autofill-web-", ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        browser = None
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+/#[0-9a-f]{64}", process.stdout.readline())[0]
            browser = Browser(name, pathlib.Path(folder) / "home", None, dict(os.environ), None, dark)
            browser.open(address)
            browser.until("document.body.dataset.shown !== undefined", "the first figures")
            yield browser, address, process
        finally:
            if browser:
                browser.close()
            process.kill()
            process.wait()


def enter(browser, text):
    """Replaces the rules, by real keys, and waits for their figures."""
    browser.run("(document.querySelector('#rules').focus(), document.querySelector('#rules').select(), 1)")
    browser.type(BACKSPACE + text)
    browser.until(f"document.body.dataset.shown === {text!r}", f"the figures of {text}")


def text(browser, selector):
    return browser.run(f"document.querySelector('{selector}').innerText")


def shows_figures(browser):
    """A mistake is shown under its place; without it the figures are exact."""
    enter(browser, MISTAKEN)
    assert text(browser, "#verdict") == "1 error.", text(browser, "#verdict")
    shown = browser.run("[...document.querySelectorAll('#mistakes li')].map((e) => e.innerText)")
    assert len(shown) == 1 and "\"uper\" is not a character class" in shown[0] and "at character 11" in shown[0], shown
    lines = browser.run("document.querySelector('#mistakes pre').textContent").split("\n")
    assert lines[0][lines[1].index("^"):].startswith("uper;") and lines[1].count("^") == 4, lines
    assert browser.run("document.querySelector('#mirror .error').textContent") == "uper"
    assert browser.run("document.querySelector('#rules').getAttribute('aria-invalid')") == "true"
    # The mistake's button selects its place, where the user types.
    browser.run("(document.querySelector('#mistakes button').focus(), 1)")
    browser.type(ENTER)
    browser.type("digit")
    browser.until("document.querySelector('#verdict').textContent === 'No mistakes.'", "no mistakes")
    assert browser.run("document.querySelector('#rules').value") == MISTAKEN.replace("uper", "digit")
    browser.until("document.querySelector('#count').textContent === '1,000,000'", "a million")
    assert text(browser, "#bits") == "19.93" and text(browser, "#characters") == "6"
    # Bits are rounded down, as the command does, also where the binary fraction is below the decimal one.
    assert browser.run("[8.29, 71.999999, 100].map(bits)") == ["8.29", "71.99", "100.00"]
    rounded = browser.run("['1995', '9996', '1234'].map((digits) => about(digits + '0'.repeat(10)))")
    assert rounded == ["About 2.00 × 10¹³.", "About 1.00 × 10¹⁴.", "About 1.23 × 10¹³."], rounded
    assert re.fullmatch(r"\d{6}", text(browser, "#hero"))
    samples = browser.run("[...document.querySelectorAll('#samples code')].map((e) => e.textContent)")
    assert len(samples) == 4 and all(re.fullmatch(r"\d{6}", s) for s in samples), samples
    assert "required: digit; minlength: 6; maxlength: 6;" in text(browser, "#canonical")
    assert 'passwordrules="required: digit;' in text(browser, "#html")


def draws_and_downloads(browser):
    enter(browser, "minlength: 30; allowed: lower;")
    before = text(browser, "#hero")
    browser.run("(document.querySelector('#rules').focus(), 1)")
    browser("input.performActions", {"context": browser.tab, "actions": [{"type": "key", "id": "keys", "actions": [
        {"type": "keyDown", "value": CONTROL}, {"type": "keyDown", "value": ENTER}, {"type": "keyUp", "value": ENTER},
        {"type": "keyUp", "value": CONTROL}]}]})
    browser.until(f"document.querySelector('#hero').innerText !== {before!r}", "another password")
    browser.click("#download")
    browser.until("document.querySelector('#downloaded').textContent.length > 0", "the download")
    file = browser.folder / "Downloads/passwords.txt"
    browser.until("1")
    for _ in range(600):
        if file.exists() and file.read_text().count("\n") == 1000:
            break
        threading.Event().wait(0.1)
    lines = file.read_text().splitlines()
    assert len(set(lines)) == 1000 and all(re.fullmatch(r"[a-z]{30}", line) for line in lines), lines[:3]


def checks_and_finds(browser):
    enter(browser, "required: digit; allowed: lower; minlength: 8;")
    browser.click("#password")
    browser.type("abcdefgh")
    browser.until("document.querySelector('#state').textContent.includes('1 rule is not met')", "the violation")
    assert "required: digit" in text(browser, "#violations")
    browser.type("1")
    browser.until("document.querySelector('#state').textContent.includes('9 characters: the rules are met')", "no violation")
    browser.click("#search")
    browser.type("shop.example")
    browser.until("document.querySelector('#sites b')?.textContent === 'shop.example.com'", "the site")
    browser.click("#sites button")
    browser.until("document.body.dataset.shown === 'minlength: 8; required: digit;'", "its rules")
    assert text(browser, "#sharing").startswith("1 of 1 known sites has just these rules"), text(browser, "#sharing")


def serves_the_keyboard(browser):
    """Each control is reached by Tab, in the order of the page; an arrow key switches to the rules of an app."""
    enter(browser, MISTAKEN)
    browser.run("(document.activeElement.blur(), window.getSelection().removeAllRanges(), window.scrollTo(0, 0), 1)")
    controls = browser.run("""[...document.querySelectorAll("a[href], button, input, select, textarea")]
        .filter((e) => e.checkVisibility() && (e.type !== "radio" || e.checked)).map((e, i) => (e.dataset.number = i))""")
    browser.run("(document.querySelector('.skip').focus(), 1)")
    reached = ["0"]
    for _ in controls[1:]:
        browser.type(TAB)
        reached.append(browser.run("document.activeElement.dataset.number ?? null"))
        browser.until("""(() => { const e = document.activeElement;
            const shown = e.id === "rules" ? document.querySelector(".editor") : e.name === "for" ? e.nextElementSibling : e;
            return e === document.body || getComputedStyle(shown).outlineStyle !== "none"; })()""", f"the focus after {reached}")
    # A scrolled list may be reached too: it is no control.
    assert [int(n) for n in reached if n is not None] == controls[:len([n for n in reached if n is not None])], reached
    browser.run("(document.querySelector('.skip').focus(), 1)")
    browser.type(ENTER)
    assert browser.run("document.activeElement.id") == "rules"
    browser.run("(document.querySelector('[name=for]:checked').focus(), 1)")
    browser.type(RIGHT)
    browser.until("document.querySelector('#swift').checkVisibility() && !document.querySelector('#html').checkVisibility()", "Swift")
    assert text(browser, "#swift").startswith("let rules = try PasswordRules(descriptor:")


def is_legible(browser):
    """In both schemes, at the width of a phone too."""
    enter(browser, MISTAKEN)
    found = browser.run(CONTRAST)
    assert found == [], found
    browser("browsingContext.setViewport", {"context": browser.tab, "viewport": {"width": 360, "height": 740}})
    assert browser.run("document.documentElement.scrollWidth") <= 360, "the page is wider than a phone"
    assert browser.run(CONTRAST) == []


def answers_no_other_page(browser, address):
    """Another host's name, another origin, and a tab without the token."""
    port = re.search(r":(\d+)/", address)[1]
    token = address.partition("#")[2]
    assert browser.run("[location.href, JSON.stringify(history.state)]") == [f"http://127.0.0.1:{port}/", "null"]
    browser.open(f"http://rebound.example:{port}/#{token}")
    assert "The host is not the server" in browser.run("document.body.innerText")

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<iframe src="http://127.0.0.1:{port}/"></iframe>'.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser.open(f"http://other.example:{server.server_address[1]}/")
    for options in ("{}", "{ method: 'POST', body: '{}' }", "{ mode: 'no-cors', method: 'POST', body: '{}' }",
                    f"{{ method: 'POST', body: '{{}}', headers: {{ Authorization: 'Bearer {token}' }} }}"):
        read = browser.run(f"fetch('http://127.0.0.1:{port}/rules', {options}).then((a) => a.text()).catch(() => '')")
        assert read == "", (options, read)
    frames = [context for context, url in browser.contexts()[1:]]
    for frame in frames:
        with contextlib.suppress(Exception):
            assert "Password rules" not in browser.run("document.title", frame)
    server.shutdown()
    tab = browser("browsingContext.create", {"type": "tab"})["context"]
    browser("browsingContext.navigate", {"context": tab, "url": f"http://127.0.0.1:{port}/", "wait": "complete"})
    browser.until("document.querySelector('#lost').innerText.includes('needs the whole address')", "what is missing", tab)


def ends_with_the_command(browser, process):
    process.kill()
    process.wait()
    assert process.stdout.read().count("http") == 0
    browser.run("(document.querySelector('#again').click(), 1)")
    browser.until("document.querySelector('#lost').innerText.includes('has ended')", "that the command has ended")


def use(name, command):
    with page(name, command) as (browser, address, process):
        shows_figures(browser)
        # Before the download: Firefox shows it in a panel, which has the focus.
        serves_the_keyboard(browser)
        browser.open(address.partition("#")[0])  # Reloaded: the tab has the token.
        browser.until("document.body.dataset.shown !== undefined", "the figures after a reload")
        draws_and_downloads(browser)
        checks_and_finds(browser)
        is_legible(browser)
        ends_with_the_command(browser, process)
    with page(name, command, dark=True) as (browser, address, process):
        is_legible(browser)
        answers_no_other_page(browser, address)


def take(command, target):
    """README's pictures."""
    for dark in (False, True):
        with page("chromium", command, dark) as (browser, _, _):
            browser("browsingContext.setViewport", {"context": browser.tab, "viewport": {"width": 1120, "height": 1240}})
            enter(browser, SHOWN)
            browser.run("(document.activeElement.blur(), window.scrollTo(0, 0), 1)")
            answer = browser("browsingContext.captureScreenshot", {"context": browser.tab})
            name = f"playground-{'dark' if dark else 'light'}.png"
            (pathlib.Path(target) / name).write_bytes(base64.b64decode(answer["data"]))


if __name__ == "__main__":
    if sys.argv[2] == "-":
        use(sys.argv[1], sys.argv[3:])
    else:
        take(sys.argv[3:], sys.argv[2])
