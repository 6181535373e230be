# SPDX-License-Identifier: Apache-2.0
"""The scenarios, a function each. Each has a daemon of its own, and fails by an exception."""
import re
import time
import urllib.parse

from bidi import DOWN, ENTER, TAB, Failure

SCENARIOS = {}


def scenario(function):
    SCENARIOS[function.__name__] = function
    return function


ANN, BOB, EVE = "ann@example.com", "bob@example.com", "eve@example.com"


def fill_strong(stage, field="#new"):
    """Chooses the strong password; returns the filled values."""
    stage.browser.click(field)
    items = stage.await_menu()
    assert items[0].startswith("Use Strong Password | "), items
    stage.choose()
    return stage.await_value(field)


# ---------------------------------------------------------------- sign-up
@scenario
def sign_up(stage):
    """The password meets the page's rules, is filled into both fields, and is saved with the user name when the form is sent."""
    stage.start()
    stage.open("sign-up.html")
    stage.browser.click("#user")
    stage.browser.type(ANN)
    password = fill_strong(stage)
    assert stage.value("#again") == password
    assert len(password) == 17 and re.search("[A-Z]", password) and re.search("[0-9]", password) and "_" in password, "the rules"
    assert not re.search(r"(.)\1\1", password), "max-consecutive"
    assert stage.browser.run("getComputedStyle(document.querySelector('#new')).backgroundColor") == "rgb(250, 255, 189)"
    assert stage.saved() == {}
    stage.browser.click("#go")
    stage.browser.until("document.title === 'Welcome'")
    assert stage.site.forms[-1] == {"user": ANN, "new": password, "again": password}
    stage.await_saved({ANN: password})


@scenario
def sign_up_and_kill_9(stage):
    """A daemon that is killed between fill and submit still has the password, and saves it with its user name."""
    stage.start(vault=str(stage.folder / f"vault{time.monotonic_ns()}"))
    stage.open("sign-up.html")
    stage.browser.click("#user")
    stage.browser.type(ANN)
    password = fill_strong(stage)
    stage.kill9()
    stage.start_again()
    assert [o["state"] for o in stage.offers()] == ["pending"]
    stage.browser.click("#go")
    stage.browser.until("document.title === 'Welcome'")
    stage.await_saved({ANN: password})


@scenario
def another_and_own(stage):
    """"Use another" fills another password and declines the first; "choose my own" empties the fields."""
    stage.start()
    stage.open("sign-up.html")
    first = fill_strong(stage)
    items = stage.ask_for_menu()
    assert items[0].startswith("Use Another | ") and items[1].startswith("Choose My Own Password"), items
    stage.press()
    stage.browser.until(f"document.querySelector('#new').value !== {first!r}")
    second = stage.value("#new")
    assert stage.value("#again") == second and second
    assert sorted(o["state"] for o in stage.offers()) == ["declined", "pending"]
    stage.ask_for_menu()
    stage.press(1)
    stage.browser.until("document.querySelector('#new').value === ''")
    assert stage.value("#again") == ""
    assert not stage.browser.run("document.querySelector('#new').getAttribute('style')")
    # It does not open by itself again.
    stage.no_menu(0.4)
    stage.open("welcome.html")
    await_declined(stage)


def await_declined(stage):
    deadline = time.monotonic() + 60
    while {o["state"] for o in stage.offers()} != {"declined"}:
        assert time.monotonic() < deadline
        time.sleep(0.05)


@scenario
def unfilled_offer_is_declined(stage):
    """An offer that was not filled is declined when the page is unloaded."""
    stage.start()
    stage.open("sign-up.html")
    stage.browser.click("#new")
    stage.await_menu()
    assert [o["state"] for o in stage.offers()] == ["pending"]
    stage.open("welcome.html")
    await_declined(stage)


@scenario
def filled_offer_is_kept(stage):
    """An offer that was filled stays when its page ends before the form was sent."""
    stage.start()
    stage.open("sign-up.html")
    fill_strong(stage)
    stage.browser.click("#new")
    time.sleep(0.5)
    stage.open("welcome.html")
    time.sleep(0.5)
    assert [o["state"] for o in stage.offers()] == ["pending"]


# ---------------------------------------------------------------- sign-in
@scenario
def sign_in_one_account(stage):
    """Without a grant the menu lists no saved account; with one it lists the account, and a choice fills it."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("sign-in.html")
    stage.browser.click("#user")
    items = stage.await_menu()
    assert len(items) == 1 and items[0].startswith("Passwords for shop.example.com"), items
    assert stage.releases() == []
    stage.choose()
    stage.await_value("#password", "correct horse")
    assert stage.value("#user") == ANN
    stage.open("sign-in.html")
    stage.browser.click("#password")
    items = stage.await_menu()
    assert items[0].startswith(ANN), items
    stage.choose()
    stage.await_value("#password", "correct horse")
    stage.browser.click("#go")
    stage.browser.until("document.title === 'Welcome'")
    assert stage.site.forms[-1] == {"user": ANN, "password": "correct horse"}
    assert stage.saved() == {ANN: "correct horse"}


@scenario
def sign_in_three_accounts(stage):
    """The chosen account is filled, and no other one is released."""
    stage.start()
    ids = {user: stage.save(user, f"password of {user}") for user in (ANN, BOB, EVE)}
    stage.open("sign-in.html")
    stage.browser.click("#user")
    stage.choose()
    stage.await_value("#password")
    stage.open("sign-in.html")
    stage.browser.click("#user")
    items = stage.await_menu()
    assert len(items) == 4 and {item.split(" | ")[0] for item in items[:3]} == {ANN, BOB, EVE}, items
    index = next(i for i, item in enumerate(items) if item.startswith(BOB))
    before = len(stage.releases())
    stage.choose(index)
    stage.await_value("#password", f"password of {BOB}")
    assert stage.value("#user") == BOB
    assert len(stage.releases()) == before + 1
    assert ids
    # In a low window the menu is as high as there is space for, and scrolls.
    stage.browser("browsingContext.setViewport", {"context": stage.browser.tab, "viewport": {"width": 900, "height": 200}})
    stage.open("sign-in.html")
    stage.browser.click("#password")
    items = stage.await_menu()
    stage.choose(next(i for i, item in enumerate(items) if item.startswith(EVE)))
    stage.await_value("#password", f"password of {EVE}")


@scenario
def saved_at_another_host_of_the_site(stage):
    """An account saved for example.com is offered at login.example.com, and not at example.net."""
    stage.start()
    stage.save(ANN, "correct horse", "example.com")
    for host, expected in (("login.example.com", "correct horse"), ("example.net", "")):
        stage.open("sign-in.html", host=host)
        stage.browser.click("#user")
        stage.await_menu()
        stage.choose()
        if expected:
            stage.await_value("#password", expected)
        else:
            menu = stage.menu()
            stage.browser.until("document.querySelector('.reasons:not([hidden])')?.innerText", "a reason", menu)
            assert stage.value("#password") == ""


@scenario
def two_steps(stage):
    """The first page gets the user name, the second the password of the same account."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("one-field.html")
    stage.browser.click("#user")
    stage.choose()
    stage.await_value("#user", ANN)
    stage.browser.click("#next")
    stage.browser.until("document.title === 'Your password'")
    stage.browser.click("#password")
    items = stage.await_menu()
    assert items[0].startswith(ANN), items
    stage.choose()
    stage.await_value("#password", "correct horse")


@scenario
def two_steps_typed(stage):
    """A password typed on a second page is saved with the user name of the first."""
    stage.start()
    stage.open("one-field.html")
    stage.browser.click("#user")
    stage.await_menu()
    stage.browser.type(ANN + ENTER)
    stage.browser.until("document.title === 'Your password'")
    stage.browser.click("#password")
    stage.browser.type("battery staple" + ENTER)
    stage.browser.until("document.title === 'Welcome'")
    stage.answer_bar(f"Save password for {ANN}")
    stage.await_saved({ANN: "battery staple"})


@scenario
def typed_password_is_saved(stage):
    """After a sign-in with a typed password the user is asked, and the prompt stays when the page is unloaded."""
    stage.start()
    stage.open("sign-in.html")
    stage.browser.click("#user")
    stage.browser.type(ANN)
    stage.browser.type(TAB)
    stage.browser.type("battery staple" + ENTER)
    stage.browser.until("document.title === 'Welcome'")
    stage.answer_bar(f"Save password for {ANN}")
    stage.await_saved({ANN: "battery staple"})


@scenario
def change_password(stage):
    """The old password is filled into its field, a new one into both others, and replaces the old one."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("change.html")
    stage.browser.click("#old")
    stage.choose()
    stage.await_value("#old", "correct horse")
    assert stage.value("#new") == ""
    password = fill_strong(stage)
    assert stage.value("#again") == password and stage.value("#old") == "correct horse"
    stage.browser.click("#go")
    stage.browser.until("document.title === 'Welcome'")
    stage.await_saved({ANN: password})


@scenario
def one_time_code(stage):
    """A code of the site's account is filled into its field; after a sign-in the code of the same account is the first."""
    stage.start()
    stage.save(ANN, "correct horse")
    from stage import PROOF

    service = {"type": "domain", "value": "shop.example.com"}
    add_code = lambda user, secret: stage.call("code.set", service=service, user=user, uri=f"otpauth://totp/a?secret={secret}", proof=PROOF)
    code_of = lambda user: stage.call("code.get", service=service, user=user, proof=PROOF)["code"]
    add_code(ANN, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    stage.open("code.html")
    stage.browser.click("#code")
    items = stage.await_menu()
    assert items[0].startswith("Codes for shop.example.com"), items
    stage.choose()
    assert re.fullmatch("[0-9]{6}", stage.await_value("#code"))
    # After the yes the account is listed, and its code is filled at once.
    stage.open("code.html")
    stage.browser.click("#code")
    items = stage.await_menu()
    assert items[0] == f"Fill Code | {ANN}", items
    stage.choose()
    assert re.fullmatch("[0-9]{6}", stage.await_value("#code"))
    # The second step of a sign-in.
    for user, secret in ((BOB, "MFRGGZDFMZTWQ2LKMFRGGZDFMZTWQ2LK"), (EVE, "NNWG23TPOBYXE43UNNWG23TPOBYXE43U")):
        stage.save(user, f"of {user}")
        add_code(user, secret)
    for user in (BOB, ANN):
        stage.open("sign-in.html")
        stage.browser.click("#user")
        items = stage.await_menu()
        stage.choose(next(i for i, item in enumerate(items) if item.startswith(user)))
        stage.await_value("#user", user)
        stage.browser.click("#go")
        stage.browser.until("document.title === 'Welcome'")
        stage.open("code.html")
        stage.browser.click("#code")
        items = stage.await_menu()
        assert items[0] == f"Fill Code | {user}" and sum(item.startswith("Fill Code") for item in items) == 3, items
        before = code_of(user)
        stage.choose()
        assert stage.await_value("#code") in (before, code_of(user))


# ---------------------------------------------------------------- kinds of pages
@scenario
def single_page_app(stage):
    """In a page without a form and a submit event, typed values are saved when the fields disappear after a click."""
    stage.start()
    stage.open("spa.html")
    stage.browser.click("#user")
    stage.browser.type(ANN)
    stage.browser.type(TAB)
    stage.await_menu()
    stage.browser.type("battery staple")
    time.sleep(0.3)
    assert stage.saved() == {}
    stage.browser.click("#go")
    stage.browser.until("!!document.querySelector('#in')")
    stage.answer_bar(f"Save password for {ANN}")
    stage.await_saved({ANN: "battery staple"})


@scenario
def controlled_inputs(stage):
    """Fields whose framework resets unexpected values keep the filled values."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("react.html")
    stage.browser.click("#user")
    stage.choose()
    stage.await_value("#password", "correct horse")
    time.sleep(0.3)
    assert stage.browser.run("state") == {"user": ANN, "password": "correct horse"}
    assert stage.value("#user") == ANN and stage.browser.run("!document.querySelector('#go').disabled")


@scenario
def shadow_dom(stage):
    """A form in nested shadow trees, with fields in separate trees, is filled, from each field of it."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("shadow.html")
    stage.browser.click("#user-in")
    stage.await_menu()
    before = stage.menu()
    # The focus stays in the outer tree.
    stage.browser.type(TAB)
    await_another_menu(stage, before)
    stage.choose()
    stage.await_value("#password-in", "correct horse")
    assert stage.value("#user-in") == ANN
    # A click in a field that has the focus already asks again.
    stage.browser.click("#password-in")
    assert stage.await_menu()[0].startswith(ANN)


@scenario
def closed_shadow_dom(stage):
    """A form in a closed shadow tree is filled."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("shadow.html?mode=closed")
    inside = f"inner.querySelector('x-field').shadowRoot"
    box = stage.browser.run(f"{inside}.querySelector('input').getBoundingClientRect().toJSON()")
    stage.browser.pointer(box["x"] + 9, box["y"] + 9)
    stage.choose()
    stage.browser.until(f"inner.querySelectorAll('x-field')[1].shadowRoot.querySelector('input').value === 'correct horse'")


@scenario
def a_form_in_a_modal_dialog(stage):
    """A form in a modal dialog, also in a shadow tree, is filled by keyboard and by a click, and the key in its field opens the menu."""
    stage.start()
    stage.save(ANN, "correct horse")
    browser = stage.browser
    dialog = "(document.querySelector('dialog') ?? document.querySelector('#host').shadowRoot.querySelector('dialog'))"
    for how in ("plain", "shadow"):
        for way in ("keys", "pointer", "mark"):
            stage.open(f"dialog.html?{how}")
            browser.click("#open")
            browser.click("#user")
            stage.await_menu()
            # It is in the dialog, which cannot read it.
            inside = f"[...{dialog}.querySelectorAll(':scope > [popover]:popover-open')].map((host) => [host.shadowRoot, host.innerHTML])"
            assert browser.run(inside) == [[None, ""], [None, ""]], (how, way)
            if way == "keys":
                stage.choose()
            else:
                stage.await_clickable()
                box = browser.run(f"{dialog}.querySelector('#user').getBoundingClientRect().toJSON()")
                if way == "mark":
                    for is_open in (False, True):
                        browser.pointer(box["right"] - 14, box["top"] + box["height"] / 2)
                        for _ in range(100):
                            if (stage.menu() is not None) == is_open:
                                break
                            time.sleep(0.05)
                        else:
                            raise AssertionError(f"{how}: the mark does not {'open' if is_open else 'close'} the menu")
                    stage.await_menu()
                    stage.await_clickable()
                browser.pointer(box["x"] + 60, box["y"] + box["height"] + 26, rest=600)
            stage.await_value("#password", "correct horse")
            assert stage.value("#user") == ANN


def await_another_menu(stage, before):
    deadline = time.monotonic() + 60
    while stage.menu() in (None, before):
        assert time.monotonic() < deadline, "no new menu came"
        time.sleep(0.03)


def frame_of(stage, text):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for context, url in stage.browser.contexts():
            if text in url and context != stage.browser.tab and "extension://" not in url:
                return context
        time.sleep(0.05)
    raise AssertionError(f"no frame {text}")


@scenario
def frame_of_the_same_origin(stage):
    """A frame of the page's own origin is served like the page."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("frames.html?src=sign-in.html")
    frame = frame_of(stage, "sign-in.html")
    stage.browser.until("!!document.querySelector('#user')", context=frame)
    stage.browser.click("#user", frame)
    stage.await_menu()
    # It still has the focus, although the menu's page may have been loaded meanwhile.
    assert stage.browser.run("[document.hasFocus(), document.activeElement.id]", frame) == [True, "user"]
    take_in_frame(stage, frame)
    stage.await_value("#password", "correct horse", frame)
    # A field of the whole page that gets the focus meanwhile keeps it.
    stage.open("both.html?src=sign-in.html")
    frame = frame_of(stage, "/sign-in.html")
    stage.browser.until("!!document.querySelector('#user')", context=frame)
    stage.browser.click("#user", frame)
    stage.browser.run("document.querySelector('#user').focus() ?? 1")
    time.sleep(0.8)
    assert stage.browser.run("[document.hasFocus(), document.activeElement.id]") == [True, "user"]


@scenario
def frame_of_another_origin(stage):
    """A frame gets its own accounts and none of the page around it; the page gets none of the frame's. One of the page's own site gets those of the site."""
    stage.start()
    stage.save(ANN, "of the page")
    source = urllib.parse.quote(stage.site.url("sign-in.html", host="login.example.com"))
    stage.open(f"frames.html?src={source}")
    frame = frame_of(stage, "login.example.com")
    stage.browser.until("!!document.querySelector('#user')", context=frame)
    stage.browser.click("#user", frame)
    items = stage.await_menu()
    assert items[0].startswith("Passwords for login.example.com"), items
    take_in_frame(stage, frame, is_own=False)
    stage.await_value("#password", "of the page", frame)
    stage.start()
    stage.save(ANN, "of the page")
    stage.save(BOB, "of the frame", "pay.example.net")
    source = urllib.parse.quote(stage.site.url("sign-in.html", host="pay.example.net"))
    stage.open(f"frames.html?src={source}")
    frame = frame_of(stage, "pay.example.net")
    stage.browser.until("!!document.querySelector('#user')", context=frame)
    stage.browser.click("#user", frame)
    items = stage.await_menu()
    assert items[0].startswith("Passwords for pay.example.net"), items
    take_in_frame(stage, frame, is_own=False)
    stage.await_value("#password", "of the frame", frame)
    assert stage.value("#user", frame) == BOB
    assert all(r["service"]["value"] != "shop.example.com" for r in stage.releases())


def take_in_frame(stage, frame, is_own=True, field="#password"):
    """Chooses the first item of a menu in a frame; in the toolbar, where neither the browser nor a same-origin page around it reports
    whether the menu is visible."""
    asks_toolbar = stage.browser.name != "chromium" and not is_own
    done = "document.querySelector('#status').innerText.includes('toolbar')" if asks_toolbar else f"document.querySelector({field!r}).value !== ''"
    # As a user does: again, where the menu needed more time, or an event about an earlier save replaced it.
    for _ in range(10):
        try:
            if not stage.browser.run("document.activeElement?.matches('[role=menuitem]') ?? false", stage.menu()):
                stage.browser.type(DOWN, frame)
            stage.await_clickable()
            if stage.browser.name != "chromium":
                time.sleep(0.6)  # the pages around it must be unchanged that long, too
            menu = stage.menu()
            stage.browser.type(ENTER, menu)
            stage.browser.until(done, "an answer", menu if asks_toolbar else frame, timeout=3)
            break
        except (AssertionError, Failure):
            continue
    if asks_toolbar:
        assert stage.value(field, frame) == ""
        confirm_in_toolbar(stage)


def confirm_in_toolbar(stage):
    """The user opens the toolbar's popup, here in a tab, and confirms its question."""
    with stage.toolbar() as popup:
        stage.browser.until("!!document.querySelector('#pending button')", "the question", popup)
        stage.browser.run("document.querySelector('#pending button').click()", popup)
        time.sleep(0.3)


@scenario
def srcdoc_frame(stage):
    """A srcdoc frame has the origin of the page around it."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("frames.html?srcdoc=1")
    frame = frame_of(stage, "about:srcdoc")
    stage.browser.until("!!document.querySelector('#user')", context=frame)
    stage.browser.click("#user", frame)
    items = stage.await_menu()
    assert items[0].startswith("Passwords for shop.example.com"), items


@scenario
def sandboxed_frame(stage):
    """A frame with an opaque origin gets nothing, with the reason."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("frames.html?sandbox=allow-scripts%20allow-forms&src=sign-in.html")
    frame = frame_of(stage, "sign-in.html")
    stage.browser.until("!!document.querySelector('#user')", context=frame)
    stage.browser.click("#user", frame)
    stage.no_menu()
    assert_opaque(stage, frame)


def assert_opaque(stage, context=None):
    """The reason is the origin. In Firefox the menu in a sandboxed document is sandboxed too: the toolbar has the reason."""
    if stage.browser.name == "chromium":
        return assert_why(stage, "origin", context)
    with stage.toolbar() as popup:
        stage.browser.until("document.body.innerText.includes('origin')", "why not", popup)
    assert stage.releases() == []


def assert_why(stage, text, context=None):
    """The mark in the field shows, when it is clicked, why the field is not filled."""
    stage.ask_for_menu(context)
    shown = stage.browser.until("document.querySelector('.reasons:not([hidden])')?.innerText", "why not", stage.menu())
    assert text in shown, shown
    assert stage.releases() == []


@scenario
def http_page(stage):
    """A public http page gets nothing, with the reason; accounts saved over https are not used."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("sign-in.html", scheme="http")
    stage.browser.click("#user")
    stage.no_menu()
    assert_why(stage, "https")
    assert stage.value("#user") == "" and stage.value("#password") == ""


@scenario
def hidden_fields(stage):
    """Invisible fields stay empty."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("trap.html")
    stage.browser.click("#user")
    stage.choose()
    stage.await_value("#password", "correct horse")
    assert stage.browser.run("[...document.querySelectorAll('.trap')].map((f) => f.value)") == [""] * 7


# ---------------------------------------------------------------- locked vault and missing daemon
@scenario
def locked_vault(stage):
    """The menu offers to unlock; when the vault is open, it lists the items."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.call("admin.vault.lock")
    stage.open("sign-in.html")
    stage.browser.click("#user")
    items = stage.await_menu()
    assert items[0].startswith("Unlock Passwords"), items
    from stage import PROOF

    stage.call("vault.unlock", proof=PROOF)
    deadline = time.monotonic() + 60
    while not stage.await_menu()[0].startswith("Passwords for"):
        assert time.monotonic() < deadline, "the menu was not updated"
        time.sleep(0.05)


@scenario
def daemon_restarted(stage):
    """A daemon that was restarted serves the same page."""
    stage.start()
    stage.open("sign-in.html")
    stage.browser.click("#user")
    stage.await_menu()
    before = stage.menu()
    stage.kill9()
    stage.start()
    stage.save(ANN, "correct horse")
    stage.browser.type(TAB)
    await_another_menu(stage, before)
    stage.choose()
    stage.await_value("#password", "correct horse")


@scenario
def no_daemon(stage):
    """Without a daemon the page works unchanged, and the toolbar and the menu, on request, show what is missing."""
    stage.stop()
    stage.open("sign-in.html")
    stage.browser.click("#user")
    stage.no_menu()
    # The host waits some seconds for a daemon that has ended.
    time.sleep(4.5)
    assert stage.ask_for_menu() == ["Why is nothing filled?"]
    shown = stage.browser.run("document.querySelector('.reasons:not([hidden])')?.innerText", stage.menu())
    assert shown and "autofilld" in shown, shown
    stage.browser.click("#user")
    stage.browser.type(ANN)
    stage.browser.click("#password")
    stage.browser.type("battery staple" + ENTER)
    stage.browser.until("document.title === 'Welcome'")
    assert stage.site.forms[-1] == {"user": ANN, "password": "battery staple"}
    # A sent request waits some seconds for a daemon: the next daemon must not get it.
    time.sleep(4.5)


# ---------------------------------------------------------------- the toolbar
@scenario
def toolbar(stage):
    """The popup lists the site's accounts after a yes, copies a password, and empties the clipboard later."""
    from bars import begin

    # Without the question about what was typed in an earlier scenario, which names an account.
    begin(stage)
    stage.save(ANN, "correct horse")
    stage.open("sign-in.html")
    browser = stage.browser
    with stage.toolbar() as popup:
        try:
            browser.until("!!document.querySelector('#accounts button.main')", "the question", popup)
        except AssertionError:
            raise AssertionError(browser.run("document.body.innerText", popup)) from None
        assert ANN not in browser.run("document.body.innerText", popup)
        browser("browsingContext.activate", {"context": popup})
        browser.click("#accounts button.main", popup)
        browser.until(f"document.querySelector('#accounts').innerText.includes({ANN!r})", "the account", popup)
        browser.click("#accounts .copyPassword", popup)
        browser.until("document.querySelector('#state').innerText.includes('45 seconds')", "copied", popup)
        assert paste(stage) == "correct horse"
        alarms = browser.run("chrome.alarms.getAll()", popup)
        assert len(alarms) == 1 and 30_000 < alarms[0]["scheduledTime"] - time.time() * 1000 <= 46_000, alarms
        browser.run(f"chrome.alarms.create({alarms[0]['name']!r}, {{ when: Date.now() + 50 }})", popup)
        deadline = time.monotonic() + 60
        while paste(stage).strip() != "":
            assert time.monotonic() < deadline, "the clipboard still has it"


def paste(stage):
    """The text that a paste puts into a page."""
    browser = stage.browser
    browser("browsingContext.activate", {"context": browser.tab})
    browser.run("Object.assign(document.querySelector('#user'), { type: 'text', value: '' }) && 1")
    browser.run("document.querySelector('#user').focus() ?? 1")
    keys = [{"type": "keyDown", "value": "\ue009"}, {"type": "keyDown", "value": "v"}, {"type": "keyUp", "value": "v"}, {"type": "keyUp", "value": "\ue009"}]
    browser("input.performActions", {"context": browser.tab, "actions": [{"type": "key", "id": "keys", "actions": keys}]})
    time.sleep(0.2)
    return stage.value("#user")


@scenario
def site_switched_off(stage):
    """Where the user has switched it off, no menu opens, and typed passwords cause no prompt."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("sign-in.html")
    set_site(stage, "off", "!document.querySelector('#accounts') && document.querySelector('#choices [name=neverSave]').disabled && document.querySelector('#main').innerText.includes('switched')")
    try:
        stage.browser.click("#user")
        stage.no_menu()
        stage.browser.type(BOB)
        stage.browser.click("#password")
        stage.browser.type("battery staple" + ENTER)
        stage.browser.until("document.title === 'Welcome'")
        time.sleep(0.3)
        assert stage.saved() == {ANN: "correct horse"}
    finally:
        set_site(stage, "off", "!!document.querySelector('#accounts') && !document.querySelector('#choices [name=neverSave]').disabled")


def set_site(stage, name, expected):
    """Switches a choice for the page's site over in the popup, by keyboard, and waits for what the popup shows then."""
    browser = stage.browser
    with stage.toolbar() as popup:
        browser("browsingContext.activate", {"context": popup})
        browser.until("document.querySelectorAll('#choices input').length === 2", "the choices", popup)
        browser.run(f"document.querySelector('#choices [name={name}]').focus() ?? 1", popup)
        browser.type(" ", popup)
        browser.until(f"{expected} && document.activeElement.name === {name!r}", "the popup", popup)
    browser("browsingContext.activate", {"context": browser.tab})


# ---------------------------------------------------------------- clickjacking
ATTACKS = [
    "opacity of the root", "opacity of the body", "opacity of the menu's own element", "filter of the root", "an animation",
    "a full overlay", "a partial overlay", "a modal dialog", "an overlay that is raised again and again",
    "a popover in a closed shadow tree", "a menu that is moved under the pointer", "a menu that is made small", "a menu that is made large",
    "a menu that is made large again and again",
]

# Those that hide the menu, or the elements around it, permanently.
HIDING = ATTACKS[:2] + ["filter of the root", "an overlay that is raised again and again", "a popover in a closed shadow tree",
                        "a menu that is made large again and again"]


def jack(stage, attack, field_context=None):
    """Shows the menu, begins the attack, and clicks on the menu's first item, at once and later. A click may fill only where the menu
    is drawn as before. Returns whether one filled."""
    box = stage.browser.run("document.querySelector('#user').getBoundingClientRect().toJSON()", field_context)
    stage.browser.click("#user", field_context)
    stage.await_menu()
    # Its first item has the focus, then and later, and is drawn the same.
    stage.browser.type(DOWN, field_context)
    stage.await_clickable()
    x, y = box["x"] + 60, box["y"] + box["height"] + 4 + 22

    def picture():
        return stage.screenshot(x - 50, y - 14, 200, 28)

    def is_filled():
        return stage.value("#password", field_context) != "" or stage.value("#user", field_context) != ""

    # In a whole page, the pointer was on the menu long enough before the attack.
    is_there = field_context is None
    if is_there:
        stage.browser.pointer(x, y, press=False)
        time.sleep(0.8)
    before = picture()
    stage.browser.run(f"attack[{attack!r}]()")
    for wait in (0, 0.7):
        # A menu that was raised again is clicked again after its delay.
        if wait or not is_there:
            stage.browser.pointer(3, 3, press=False)
        time.sleep(wait)
        is_seen = picture() == before
        stage.browser.pointer(x, y, rest=600 if wait or not is_there else 100)
        time.sleep(0.25)
        if is_filled():
            assert is_seen, f"{attack}: filled after {wait} s by a click on what was not the menu"
            return True
    return False


@scenario
def clickjacking(stage):
    """A click on a menu that is not fully visible fills nothing. A click on one that was raised over the page's cover fills."""
    stage.start()
    stage.save(ANN, "correct horse")
    for attack in ATTACKS:
        stage.open("jack.html")
        filled = jack(stage, attack)
        assert not filled or attack not in HIDING, attack


@scenario
def a_plain_click_fills(stage):
    """A click on a visible menu fills, also in a page with a zoom of its own."""
    stage.start()
    stage.save(ANN, "correct horse")
    for zoom in ("1", "1.5"):
        stage.open("jack.html")
        stage.browser.run(f"document.documentElement.style.zoom = {zoom!r}")
        assert jack(stage, "none"), zoom
        stage.await_value("#password", "correct horse")


@scenario
def a_double_click_that_began_in_another_window_fills_nothing(stage):
    """A click on a menu to which the pointer has just come, as where a window above it was closed, fills nothing; one half a second later fills."""
    stage.start()
    stage.save(ANN, "correct horse")
    # On a busy machine a click may arrive later, and fills then.
    for _ in range(20):
        stage.open("jack.html")
        box = stage.browser.run("document.querySelector('#user').getBoundingClientRect().toJSON()")
        stage.browser.click("#user")
        stage.await_menu()
        stage.await_clickable()
        x, y = box["x"] + 60, box["y"] + box["height"] + 26
        stage.browser.pointer(x, y)
        time.sleep(0.3)
        if stage.value("#password") == "":
            break
    else:
        raise AssertionError("each click was taken")
    stage.await_clickable()
    stage.browser.pointer(x, y, rest=600)
    stage.await_value("#password", "correct horse")


@scenario
def an_early_click_fills_nothing(stage):
    """A click in the first half second fills nothing."""
    stage.start()
    stage.save(ANN, "correct horse")
    # On a busy machine a click may arrive later, and fills then.
    for _ in range(20):
        stage.open("jack.html")
        box = stage.browser.run("document.querySelector('#user').getBoundingClientRect().toJSON()")
        stage.browser.click("#user")
        stage.await_menu()
        stage.browser.run("addEventListener('click', () => { window.isEarly = !Guard.isClickable(); }, true) ?? 1", stage.menu())
        stage.browser.pointer(box["x"] + 60, box["y"] + box["height"] + 26)
        time.sleep(0.3)
        menu = stage.menu()
        if menu and stage.browser.run("window.isEarly === true", menu):
            assert stage.value("#password") == ""
            return
    raise AssertionError("no click was early, or each was taken")


AROUND = [
    "opacity of the frame", "an overlay over the frame", "a filter around the frame", "a frame that is cut",
    "a frame that is scaled", "a popover over the frame", "a shadow over the frame", "a ghost of an element",
]


@scenario
def clickjacking_from_around(stage):
    """In a frame that the page around it makes transparent or draws over, a click fills nothing."""
    stage.start()
    stage.save(ANN, "correct horse")
    for attack in AROUND:
        stage.open("around.html")
        frame = frame_of(stage, "jack.html")
        stage.browser.until("!!document.querySelector('#user')", context=frame)
        assert not jack(stage, attack, frame), attack


@scenario
def embedder_policy(stage):
    """A page that embeds only consenting resources (COEP) gets the menu."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("sign-in.html?headers=Cross-Origin-Embedder-Policy%3Drequire-corp")
    stage.browser.click("#user")
    stage.choose()
    stage.await_value("#password", "correct horse")


@scenario
def content_policy(stage):
    """A page whose policy allows no frames and no styles gets the menu."""
    stage.start()
    stage.save(ANN, "correct horse")
    policy = urllib.parse.quote("Content-Security-Policy=default-src 'none'; form-action 'self'", safe="")
    stage.open(f"sign-in.html?headers={policy}")
    stage.browser.click("#user")
    stage.choose()
    stage.await_value("#password", "correct horse")


@scenario
def sandboxed_page(stage):
    """A page with an opaque origin by its policy (CSP sandbox) gets nothing, with the reason."""
    stage.start()
    stage.save(ANN, "correct horse")
    policy = urllib.parse.quote("Content-Security-Policy=sandbox allow-scripts allow-forms", safe="")
    stage.open(f"sign-in.html?headers={policy}")
    stage.browser.click("#user")
    stage.no_menu()
    assert_opaque(stage)


@scenario
def a_page_cannot_choose(stage):
    """Events that a page dispatches open nothing and choose nothing."""
    stage.start()
    stage.save(ANN, "correct horse")
    stage.open("sign-in.html")
    stage.browser.run("""(() => { const u = document.querySelector('#user');
        u.dispatchEvent(new FocusEvent('focusin', {bubbles: true, composed: true}));
        u.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true})); })()""")
    stage.no_menu()
    stage.browser.click("#user")
    stage.await_menu()
    stage.await_clickable()
    stage.browser.run("""(() => { for (const e of document.documentElement.children) { e.click?.();
        e.dispatchEvent(new MouseEvent('click', {bubbles: true, composed: true})); }
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true}));
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})); })()""")
    time.sleep(0.3)
    assert stage.value("#password") == "" and stage.releases() == []
    # A page cannot read the menu either.
    assert ANN not in stage.browser.run("document.documentElement.outerHTML") and stage.browser.run("window.length") == 0
