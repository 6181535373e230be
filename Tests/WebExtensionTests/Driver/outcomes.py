# SPDX-License-Identifier: Apache-2.0
"""Scenarios at a site that refuses, redirects and answers late: what is saved after each answer. Every prompt is answered with yes."""
import contextlib
import json
import os
import resource
import time

from accounts import KINDS
from bidi import BASES, ENTER, Failure, tries
from scenarios import ANN, BOB, EVE, fill_strong, scenario
from stage import PROOF

SENT = "chrome.storage.session.get('outcomes').then(({ outcomes }) => outcomes?.submissions ?? [])"

YES = "import('/popup/connection.js').then(({ ask }) => ask('decide', { outcome: '%s', choice: 'save', user: %s, replaces: %s })).then(() => 1)"


class Visit:
    """A user at the site."""

    def __init__(self, stage, kind):
        self.stage, self.browser, self.kind = stage, stage.browser, kind
        self.accounts = stage.site.accounts

    def open(self, page):
        self.stage.open(f"app/{self.kind}/{page}")

    def type(self, selector, text):
        """Types into a field, in place of what is there."""
        self.browser.run(f"document.querySelector({selector!r}).select() ?? 1")
        self.browser.click(selector)
        self.browser.run(f"document.querySelector({selector!r}).select() ?? 1")
        self.browser.type(text)

    def sign_in(self, user, password):
        self.open("sign-in")
        self.again(user, password)

    def again(self, user, password):
        self.type("#user", user)
        self.type("#password", password)
        self.browser.run("(document.title = 'Sent')")
        self.browser.type(ENTER)

    def await_refusal(self):
        self.browser.until("document.title.startsWith('Refused') && !!document.querySelector('#message')", "a refusal")

    def await_success(self):
        if self.kind == "between":
            self.browser.until("document.title === 'Elsewhere' && document.readyState === 'complete'", "the other site")
            time.sleep(2.5)
            self.browser.click("#go")
        self.browser.until("document.title === 'Home' || document.title === 'Welcome'", "the account")


@contextlib.contextmanager
def extension_page(stage):
    """A page of the extension in another tab."""
    browser = stage.browser
    tab = browser("browsingContext.create", {"type": "tab", "background": True})["context"]
    try:
        browser("browsingContext.navigate", {"context": tab, "url": f"{BASES[browser.name]}/options/options.html", "wait": "complete"})
        browser("browsingContext.activate", {"context": browser.tab})
        yield tab
    finally:
        # What failed before counts.
        with contextlib.suppress(Failure, TimeoutError):
            browser("browsingContext.close", {"context": tab})


def settle(stage, user=None, page=None):
    """Waits until every form that was sent is decided, or pending; returns the latter. `user` names whose password it is where the question names
    nobody. `page` is one of the extension's, if one is open."""
    with contextlib.nullcontext(page) if page else extension_page(stage) as tab:
        time.sleep(0.3)
        deadline = time.monotonic() + 60
        while True:
            sent = stage.browser.run(SENT, tab)
            # A page that shows an error may still show something else.
            if all(one["state"] == "pending" or one["state"] == "waiting" and one.get("hint") or "result" in one.get("question", {}) for one in sent):
                return [one for one in sent if one["state"] == "pending" and not one.get("hint") and one["at"] >= stage.began]
            # Every question is answered with yes.
            for one in sent:
                if one["state"] == "asked" and "result" not in one["question"]:
                    name = one.get("user") or user and user(one["password"])
                    users, is_change = one["question"]["users"], one["question"]["isChange"]
                    # As it is shown.
                    replaces = name in users or is_change and not (name and users)
                    stage.browser.run(YES % (one["id"], json.dumps(name), json.dumps(bool(replaces))), tab)
            assert time.monotonic() < deadline, sent
            time.sleep(0.1)


def begin(stage, kind):
    stage.start()
    stage.site.accounts.__init__()
    stage.began = time.time() * 1000
    return Visit(stage, kind)


def some(cases):
    """Every second one, or all where AUTOFILL_FULL is 1."""
    return cases if os.environ.get("AUTOFILL_FULL") == "1" else cases[::2]


# ---------------------------------------------------------------- what the site refuses
@scenario
def refused_sign_up(stage):
    """A sign-up that the site refuses saves nothing; after the correction the same offer is saved, with the corrected user name."""
    for kind in some(("plain", "redirect", "late", "single", "kept")):
        visit = begin(stage, kind)
        visit.accounts.put(ANN, "of another user")
        visit.open("sign-up")
        visit.type("#user", ANN)
        password = fill_strong(stage)
        visit.browser.click("#go")
        visit.await_refusal()
        assert settle(stage) == [], kind
        assert stage.saved() == {}, kind
        assert [o["state"] for o in stage.offers()] == ["pending"], kind
        visit.type("#user", BOB)
        if stage.value("#new") == "":
            assert fill_strong(stage) == password, "the same offer"
        visit.browser.click("#go")
        visit.await_success()
        stage.await_saved({BOB: password})
        assert [o["state"] for o in stage.offers()] == ["accepted"], kind
        assert visit.accounts.users[BOB] == password


@scenario
def refused_sign_in(stage):
    """A wrong password that is typed replaces nothing, and a right one that is typed after it is saved."""
    for kind in some(("noisy", *KINDS)):
        visit = begin(stage, kind)
        stage.save(ANN, "correct horse")
        visit.accounts.put(ANN, "correct horse")
        visit.accounts.put(BOB, "battery staple")
        visit.sign_in(ANN, "wrong horse")
        visit.await_refusal()
        settle(stage)
        assert stage.saved() == {ANN: "correct horse"}, kind
        visit.again(BOB, "wrong staple")
        visit.await_refusal()
        visit.again(BOB, "battery staple")
        visit.await_success()
        settle(stage)
        stage.await_saved({ANN: "correct horse", BOB: "battery staple"})


@scenario
def refused_change(stage):
    """A change that the site refuses keeps the password; one that it accepts replaces it."""
    for kind in some(("redirect", "plain", "single", "late", "kept")):
        visit = begin(stage, kind)
        stage.save(ANN, "correct horse")
        visit.accounts.put(ANN, "correct horse")
        visit.sign_in(ANN, "correct horse")
        visit.await_success()
        settle(stage)
        for old, is_right in (("wrong horse", False), ("correct horse", True)):
            visit.open("change")
            visit.type("#old", old)
            visit.type("#new", "battery staple")
            visit.type("#again", "battery staple" + ENTER)
            if is_right:
                visit.await_success()
                settle(stage)
                stage.await_saved({ANN: "battery staple"})
            else:
                visit.await_refusal()
                settle(stage)
                assert stage.saved() == {ANN: "correct horse"}, kind


# ---------------------------------------------------------------- what is not known
@scenario
def interrupted_by_the_user(stage):
    """A page that the user opens before the site has answered decides nothing; the popup shows that, and its button saves."""
    acts = {
        "a link": lambda visit: visit.browser.click_while_loading(visit.stage.site.url("app/"), *link),
        "an address": lambda visit: visit.browser.open(visit.stage.site.url("welcome.html")),
        "reload": lambda visit: visit.browser("browsingContext.reload", {"context": visit.browser.tab, "wait": "complete"}),
        "back": lambda visit: visit.browser("browsingContext.traverseHistory", {"context": visit.browser.tab, "delta": -1}),
    }
    for name, act in acts.items():
        visit = begin(stage, "late")
        visit.accounts.delay = 3
        stage.open("welcome.html?first")
        visit.open("sign-in")
        # A driver cannot find it while another page is requested.
        link = visit.browser.run("(({ x, y }) => [x + 5, y + 5])(document.querySelector('#other').getBoundingClientRect())")
        visit.again(EVE, "wrong horse")
        time.sleep(0.3)
        act(visit)
        pending = settle(stage)
        assert stage.saved() == {} and [one["user"] for one in pending] == [EVE], (name, pending)
    # What an earlier scenario has saved is listed too, for the half minute in which that can be undone.
    of_eve = "[...document.querySelectorAll('.undecided')].find((one) => one.innerText.includes('eve@') && one.querySelector('#save'))"
    with stage.toolbar() as popup:
        stage.browser.until(f"!!{of_eve}", "what is not known", popup)
        assert "wrong horse" not in stage.browser.run("document.documentElement.outerHTML", popup)
        stage.browser.run(f"{of_eve}.querySelector('#save').click()", popup)
        stage.await_saved({EVE: "wrong horse"})
        stage.browser.until("[...document.querySelectorAll('.undecided')].some((one) => /eve@.* is saved/.test(one.innerText))", "decided", popup)


@scenario
def outcome_unknown(stage):
    """Where a page shows no answer nothing is saved; the next sign-in that works decides."""
    visit = begin(stage, "silent")
    visit.accounts.put(ANN, "correct horse")
    visit.sign_in(ANN, "wrong horse")
    visit.again(ANN, "correct horse")
    assert [one["user"] for one in settle(stage)] == [ANN]
    assert stage.saved() == {}
    visit.kind = "plain"
    visit.sign_in(ANN, "another wrong one")
    visit.await_refusal()
    assert [one["user"] for one in settle(stage)] == [ANN] and stage.saved() == {}
    visit.again(ANN, "correct horse")
    visit.await_success()
    assert settle(stage) == []
    assert stage.saved() == {ANN: "correct horse"}


@scenario
def change_after_an_unknown_outcome(stage):
    """A change without a user name is of the account whose sign-up is not settled, and not of the only one that is saved."""
    visit = begin(stage, "silent")
    stage.save(EVE, "correct horse")
    visit.accounts.put(EVE, "correct horse")
    visit.open("sign-up")
    visit.type("#user", ANN)
    for field in ("#new", "#again"):
        visit.type(field, "battery staple")
    visit.browser.type(ENTER)
    assert [one["user"] for one in settle(stage)] == [ANN]
    visit.kind = "plain"
    visit.open("change")
    for field, password in (("#old", "battery staple"), ("#new", "paper clip"), ("#again", "paper clip")):
        visit.type(field, password)
    visit.browser.type(ENTER)
    visit.await_success()
    settle(stage)
    stage.await_saved({EVE: "correct horse", ANN: "paper clip"})


@scenario
def change_by_the_one_who_has_signed_in(stage):
    """A change without a user name is of the user who has signed in last, whatever was not settled before, and was refused after it."""
    visit = begin(stage, "silent")
    for user in (ANN, EVE):
        visit.accounts.put(user, "correct horse")
        stage.save(user, "correct horse")
    visit.sign_in(ANN, "correct horse")
    assert [one["user"] for one in settle(stage)] == [ANN]
    visit.kind = "plain"
    # As on the first of two pages.
    visit.sign_in(ANN, "")
    visit.await_refusal()
    visit.sign_in(EVE, "correct horse")
    visit.await_success()
    settle(stage)
    right = "correct horse"
    for kind in ("kept", "plain"):
        visit.kind = kind
        visit.sign_in(ANN, "wrong horse")
        # The page is left before anything asks about it.
        visit.await_refusal()
        visit.browser.until("document.readyState === 'complete'", "the whole page")
        visit.kind = "plain"
        visit.open("change")
        for field, password in (("#old", right), ("#new", f"paper {kind}"), ("#again", f"paper {kind}")):
            visit.type(field, password)
        visit.browser.type(ENTER)
        visit.await_success()
        settle(stage)
        right = f"paper {kind}"
        stage.await_saved({EVE: right, ANN: "correct horse"})


@scenario
def change_after_another_account_was_made(stage):
    """Who has created an account for another user may still be signed in: whose a change without a user name is is asked."""
    visit = begin(stage, "plain")
    visit.accounts.put(EVE, "correct horse")
    stage.save(EVE, "correct horse")
    visit.sign_in(EVE, "correct horse")
    visit.await_success()
    settle(stage)
    visit.open("sign-up")
    visit.type("#user", ANN)
    for field in ("#new", "#again"):
        visit.type(field, "battery staple")
    visit.browser.type(ENTER)
    visit.await_success()
    settle(stage)
    # As an administrator who has created it.
    visit.accounts.current = EVE
    change_as_a_guess(visit, {EVE: "correct horse", ANN: "battery staple"})
    # Another user has signed in in a tab that is closed since.
    visit = begin(stage, "plain")
    browser = stage.browser
    for user in (ANN, EVE):
        visit.accounts.put(user, "correct horse")
        stage.save(user, "correct horse")
    visit.sign_in(ANN, "correct horse")
    visit.await_success()
    settle(stage)
    first, browser.tab = browser.tab, browser("browsingContext.create", {"type": "tab"})["context"]
    visit.sign_in(EVE, "correct horse")
    visit.await_success()
    settle(stage)
    browser("browsingContext.close", {"context": browser.tab})
    browser.tab = first
    browser("browsingContext.activate", {"context": first})
    change_as_a_guess(visit, {EVE: "correct horse", ANN: "correct horse"})


def change_as_a_guess(visit, saved):
    """Eve changes her password without a user name: it is asked about, the question names nobody, and nothing is saved before."""
    visit.open("change")
    for field, password in (("#old", "correct horse"), ("#new", "paper clip"), ("#again", "paper clip")):
        visit.type(field, password)
    visit.browser.type(ENTER)
    visit.await_success()
    with extension_page(visit.stage) as page:
        visit.browser.until(f"{SENT}.then((sent) => sent.some(({{ state, question, isGuess, user }}) => state === 'asked' && !question.result && isGuess && !user))", "a question", page)
    assert visit.stage.saved() == saved
    settle(visit.stage, user=lambda _: EVE)
    assert visit.stage.saved() == {**saved, EVE: "paper clip"}


@scenario
def moved_by_its_opener(stage):
    """A page that another site has opened, and moves to its own or to one of the same site, before an answer or after a refusal, decides nothing."""
    site, browser = stage.site, stage.browser
    site.extra["opener.html"] = "<!doctype html><title>Opener</title><button id=open>Open</button>"
    site.extra["plain.html"] = "<!doctype html><title>Plain</title><h1>Thank you</h1>"
    own, plain = site.url("welcome.html"), site.url("plain.html", host="eve.example.net")
    for kind, name, to in (("late", "sign-up", plain), ("late", "sign-in", own), ("kept", "sign-in", plain), ("kept", "sign-up", own)):
        visit = begin(stage, kind)
        visit.accounts.delay = 3 if kind == "late" else 0
        visit.accounts.put(ANN, "correct horse")
        stage.save(ANN, "correct horse")
        stage.open("opener.html", host="eve.example.net")
        # A click, so that no blocker of windows prevents it.
        shop = json.dumps(site.url(f"app/{kind}/{name}"))
        browser.run(f"(document.querySelector('#open').onclick = () => {{ window.shop = open({shop}) }}) && 1")
        browser.click("#open")
        opener = browser.tab
        for _ in tries():
            if found := browser.windows(f"/app/{kind}/{name}"):
                break
        browser.tab = found[0]
        try:
            browser("browsingContext.activate", {"context": browser.tab})
            browser.until("document.readyState === 'complete' && opener !== null", "the site, which was opened")
            visit.type("#user", ANN)
            for field in ("#password",) if name == "sign-in" else ("#new", "#again"):
                visit.type(field, "wrong horse")
            browser.type(ENTER)
            if kind == "kept":
                visit.await_refusal()
            else:
                time.sleep(0.3)
            browser.run(f"(shop.location = {json.dumps(to)}) && 1", opener)
            browser.until(f"location.href === {json.dumps(to)} && document.readyState === 'complete'", "where it was moved to")
            assert [one["user"] for one in settle(stage)] in ([ANN], []), (kind, name, to)
            assert stage.saved() == {ANN: "correct horse"}, (kind, name, to)
        finally:
            browser("browsingContext.close", {"context": browser.tab})
            browser.tab = opener


@scenario
def failure_and_then_a_link(stage):
    """A page that the user opens after the site has failed is no answer to the form."""
    visit = begin(stage, "failing")
    visit.sign_in(ANN, "wrong horse")
    visit.browser.until("document.title === 'Failed' && document.readyState === 'complete'", "the failure")
    time.sleep(1.5)
    visit.browser.click("#other")
    visit.browser.until("location.pathname === '/welcome.html'", "another page")
    assert [one["user"] for one in settle(stage)] == [ANN]
    assert stage.saved() == {}


@scenario
def accepted_while_locked(stage):
    """What a site accepts while the vault is locked, or without a daemon, is saved or asked about once that has ended; the popup has it meanwhile."""
    for is_strong in (True, False):
        visit = begin(stage, "plain")
        visit.open("sign-up")
        visit.type("#user", ANN)
        if is_strong:
            password = fill_strong(stage)
        else:
            password = "battery staple"
            for field in ("#new", "#again"):
                visit.type(field, password)
        stage.call("admin.vault.lock")
        visit.browser.click("#go")
        visit.await_success()
        assert [one["user"] for one in settle(stage)] == [ANN]
        with stage.toolbar() as popup:
            visit.browser.until("document.querySelector('.undecided')?.innerText.includes('as soon as')", "what waits", popup)
        stage.no_bar(0.3)
        stage.call("vault.unlock", proof=PROOF)
        if not is_strong:
            stage.answer_bar(f"Save password for {ANN}")
        stage.await_saved({ANN: password})
    # A question that is open when the vault is locked is asked again.
    visit = begin(stage, "plain")
    visit.accounts.put(ANN, "correct horse")
    visit.sign_in(ANN, "correct horse")
    visit.await_success()
    stage.await_bar(f"Save password for {ANN}")
    stage.call("admin.vault.lock")
    deadline = time.monotonic() + 60
    while stage.bar():
        assert time.monotonic() < deadline, "the bar is still there"
        time.sleep(0.05)
    stage.call("vault.unlock", proof=PROOF)
    stage.answer_bar(f"Save password for {ANN}")
    stage.await_saved({ANN: "correct horse"})
    visit = begin(stage, "plain")
    visit.accounts.put(ANN, "correct horse")
    stage.kill9()
    visit.sign_in(ANN, "correct horse")
    visit.await_success()
    # The host waits some seconds for a daemon that has ended.
    time.sleep(5)
    stage.no_bar(0.3)
    stage.start_again()
    visit.open("sign-in")
    visit.browser.click("#user")
    stage.answer_bar(f"Save password for {ANN}")
    stage.await_saved({ANN: "correct horse"})


@scenario
def accepted_on_a_full_disk(stage):
    """Where the daemon cannot write what a site has accepted, the bar has the reason, and saves it once the daemon can."""
    visit = begin(stage, "plain")
    stage.start(vault=str(stage.folder / f"vault{time.monotonic_ns()}"))
    visit.open("sign-up")
    visit.type("#user", ANN)
    password = fill_strong(stage)
    _, most = resource.prlimit(stage.daemon.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    visit.browser.click("#go")
    visit.await_success()
    bar = stage.await_bar(f"Save password for {ANN}")
    visit.browser.until("!part('why').hidden && /storage|disk|full/i.test(part('why').textContent)", "the reason", bar)
    assert stage.saved() == {}
    resource.prlimit(stage.daemon.pid, resource.RLIMIT_FSIZE, (most, most))
    stage.answer_bar(f"Save password for {ANN}")
    stage.await_saved({ANN: password})


@scenario
def a_second_strong_password(stage):
    """After a form was accepted the same form gets another strong password."""
    visit = begin(stage, "single")
    visit.open("sign-up")
    visit.browser.run("(window.view = document.getElementById('app').firstElementChild) ? 1 : 0")
    passwords = []
    for user in (ANN, BOB):
        visit.type("#user", user)
        passwords.append(fill_strong(stage))
        visit.browser.click("#go")
        visit.await_success()
        assert settle(stage) == []
        visit.browser.run("view.querySelector('form').reset() ?? document.getElementById('app').replaceChildren(view) ?? (document.title = 'Again')")
    stage.await_saved(dict(zip((ANN, BOB), passwords)))


@scenario
def pending_at_another_origin(stage):
    """A sign-in that works decides about earlier ones at its own origin, and not at another one of the site."""
    visit = begin(stage, "silent")
    visit.accounts.put(ANN, "correct horse")
    visit.sign_in(ANN, "correct horse")
    assert [one["user"] for one in settle(stage)] == [ANN]
    stage.open("sign-in.html", host="login.shop.example.com")
    visit.type("#user", ANN)
    visit.type("#password", "battery staple")
    visit.browser.type(ENTER)
    visit.browser.until("document.title === 'Welcome'")
    assert [one["origin"].split("/")[2].split(":")[0] for one in settle(stage)] == ["shop.example.com"]
    visit.kind = "plain"
    visit.sign_in(ANN, "correct horse")
    visit.await_success()
    assert settle(stage) == []


@scenario
def outcome_after_a_restart(stage):
    """A background that the browser ends before the site has answered decides when it runs again."""
    for is_right in (False, True):
        visit = begin(stage, "late")
        visit.accounts.put(ANN, "correct horse")
        visit.sign_in(ANN, "correct horse" if is_right else "wrong horse")
        time.sleep(0.4)
        stage.browser.end_background()
        visit.await_success() if is_right else visit.await_refusal()
        assert settle(stage) == []
        assert stage.saved() == ({ANN: "correct horse"} if is_right else {})


@scenario
def sign_in_after_a_reload(stage):
    """A form that a script sends is judged by its own answer, also in a page that the user had reloaded before."""
    for kind in ("single", "kept"):
        visit = begin(stage, kind)
        visit.accounts.put(ANN, "correct horse")
        visit.open("sign-in")
        stage.browser.run("setTimeout(() => location.reload(), 0) && 1")
        stage.browser.until("performance.getEntriesByType('navigation')[0].type === 'reload' && document.readyState === 'complete'", "the page again")
        visit.again(ANN, "wrong horse")
        visit.await_refusal()
        settle(stage)
        assert stage.saved() == {}, kind
        visit.again(ANN, "correct horse")
        visit.await_success()
        assert settle(stage) == [], kind
        stage.await_saved({ANN: "correct horse"})


@scenario
def left_after_a_refusal(stage):
    """A user who leaves the page of a refusal at once, by a link, has not been accepted."""
    for kind, name in some((("plain", "sign-in"), ("plain", "sign-up"), ("redirect", "sign-up"), ("redirect", "sign-in"))):
        visit = begin(stage, kind)
        visit.accounts.put(ANN, "correct horse")
        stage.save(ANN, "correct horse")
        visit.open(name)
        visit.type("#user", ANN)
        for field in ("#password",) if name == "sign-in" else ("#new", "#again"):
            visit.type(field, "wrong horse")
        visit.browser.type(ENTER)
        visit.browser.until("document.title === 'Refused' && document.readyState !== 'loading'", "a refusal")
        visit.browser.click("#other")
        visit.browser.until("location.pathname === '/welcome.html'", "another page")
        settle(stage)
        assert stage.saved() == {ANN: "correct horse"}, (kind, name)
