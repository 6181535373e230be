# SPDX-License-Identifier: Apache-2.0
"""Scenarios with a prompter, a window or a browser of their own: which account is changed, private windows, the browser's own manager."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import tempfile
import time

from bidi import BASES, DOWN, ENTER, TAB, Failure
from features import close
from scenarios import ANN, BOB, EVE, assert_why, fill_strong, scenario

# Answers yes to all, and chooses bob where accounts are listed.
PROMPTER = """#!/bin/sh
echo 'OK Pleased to meet you'
while IFS= read -r line; do
  case "$line" in
  SETDESC*) printf '%s\\n' "$line" >>LOG; number=$(printf '%s' "$line" | sed 's/%0A/\\n/g' | sed -n 's/^\\([0-9]*\\)  bob@.*/\\1/p') ;;
  GETPIN) echo "D $number" ;;
  esac
  echo OK
done
"""


@contextlib.contextmanager
def prompter():
    """A prompter that root owns, as the daemon requires: returns its directory, which root owns too, its path, and the file with the questions."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="autofill-web-", dir="/run"))
    try:
        program, log = folder / "prompter", folder / "log"
        program.write_text(PROMPTER.replace("LOG", str(log)))
        program.chmod(0o755)
        # Without a display in the environment the daemon shows no prompt.
        os.environ["DISPLAY"] = ":77"
        yield folder, str(program), log
    finally:
        os.environ.pop("DISPLAY", None)
        shutil.rmtree(folder, ignore_errors=True)


@scenario
def change_of_one_of_several(stage):
    """A new password typed where several accounts are saved is for the one that the user chooses; the page names none."""
    if os.geteuid() != 0:
        return  # the daemon accepts only a prompter that root owns
    with prompter() as (folder, program, log):
        vault = str(folder / "vault")
        pathlib.Path(f"{vault}.settings").write_text(json.dumps({"prompter": program}))
        pathlib.Path(f"{vault}.system").write_text(json.dumps({"prompters": [program]}))
        stage.start(vault=vault)
        kept = {user: f"password of {user}" for user in (ANN, BOB, EVE)}
        for user, password in kept.items():
            stage.save(user, password)
        stage.open("sign-in.html")
        stage.browser.click("#user")
        stage.choose()
        stage.await_value("#password", kept[BOB])
        stage.open("change.html")
        stage.browser.click("#old")
        stage.browser.type("what was never saved" + TAB)
        stage.browser.type("battery staple" + TAB)
        stage.browser.type("battery staple" + ENTER)
        stage.browser.until("document.title === 'Welcome'")
        stage.answer_bar("Update the password at shop.example.com")
        stage.await_saved({**kept, BOB: "battery staple"})
        asked = log.read_text().splitlines()[-1]
        assert "Save the password" in asked and all(user in asked for user in kept) and "battery" not in asked, asked


@scenario
def prompts_at_a_new_site(stage):
    """The first sign-in at a site shows no prompt where the user types it, and one where another program has saved the account; the next ones none."""
    if os.geteuid() != 0:
        return  # the daemon accepts only a prompter that root owns
    with prompter() as (folder, program, log):
        vault = str(folder / "vault")
        pathlib.Path(f"{vault}.settings").write_text(json.dumps({"prompter": program}))
        pathlib.Path(f"{vault}.system").write_text(json.dumps({"prompters": [program]}))
        stage.start(vault=vault)
        stage.open("sign-in.html")
        stage.browser.click("#user")
        stage.browser.type(ANN + TAB)
        stage.browser.type("battery staple" + ENTER)
        stage.browser.until("document.title === 'Welcome'")
        stage.answer_bar(f"Save password for {ANN}")
        stage.await_saved({ANN: "battery staple"})
        stage.save(BOB, "correct horse", domain="pay.example.net")
        asked = []
        for host, password in (("shop.example.com", "battery staple"), ("pay.example.net", "correct horse")) * 2:
            stage.open("sign-in.html", host=host)
            stage.browser.click("#user")
            stage.choose()
            stage.await_value("#password", password)
            asked.append(log.read_text().splitlines() if log.exists() else [])
        # With two buttons a prompt takes two questions: this time, and from now on.
        assert [len(lines) for lines in asked] == [0, 2, 2, 2] and "from now on" in asked[1][1], asked


# ---------------------------------------------------------------- private windows
@scenario
def private_window(stage):
    """Where the user allows the extension in private windows it fills there, and passwords typed there cause no prompt."""
    from outcomes import begin, settle

    browser = stage.browser
    if browser.name != "firefox":
        return  # Chromium's switch for it removes an extension of --load-extension
    begin(stage, "plain")
    stage.save(ANN, "correct horse")
    browser.allow_private(True)
    first, window = browser.tab, None
    try:
        browser.open(f"{BASES['firefox']}/options/options.html")
        url = stage.site.url("sign-in.html")
        browser.run(f"chrome.windows.create({{ incognito: true, url: {url!r} }}).then(() => 1)")
        deadline = time.monotonic() + 8
        while not (found := browser.windows(url)):
            assert time.monotonic() < deadline, "no private window"
            time.sleep(0.05)
        # The switch closes all pages of the extension.
        stage.open("welcome.html?other")
        browser.tab = window = found[0]
        browser.until("document.readyState === 'complete'")
        browser.click("#user")
        stage.choose()
        stage.await_value("#password", "correct horse")
        stage.open("sign-in.html")
        browser.click("#user")
        browser.type(BOB + TAB)
        browser.type("battery staple" + ENTER)
        browser.until("document.title === 'Welcome'")
        # An offer that was used is kept.
        stage.open("sign-up.html")
        browser.click("#user")
        browser.type(EVE)
        password = fill_strong(stage)
        browser.click("#go")
        browser.until("document.title === 'Welcome'")
        stage.await_saved({ANN: "correct horse", EVE: password})
        # A name that was typed here is not shown in other windows.
        stage.open("sign-up.html")
        browser.click("#user")
        browser.type(BOB)
        fill_strong(stage)
        stage.call("admin.vault.lock")
        browser.click("#go")
        browser.until("document.title === 'Welcome'")
        assert [one["user"] for one in settle(stage)] == [BOB]
        with stage.toolbar() as popup:
            browser.until("!!document.querySelector('.undecided')", "what waits", popup)
        browser.tab = first
        with stage.toolbar() as popup:
            browser.until("!!document.querySelector('#main button')", "the popup", popup)
            assert BOB not in browser.run("document.body.innerHTML", popup)
    finally:
        browser.tab = first
        if window:
            close(stage, window)
        browser.allow_private(False)
        browser("browsingContext.activate", {"context": first})


# ---------------------------------------------------------------- a browser of its own
@contextlib.contextmanager
def chromium_of_its_own(stage):
    """Another Chromium, which saves passwords itself. Its extension has the permission for that from the start, since a driver cannot
    press the browser's own dialog; and a document with "fence" in its address has the properties of a fenced frame."""
    copy = stage.folder / "altered"
    if not copy.exists():
        shutil.copytree(stage.extension, copy)
        manifest = json.loads((copy / "manifest.json").read_text())
        manifest["permissions"] += manifest.pop("optional_permissions")
        manifest["content_scripts"][0]["js"].insert(0, "fence.js")
        (copy / "manifest.json").write_text(json.dumps(manifest))
        (copy / "fence.js").write_text(
            'if (location.search.includes("fence")) Object.defineProperty(window, "fence", { value: {}, configurable: true });')
    first = stage.browser
    stage.browser = stage.new_browser(f"home{time.monotonic_ns()}", copy, saves=True)
    try:
        yield stage.browser
    finally:
        stage.browser.close()
        stage.browser = first


HAS = "chrome.permissions.contains({ permissions: ['privacy'] })"
OPTIONS = "document.querySelector('#own').innerText"


@scenario
def own_password_manager(stage):
    """The browser's own password manager is switched off and on again in the options, which show what else controls it."""
    if stage.browser.name == "chromium":
        with chromium_of_its_own(stage) as browser:
            browser.open(f"{BASES['chromium']}/options/options.html")
            switch_off_and_on(browser, lambda: browser.run("chrome.privacy.services.passwordSavingEnabled.get({})")["value"])
        return
    browser = stage.browser
    pref = "'signon.rememberSignons'"
    browser._chrome(f"Services.prefs.setBoolPref({pref}, true) ?? 1")
    other = stage.folder / "other"
    other.mkdir(exist_ok=True)
    (other / "manifest.json").write_text(json.dumps({
        "manifest_version": 3, "name": "Other", "version": "1.0", "permissions": ["privacy"], "background": {"scripts": ["other.js"]},
        "browser_specific_settings": {"gecko": {"id": "other@autofilld.org", "data_collection_permissions": {"required": ["none"]}}}}))
    (other / "other.js").write_text("browser.privacy.services.passwordSavingEnabled.set({ value: false });")
    page = f"{BASES['firefox']}/options/options.html"
    try:
        browser.open(page)
        assert not browser.run(HAS), "asked for before it is needed"
        switch_off_and_on(browser, lambda: browser._chrome(f"Services.prefs.getBoolPref({pref})"))
        browser.until(f"{HAS}.then((has) => !has)", "removed")
        browser.click("#own button")
        browser.until(f"{OPTIONS}.includes('switched that off here')", "off")
        browser._chrome(f"Services.prefs.lockPref({pref}) ?? 1")
        browser.open(page)
        browser.until(f"{OPTIONS}.includes('a policy of this machine') && !document.querySelector('#own button')", "the policy")
        browser._chrome(f"Services.prefs.unlockPref({pref}) ?? 1")
        browser("webExtension.install", {"extensionData": {"type": "path", "path": str(other)}})
        deadline = time.monotonic() + 60
        while "another extension" not in (text := browser.until(OPTIONS, "what controls it")):
            assert time.monotonic() < deadline, text
            browser.open(page)
    finally:
        browser._chrome(f"Services.prefs.unlockPref({pref}) ?? 1")
        with contextlib.suppress(Failure):
            browser("webExtension.uninstall", {"extension": "other@autofilld.org"})
        browser.open(page)
        browser.run(f"{HAS}.then((has) => has && chrome.privacy.services.passwordSavingEnabled.clear({{}}))")
        browser._chrome(f"Services.prefs.setBoolPref({pref}, false) ?? 1")


def switch_off_and_on(browser, saves):
    """Both, by clicks on the options page."""
    browser.until(f"{OPTIONS}.includes('conflict')", "what it is about")
    assert saves()
    browser.click("#own button")
    browser.until(f"{OPTIONS}.includes('switched that off here')", "off")
    assert not saves()
    browser.click("#own button")
    browser.until(f"{OPTIONS}.includes('conflict')", "on again")
    assert saves()


@scenario
def fenced_frame(stage):
    """A document in a fenced frame, as the browser reports it, gets nothing, with the reason, and passwords typed there cause no prompt."""
    if stage.browser.name != "chromium":
        return  # Firefox has no such frames
    stage.start()
    stage.save(ANN, "correct horse")
    # A real one loads a page only where an advertiser's auction has chosen it: the browser's answers to the extension are replaced.
    with chromium_of_its_own(stage) as browser:
        stage.open("sign-in.html?fence")
        browser.click("#user")
        stage.no_menu()
        assert_why(stage, "origin")
        browser.click("#user")
        browser.type(BOB + TAB)
        browser.type("battery staple" + ENTER)
        browser.until("document.title === 'Welcome'")
        stage.open("sign-in.html")
        browser.click("#user")
        assert stage.await_menu()[0].startswith("Passwords for"), "served where it is no such frame"
        assert stage.saved() == {ANN: "correct horse"} and stage.releases() == []


# ---------------------------------------------------------------- the menu that is loaded before it is needed
def early_menu(browser):
    """The menu's page that is loaded early: its context and address."""
    deadline = time.monotonic() + 60
    while not (found := [(c, url) for c, url in browser.contexts() if "/menu/menu.html#" in url]):
        assert time.monotonic() < deadline, "none was loaded"
        time.sleep(0.03)
    [(context, url)] = found
    browser.until("!!port", "connected", context)
    return context, url


@scenario
def menu_kept_ready(stage):
    """A menu's page that is loaded early is invisible and cannot be hit, has a name that the page cannot learn, and is the menu that opens."""
    stage.start()
    browser = stage.browser
    for is_cut_off in (False, True):
        stage.open("sign-in.html")
        context, url = early_menu(browser)
        assert browser.run("[isShown, items.length]", context) == [False, 0] and stage.menu() is None
        assert browser.run("[...document.querySelectorAll('[popover]')].map((host) => host.getClientRects().length)") == [0]
        assert url.split("#")[1] not in browser.run("document.documentElement.outerHTML")
        if browser.name == "chromium":
            # It is laid out, without a size: its page can draw in the next animation frame.
            soon = "Promise.race([new Promise(requestAnimationFrame), new Promise((end) => setTimeout(end, 5000, 0))])"
            assert browser.run(soon, context), "the early menu is not laid out"
            assert browser.run("[innerWidth, innerHeight]", context) == [0, 0]
        assert browser.run("menu.getClientRects().length", context) == 0, "something is drawn early"
        if is_cut_off:
            # As if the background had ended.
            browser.run("port.disconnect() ?? (port = null) ?? 1", context)
        browser.click("#user")
        assert stage.await_menu()[0].startswith("Passwords for") and stage.menu() == context
        if not is_cut_off:
            # One that is as high as a frame is before its page is loaded is not taken for one that the page around it blocks.
            browser.run("(document.body.style.height = '44px') && 1", context)
            time.sleep(3.3)
            assert browser.run("[innerHeight, line.hidden]", context) == [44, True]
    # A menu that the page itself shows is not open: a click on it fills nothing.
    stage.open("sign-in.html")
    context, _ = early_menu(browser)
    # It does not open by itself where the user types before the daemon has answered.
    stage.daemon.send_signal(signal.SIGSTOP)
    browser.click("#user")
    browser.type("x")
    browser.until("document.querySelector('#user').value === 'x'", "typed")
    stage.daemon.send_signal(signal.SIGCONT)
    browser.until("items.length > 0", "what it would show", context)
    browser.until("document.querySelectorAll('[popover]').length > 1", "the mark")
    browser.run("""[...document.querySelectorAll("[popover]")].filter((host) => !host.matches(":popover-open")).forEach((host) => {
        host.showPopover(); host.style.setProperty("left", "40px", "important"); host.style.setProperty("top", "300px", "important"); }) ?? 1""")
    browser.until("isShown && document.querySelectorAll('.waits').length === 0", "its delay", context)
    browser.pointer(100, 318, rest=600)
    browser.until("line.innerText.startsWith('Something covers')", "its answer", context)
    assert stage.value("#password") == "" and stage.releases() == []
    # The keyboard does not get into one that is not open: it goes on to what follows.
    stage.open("sign-in.html")
    early_menu(browser)
    browser.run("""(() => { const after = document.createElement("button"); after.id = "after"; document.documentElement.append(after);
        document.querySelector("#go").focus(); })() ?? 1""")
    browser.type(TAB)
    browser.until("document.activeElement?.id === 'after'", "the keyboard passes the early menu")
    # The arrow key that comes before the daemon's answer enters it once that is there.
    stage.open("sign-in.html")
    stage.daemon.send_signal(signal.SIGSTOP)
    browser.click("#user")
    browser.type(DOWN)
    stage.daemon.send_signal(signal.SIGCONT)
    stage.await_menu()
    browser.until("document.hasFocus() && document.activeElement?.matches('[role=menuitem]')", "the focus", stage.menu())
