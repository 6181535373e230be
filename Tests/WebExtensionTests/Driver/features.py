# SPDX-License-Identifier: Apache-2.0
"""More scenarios: the toolbar's tools, the browser's own menus and keys, changing a password, HTTP authentication, isolated frames."""
import contextlib
import re
import time
import urllib.parse

from bidi import DOWN, ENTER, RIGHT, Failure
from scenarios import ANN, BOB, EVE, assert_why, fill_strong, frame_of, paste, scenario, take_in_frame


def await_window(stage, text):
    """Waits for the page of a window that the extension opens, with its buttons."""
    deadline = time.monotonic() + 60
    while not (found := stage.browser.windows(text)):
        assert time.monotonic() < deadline, f"no window {text}"
        time.sleep(0.05)
    return found[0]


def close(stage, context):
    """Closes a window, if it still exists."""
    try:
        stage.browser("browsingContext.close", {"context": context})
    except Failure:
        pass


# ---------------------------------------------------------------- the toolbar
@scenario
def generated_in_the_toolbar(stage):
    """A new password by the page's rules, of a chosen length, is copied, removed from the clipboard, and saved with a user name; an unused one is declined."""
    stage.start()
    stage.open("sign-up.html")
    browser = stage.browser
    with stage.toolbar() as popup:
        browser("browsingContext.activate", {"context": popup})
        browser.until("!!document.querySelector('#generator button')", "the button", popup)
        assert browser.run("document.querySelector('#generator output')", popup) is None and stage.offers() == []
        browser.click("#generator button", popup)
        first = browser.until("document.querySelector('#generator output')?.innerText", "a password", popup)
        assert len(first) == 17 and re.search("[A-Z]", first) and re.search("[0-9]", first) and "_" in first, "the rules"
        browser.click("#generator .another", popup)
        second = another_in(browser, popup, first)
        assert sorted(o["state"] for o in stage.offers()) == ["declined", "pending"]
        # The site's rules decide: they allow one length, and no readable password.
        assert browser.run("document.querySelector('#length').hidden && document.querySelector('#generator select').value", popup) == "random"
        browser.run("(document.querySelector('#generator select').value = 'readable', document.querySelector('#generator select').dispatchEvent(new Event('change')), 1)", popup)
        second = another_in(browser, popup, second)
        assert len(second) == 17 and browser.run("document.querySelector('#generator select').value === 'random' && document.querySelector('#generator .why').innerText", popup)
        browser.click("#generator .copy", popup)
        browser.until("document.querySelector('#state').innerText.includes('45 seconds')", "copied", popup)
        alarms = browser.run("chrome.alarms.getAll()", popup)
        assert len(alarms) == 1 and 30_000 < alarms[0]["scheduledTime"] - time.time() * 1000 <= 46_000, alarms
        assert paste(stage) == second
        browser("browsingContext.activate", {"context": popup})
        browser.click("#generator input[type=text]", popup)
        browser.type(ANN, popup)
        browser.click("#generator .save", popup)
        browser.until(f"document.querySelector('#generator').innerText.includes('Saved for') && document.querySelector('#generator').innerText.includes('{ANN}')", "saved", popup)
        stage.await_saved({ANN: second})
    settled = ["accepted"] + 6 * ["declined"]
    stage.open("change.html")
    for is_copied, expected in ((False, settled), (True, settled + ["pending"])):
        with stage.toolbar() as popup:
            browser("browsingContext.activate", {"context": popup})
            browser.until("!!document.querySelector('#generator button')", "the button", popup)
            browser.click("#generator button", popup)
            browser.until("document.querySelector('#generator output')?.innerText", "a password", popup)
            if is_copied:
                browser.click("#generator .copy", popup)
                browser.until("document.querySelector('#state').innerText.includes('45 seconds')", "copied", popup)
            else:
                choose_style_and_length(browser, popup)
        deadline = time.monotonic() + 60
        while sorted(o["state"] for o in stage.offers()) != expected:
            assert time.monotonic() < deadline, stage.offers()
            time.sleep(0.05)


def another_in(browser, popup, before):
    """Waits for a password in place of another one."""
    return browser.until(f"document.querySelector('#generator output').innerText !== {before!r} && document.querySelector('#generator output').innerText", "another", popup)


def choose_style_and_length(browser, popup):
    """A random password, longer with each key; the strength is a word."""
    first = browser.run("document.querySelector('#generator output').innerText", popup)
    length = "document.querySelector('#length input')"
    assert re.fullmatch("[A-Za-z0-9]{6}(-[A-Za-z0-9]{6}){2}", first) and browser.run(f"{length}.getClientRects().length === 0", popup), first
    browser.run("(document.querySelector('#generator select').value = 'random', document.querySelector('#generator select').dispatchEvent(new Event('change')), 1)", popup)
    second = another_in(browser, popup, first)
    assert browser.run(f"[{length}.min, {length}.max, {length}.value]", popup) == ["8", "64", str(len(second))]
    browser.run(f"{length}.focus() ?? 1", popup)
    browser.type(RIGHT, popup)
    third = another_in(browser, popup, second)
    browser.type(RIGHT, popup)
    fourth = another_in(browser, popup, third)
    lengths = [len(one) - len(second) for one in (third, fourth)]
    assert lengths == [1, 2] and browser.run(f"document.activeElement === {length}", popup), lengths
    about = browser.run("document.querySelector('#generator [role=status]').innerText", popup)
    assert "very strong" in about and f"{len(fourth)} characters" in about.replace("\u2068", "").replace("\u2069", "") and "bits" not in about, about


@scenario
def search_in_all(stage):
    """A search lists nothing before the user's yes; a password of another site needs a yes for that site."""
    for consent in ("deny", "allow"):
        stage.start(consent)
        stage.save(ANN, "correct horse")
        stage.save(BOB, "battery staple", "pay.example.net")
        stage.open("sign-in.html")
        browser = stage.browser
        with stage.toolbar() as popup:
            browser.until("!!document.querySelector('#search')", "the button", popup)
            browser.run("document.querySelector('#search').click()", popup)
            page = await_window(stage, "search.html")
        try:
            if consent == "deny":
                browser.until("!!document.querySelector('#main .fix')", "why not", page)
                text = browser.run("document.body.innerText", page)
                assert ANN not in text and BOB not in text and "example.net" not in text, text
                continue
            browser.until("document.querySelectorAll('#main li').length === 2", "all", page)
            browser("browsingContext.activate", {"context": page})
            browser.click("#main input", page)
            browser.type("net bob", page)
            browser.until("document.querySelectorAll('#main li').length === 1", "the result", page)
            assert "battery staple" not in browser.run("document.documentElement.outerHTML", page) and stage.releases() == []
            browser.click("#main li button:nth-of-type(2)", page)
            browser.until("document.querySelector('#state').innerText.includes('45 seconds')", "copied", page)
            assert [r["service"]["value"] for r in stage.releases()] == ["pay.example.net"]
            assert paste(stage) == "battery staple"
        finally:
            close(stage, page)


# ---------------------------------------------------------------- the browser's own menus and keys
@scenario
def context_menu(stage):
    """The context menu fills an account or a strong password into the clicked field, or shows why not."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("sign-in.html")
    stage.browser.context_menu("#user", "fill")
    stage.await_value("#password", "correct horse")
    stage.open("sign-up.html")
    stage.browser.context_menu("#new", "strong")
    password = stage.await_value("#new")
    assert len(password) == 17 and stage.value("#again") == password
    stage.open("sign-in.html", scheme="http")
    stage.browser.context_menu("#password", "why")
    stage.await_menu()
    text = stage.browser.until("document.querySelector('.reasons:not([hidden])')?.innerText", "why not", stage.menu())
    assert "https" in text, text
    assert stage.value("#password") == ""


@scenario
def keyboard_commands(stage):
    """Keys fill the only account without the menu, open the menu where there are several, and fill a strong password."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("sign-in.html")
    # Nothing has the focus: the command is for the page's form with a password.
    stage.browser.command("fill")
    stage.await_value("#password", "correct horse")
    assert stage.value("#user") == ANN
    stage.save(BOB, "battery staple")
    stage.open("sign-in.html", host="www.shop.example.com")
    stage.browser.command("fill")
    items = stage.await_menu()
    assert len(items) == 3 and {i.split(" | ")[0] for i in items[:2]} == {ANN, BOB}, items
    stage.await_clickable()
    stage.press(next(i for i, item in enumerate(items) if item.startswith(BOB)))
    stage.await_value("#password", "battery staple")
    stage.open("sign-up.html")
    stage.browser.click("#new")
    stage.await_menu()
    # The command makes a menu that is not opened, of the page that is loaded for the next one.
    stage.await_spare_menu()
    stage.browser.command("strong")
    password = stage.await_value("#new")
    items = stage.ask_for_menu()
    assert items[0].startswith("Use Another"), items
    stage.browser.command("menu")
    items = stage.await_menu()
    assert items[0].startswith("Use Another"), items
    assert stage.value("#again") == password
    # A site that is switched off shows that, and fills nothing.
    stage.open("spa.html", scheme="http")
    stage.browser.command("strong")
    stage.await_menu()
    text = stage.browser.until("document.querySelector('.reasons')?.innerText", "why not", stage.menu())
    assert "https" in text, text


@scenario
def a_page_cannot_command(stage):
    """A message of a page, or with an unknown name, is no command."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("sign-in.html")
    stage.browser.context_menu("#user", "fill")
    stage.await_value("#password", "correct horse")
    stage.open("sign-in.html")
    before = len(stage.releases())
    stage.browser.run("""(() => { for (const type of ['command', 'focus']) for (const name of ['fill', crypto.randomUUID()]) {
        postMessage({ type, name, command: name, isForAll: true }, '*');
        for (const target of [document, document.querySelector('#user')]) target.dispatchEvent(new CustomEvent(type, { detail: { name, command: name }, bubbles: true })); }
        document.querySelector('#user').focus();
        for (const key of ['L', 'l']) document.querySelector('#user').dispatchEvent(new KeyboardEvent('keydown', { key, altKey: true, shiftKey: true, bubbles: true })); })()""")
    time.sleep(0.5)
    assert stage.value("#password") == "" and len(stage.releases()) == before


# ---------------------------------------------------------------- what changes elsewhere
@scenario
def fresh_menu(stage):
    """An open menu shows what another program saves; at a site without a grant nothing shows it."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("sign-in.html")
    stage.browser.click("#user")
    stage.choose()
    stage.await_value("#password", "correct horse")
    stage.open("sign-in.html")
    stage.browser.click("#user")
    assert len(stage.await_menu()) == 2
    stage.save(BOB, "battery staple", "login.shop.example.com")
    deadline = time.monotonic() + 60
    while len(items := stage.await_menu()) != 3:
        assert time.monotonic() < deadline, items
        time.sleep(0.05)
    assert any(item.startswith(BOB) for item in items), items
    stage.open("sign-in.html", host="other.example.net")
    stage.browser.click("#user")
    stage.await_menu()
    menu = stage.menu()
    stage.save(EVE, "tr0ub4dor", "other.example.net")
    time.sleep(0.6)
    assert stage.menu() == menu, "the menu was replaced"


@scenario
def one_refused_hello(stage):
    """Where the host may act for no browser the daemon refuses that once a run, not at each connection."""
    log = stage.folder / "log"
    before = log.read_text().count("identity-mismatch") if log.exists() else 0
    for _ in range(3):
        stage.start()
        stage.open("sign-in.html")
        stage.browser.click("#user")
        stage.await_menu()
    assert log.read_text().count("identity-mismatch") <= before + 1, log.read_text()[-2000:]


# ---------------------------------------------------------------- changing a password
@scenario
def change_password_page(stage):
    """An account's button opens the site's page for a change; the new password replaces the old one when the form was sent."""
    stage.start()
    stage.save(ANN, "correct horse")
    site, browser = stage.site, stage.browser
    for is_reliable in (True, False):
        site.answers.clear()
        site.answers["/.well-known/change-password"] = (302, "Location=/change.html")
        if not is_reliable:
            site.answers["/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"] = (200, "")
        stage.open("sign-in.html")
        with stage.toolbar() as popup:
            if browser.until("document.querySelector('#accounts button')?.innerText", "the list", popup).startswith("Show"):
                browser.run("document.querySelector('#accounts button').click()", popup)
            stage.open_item(popup)
            browser.run("document.querySelector('#item .change').click()", popup)
            # A site with unreliable status codes is opened itself.
            opened = await_window(stage, "/change.html" if is_reliable else f":{site.ports['https']}/")
            if not is_reliable:
                deadline = time.monotonic() + 60
                root = site.url("")
                while not (found := [c for c in browser.windows(root) if c != browser.tab]):
                    assert time.monotonic() < deadline, "the site was not opened"
                    time.sleep(0.05)
                opened = found[0]
        try:
            if not is_reliable:
                continue
            first, browser.tab = browser.tab, opened
            browser("browsingContext.activate", {"context": opened})
            browser.until("!!document.querySelector('#old')")
            browser.click("#old")
            assert stage.await_menu()[0].startswith(ANN)
            stage.choose()
            stage.await_value("#old", "correct horse")
            password = fill_strong(stage)
            assert stage.value("#old") == "correct horse" and stage.value("#again") == password
            assert stage.saved() == {ANN: "correct horse"}, "the old one is kept until the form is through"
            browser.click("#go")
            browser.until("document.title === 'Welcome'")
            stage.await_saved({ANN: password})
        finally:
            if is_reliable:
                browser.tab = first
            close(stage, opened)
            browser("browsingContext.activate", {"context": browser.tab})
    site.answers.clear()


# ---------------------------------------------------------------- HTTP authentication
def ask_privately(stage, path="private/a", host="shop.example.com"):
    """Opens a page that asks for a user name and a password; returns the window that opens."""
    stage.browser.run(f"setTimeout(() => {{ location.href = {stage.site.url(path, host=host)!r}; }}, 0) && 1")
    return await_accounts(stage)


def await_accounts(stage):
    """Waits for the window with the accounts, until it may be clicked."""
    page = await_window(stage, "signin.html")
    stage.browser("browsingContext.activate", {"context": page})
    stage.browser.until("!!document.querySelector('#main button')", "the accounts", page)
    # Its delay, which begins again where the window comes to the front.
    time.sleep(0.6)
    stage.browser.until("!document.querySelector('#main.waits')", "the delay", page)
    return page


def click_last(browser, selector, page):
    """A click that closes its window, maybe before the button is released."""
    with contextlib.suppress(Failure):
        browser.click(selector, page)


@contextlib.contextmanager
def tab_of_its_own(browser):
    """Closes a tab, with the browser's own dialog in it."""
    first, browser.tab = browser.tab, browser("browsingContext.create", {"type": "tab"})["context"]
    try:
        yield
    finally:
        browser.close_tab()
        browser.tab = first
        browser("browsingContext.activate", {"context": first})


@scenario
def http_authentication(stage):
    """A page with HTTP authentication is served by a window of the extension: on a click, once, and never for a subresource."""
    stage.start()
    stage.save(ANN, "correct horse")
    site, browser = stage.site, stage.browser
    site.signed.clear()
    stage.open("welcome.html")
    page = ask_privately(stage)
    assert browser.run("document.querySelector('#main').innerText.replace(/[\u2068\u2069]/g, '')", page).startswith("Passwords for shop.example.com")
    assert site.signed == []
    click_last(browser, "#main button", page)
    browser.until("document.title === 'In'", "the page")
    assert site.signed == [("/private/a", f"{ANN}:correct horse")]
    # A host that accepts no account: the account is listed now, its password is wrong there, and is sent once.
    stage.save(BOB, "battery staple")
    page = ask_privately(stage, "private/b", "two.example.com")
    browser.until(f"[...document.querySelectorAll('#main button')].some((b) => b.innerText === {BOB!r})", "both", page)
    position = browser.run(f"1 + [...document.querySelectorAll('#main button')].findIndex((b) => b.innerText === {BOB!r})", page)
    click_last(browser, f"#main button:nth-of-type({position})", page)
    time.sleep(1.5)
    assert site.signed.count(("/private/b", f"{BOB}:battery staple")) == 1 and not browser.windows("signin.html"), site.signed


@scenario
def http_authentication_of_subresources(stage):
    """No window opens for an image, a frame or a script's request; a user who wants to type gets the browser's own dialog."""
    stage.start()
    stage.save(ANN, "correct horse")
    site, browser = stage.site, stage.browser
    site.signed.clear()
    inner = site.url("private/c", host="three.example.com")
    with tab_of_its_own(browser):
        stage.open("sign-in.html", host="evil.example.net")
        browser.run(f"""(() => {{ new Image().src = {inner!r}; const f = document.createElement('iframe'); f.src = {inner!r};
            document.body.append(f); fetch({inner!r}, {{ credentials: 'include', mode: 'no-cors' }}).catch(() => {{}}); }})()""")
        time.sleep(1)
        assert not browser.windows("signin.html") and site.signed == []
    with tab_of_its_own(browser):
        stage.open("welcome.html")
        page = ask_privately(stage, "private/d", "four.example.com")
        click_last(browser, "#own", page)
        time.sleep(0.5)
        assert not browser.windows("signin.html") and site.signed == [] and stage.releases() == []
    # The window is gone when the user opens another address in its tab.
    with tab_of_its_own(browser):
        stage.open("welcome.html")
        browser.run(f"""(() => {{ globalThis.channel = new BroadcastChannel("leave");
            channel.onmessage = () => {{ location.href = {site.url('welcome.html', host='six.example.com')!r}; }}; return 1; }})()""")
        ask_privately(stage, "private/e", "five.example.com")
        if browser.name == "firefox":
            # A new tab would be one of the window, and end with it.
            browser.run("setTimeout(() => channel.onmessage(), 0) && 1")
            await_end(browser)
        else:
            # The driver runs nothing in a tab that waits for an answer: another tab has this one leave.
            with tab_of_its_own(browser):
                stage.open("welcome.html")
                browser.run("(new BroadcastChannel('leave').postMessage(1), 1)")
                await_end(browser)


def await_end(browser):
    """Waits until the window of a request that is over is gone."""
    deadline = time.monotonic() + 20
    while browser.windows("signin.html"):
        assert time.monotonic() < deadline, "the window outlives its request"
        time.sleep(0.1)


# ---------------------------------------------------------------- frames
@scenario
def a_click_in_a_frame(stage):
    """In a frame a click fills after the pointer was on the menu for half a second; a menu that a page moves under it is not clicked."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("around.html")
    frame = frame_of(stage, "jack.html")
    stage.browser.until("!!document.querySelector('#user')", context=frame)
    box = stage.browser.run("document.querySelector('#user').getBoundingClientRect().toJSON()", frame)
    stage.browser.click("#user", frame)
    stage.await_menu()
    time.sleep(0.9)
    x, y = box["x"] + 68, box["y"] + box["height"] + 34  # the frame is at 8, 8
    # 30 pixels below its end: the page moves it there directly before the click.
    end = y + stage.browser.run("innerHeight", stage.menu()) - 26 + 22 + 30
    stage.browser.pointer(x, end, press=False)
    time.sleep(0.6)
    stage.browser.run(f"document.getElementById('frame').style.translate = '0 {end - y}px'")
    stage.browser.pointer(x, end)
    time.sleep(0.2)
    assert stage.value("#password", frame) == "", "the pointer had just come"
    stage.browser.run("document.getElementById('frame').style.translate = ''")
    time.sleep(0.3)
    stage.browser.pointer(x, y, press=False)
    time.sleep(0.6)
    stage.await_clickable()  # a busy browser reports late that nothing covers the menu any more
    stage.browser.pointer(x, y)
    stage.await_value("#password", "correct horse", frame)


@scenario
def frame_in_a_frame(stage):
    """A frame in a frame, all of one origin, gets the menu; with another origin between them the toolbar serves it if the menu's
    visibility cannot be determined."""
    stage.start()
    stage.save(ANN, "correct horse")
    inner = "frames.html?src=" + urllib.parse.quote("sign-in.html", safe="")
    stage.open("frames.html?src=" + urllib.parse.quote(inner, safe=""))
    frame = frame_of(stage, "/sign-in.html")
    stage.browser.until("!!document.querySelector('#user')", context=frame)
    stage.browser.click("#user", frame)
    stage.await_menu()
    take_in_frame(stage, frame)
    stage.await_value("#password", "correct horse", frame)
    between = stage.site.url("frames.html", host="pay.example.net") + "?src=" + urllib.parse.quote(stage.site.url("sign-in.html"), safe="")
    stage.open("frames.html?src=" + urllib.parse.quote(between, safe=""))
    frame = frame_of(stage, "/sign-in.html")
    stage.browser.until("!!document.querySelector('#user')", context=frame)
    stage.browser.click("#user", frame)
    stage.await_menu()
    take_in_frame(stage, frame, is_own=False)


@scenario
def credentialless_frame(stage):
    """A frame without credentials gets nothing, with the reason, and passwords typed there cause no prompt."""
    stage.start()
    if not stage.browser.run("'credentialless' in HTMLIFrameElement.prototype"):
        return  # Firefox has no such frames
    stage.save(ANN, "correct horse")
    stage.open("frames.html?credentialless=1&src=sign-in.html")
    frame = frame_of(stage, "/sign-in.html")
    stage.browser.until("!!document.querySelector('#user')", context=frame)
    stage.browser.click("#user", frame)
    stage.no_menu()
    assert_why(stage, "origin", frame)
    stage.browser.click("#user", frame)
    stage.browser.type(BOB, frame)
    stage.browser.click("#password", frame)
    stage.browser.type("battery staple" + ENTER, frame)
    time.sleep(0.8)
    assert stage.saved() == {ANN: "correct horse"} and stage.releases() == []


# ---------------------------------------------------------------- forms that change
@scenario
def a_form_that_changes(stage):
    """A form is filled as it is when an item is chosen: with fields that came later, were replaced, or are read-only until the focus."""
    stage.start()
    stage.save(ANN, "correct horse")
    for how in ("", "readonly", "replaced"):
        stage.open(f"late.html?{how}")
        stage.browser.click("#user")
        stage.await_menu()
        stage.browser.run("(window.show ?? window.replace)?.() ?? 1")
        time.sleep(0.4)
        if how == "replaced":
            # Nothing has the focus: the menu has stayed.
            box = stage.browser.run("document.querySelector('#user').getBoundingClientRect().toJSON()")
            stage.await_clickable()
            stage.browser.pointer(box["x"] + 60, box["y"] + box["height"] + 26, rest=600)
        else:
            stage.choose()
        stage.await_value("#password", "correct horse")
        assert stage.value("#user") == ANN, how


@scenario
def a_password_field_that_comes_later(stage):
    """In a page that asks for the password after the user name, the chosen account's password is filled when its field comes."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("late.html?steps")
    stage.browser.click("#user")
    stage.choose()
    stage.await_value("#user", ANN)
    time.sleep(0.4)
    before = len(stage.releases())
    stage.browser.click("#go")
    stage.await_value("#password", "correct horse")
    assert len(stage.releases()) == before + 1
    # Without a choice nothing is filled.
    stage.open("late.html?steps")
    stage.browser.click("#user")
    stage.browser.type(ANN)
    stage.browser.click("#go")
    stage.browser.until("!!document.querySelector('#password')")
    time.sleep(0.6)
    assert stage.value("#password") == ""


# ---------------------------------------------------------------- how it is drawn
CONTRASTS = """(() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (color) => { const [r, g, b] = color.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (element) => { for (let e = element; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] === 1) return c.slice(0, 3); } return [255, 255, 255]; };
  return [...document.querySelectorAll("[role=menuitem] span, p, h1, h2, h3, button, label, span, output, code, kbd")].filter((e) => e.children.length === 0 && e.getClientRects().length > 0 && e.innerText).map((e) => {
    let opacity = 1; for (let p = e; p; p = p.parentElement) opacity *= Number(getComputedStyle(p).opacity);
    const back = behind(e), front = parse(getComputedStyle(e).color).slice(0, 3).map((v, i) => v * opacity + back[i] * (1 - opacity));
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x); return [(a + 0.05) / (b + 0.05), e.innerText]; }).sort((x, y) => x[0] - y[0])[0]; })()"""
ICONS = """(() => { const icon = document.querySelector("#icon .icon"); const light = (color) => { const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92
  : ((v / 255 + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  return Math.min(...Array.from({ length: 360 }, (_, hue) => { icon.style.setProperty("--hue", hue); const { color, backgroundColor } = getComputedStyle(icon); return (light(color) + 0.05) / (light(backgroundColor) + 0.05); })); })()"""
# The key or badge in the field, and what it must not cover.
POSITIONS = """(() => { const box = (e) => { const { left, right, top, bottom } = e.getBoundingClientRect(); return { left, right, top, bottom }; };
  const marks = [...document.querySelectorAll("html > div[popover]")].filter((host) => host.matches(":popover-open") && host.getBoundingClientRect().height < 40);
  return marks.length === 1 && { mark: box(marks[0]), field: box(document.activeElement), eye: box(document.querySelector("#eye")) }; })()"""


def check_position(stage, is_reversed):
    positions = stage.browser.until(POSITIONS, "the mark")
    mark, field, eye = positions["mark"], positions["field"], positions["eye"]
    assert field["left"] <= mark["left"] and mark["right"] <= field["right"] and mark["top"] >= field["top"] and mark["bottom"] <= field["bottom"], positions
    assert mark["right"] <= eye["left"] or mark["left"] >= eye["right"] or mark["bottom"] <= eye["top"] or mark["top"] >= eye["bottom"], positions
    middle = (field["left"] + field["right"]) / 2
    if field["right"] - field["left"] > 200:
        assert ((mark["left"] + mark["right"]) / 2 < middle) == is_reversed, positions


@scenario
def the_mark_and_the_menu(stage):
    """The key and the badge are inside the field, beside the page's own button, in both directions of text; every text of the menu has contrast."""
    stage.start()
    stage.save(ANN, "correct horse")
    for direction in ("ltr", "rtl"):
        stage.open(f"inside.html?dir={direction}")
        stage.browser.click("#new")
        stage.await_menu()
        check_position(stage, direction == "rtl")
        menu = stage.menu()
        assert stage.browser.run("document.documentElement.dir", menu) == direction
        assert stage.browser.run("document.querySelector('#new').getAttribute('aria-haspopup')") == "menu"
        stage.browser.run("document.querySelectorAll('button').forEach((b) => b.classList.add('waits')) ?? 1", menu)
        assert (found := stage.browser.run(CONTRASTS, menu))[0] >= 4.5, found
        stage.browser.type(DOWN)
        stage.browser.until("document.activeElement.matches('[role=menuitem]')", "the focus", menu)
        assert (found := stage.browser.run(CONTRASTS, menu))[0] >= 4.5, found
        stage.await_clickable()
        assert (found := stage.browser.run(CONTRASTS, menu))[0] >= 4.5, found
        assert "bits" not in stage.browser.run("document.body.innerText", menu)
        stage.press()
        stage.await_value("#new")
        time.sleep(0.3)
        check_position(stage, direction == "rtl")
        # In a short field the badge is the key alone.
        stage.browser.click("#again")
        time.sleep(0.6)
        check_position(stage, direction == "rtl")
    with stage.toolbar() as popup:
        stage.browser.until("!!document.querySelector('#generator button') && !!document.querySelector('#icon .icon')", "the button", popup)
        for theme in ("light", "dark"):
            stage.browser.run(f"document.documentElement.className = {theme!r}", popup)
            assert (found := stage.browser.run(CONTRASTS, popup))[0] >= 4.5, (theme, found)
        # Every colour that an icon may have.
        assert (found := stage.browser.run(ICONS, popup)) >= 4.5, found


# ---------------------------------------------------------------- a new password without a visible user name
@scenario
def reset_password(stage):
    """A page with new passwords alone gets a strong one, which is for the account of a field that the user does not see, or of what is saved after a question."""
    for how in ("readonly", "hidden", "unnamed", "none", "undeclared"):
        stage.start()
        stage.save(ANN, "correct horse")
        if how not in ("none", "undeclared"):
            stage.save(BOB, "battery staple")
        stage.open("sign-in.html")
        stage.browser.click("#user")
        stage.choose()
        stage.await_value("#password")
        stage.open(f"reset.html?{how}")
        password = fill_strong(stage)
        assert stage.value("#again") == password, how
        stage.browser.click("#go")
        stage.browser.until("document.title === 'Welcome'")
        if how in ("none", "undeclared"):
            stage.answer_bar(f"Update the password of {ANN}")
        try:
            stage.await_saved({ANN: password, **({} if how in ("none", "undeclared") else {BOB: "battery staple"})})
        except AssertionError as error:
            raise AssertionError(f"{how}: {error}") from None
