# SPDX-License-Identifier: Apache-2.0
"""The pages of the extension in each language, at 200 %: no text is missing, in another language, or cut off."""
import contextlib
import json
import pathlib
import shutil

from bars import begin, sign_in
from bidi import BASES
from scenarios import ANN, scenario

# What the user sees of a page: its texts, and those that are cut off.
SEEN = """(() => {
  const drawn = [...document.querySelectorAll("body *")].filter((e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility === "visible");
  const leaves = drawn.filter((e) => e.children.length === 0 && !e.closest("datalist, svg, script, style"));
  const cut = drawn.filter((e) => !e.closest("svg, datalist") && (e.getBoundingClientRect().right > innerWidth + 1 || e.getBoundingClientRect().left < -1
    || e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "hidden"));
  const empty = drawn.filter((e) => e.matches("button, h1, h2, a, label") && !e.innerText.trim() && !e.ariaLabel);
  return { texts: [...new Set(leaves.map((e) => e.innerText).filter(Boolean)), ...[...document.querySelectorAll("[placeholder]")].map((e) => e.placeholder)], cut: cut.map((e) => e.outerHTML.slice(0, 200)), empty: empty.map((e) => e.outerHTML.slice(0, 200)) };
})()"""


def translated(stage, language):
    """A copy of the extension, in which a language is that of the browser: browsers are installed in English alone."""
    copy = stage.folder / f"in-{language}"
    shutil.copytree(stage.extension, copy, dirs_exist_ok=True)
    shutil.copyfile(pathlib.Path(stage.extension) / f"_locales/{language}/messages.json", copy / "_locales/en/messages.json")
    return copy


def check(stage, texts, context, what):
    """Checks a page of the extension that is shown."""
    seen = stage.browser.run(SEEN, context)
    assert not seen["cut"], f"{what}: cut off: {seen['cut']}"
    assert not seen["empty"], f"{what}: no text: {seen['empty']}"
    found = {text.replace("\u2068", "").replace("\u2069", "") for text in seen["texts"]}
    assert found & texts["own"], f"{what}: nothing in its language: {found}"
    assert not found & texts["other"], f"{what}: in another language: {found & texts['other']}"


def check_reversed(stage, texts, context, what):
    """Checks a page as in a language that is written from right to left."""
    stage.browser.run("(document.documentElement.dir = 'rtl')", context)
    check(stage, texts, context, what)
    stage.browser.run("(document.documentElement.dir = 'ltr')", context)


@scenario
def languages(stage):
    """The popup, the options, the search, the menu and the bar are in the user's language and fit at 200 %."""
    if stage.browser.name != "chromium":
        return  # the pages are the same
    folder = pathlib.Path(stage.extension) / "_locales"
    messages = {language: {name: one["message"] for name, one in json.loads((folder / language / "messages.json").read_text()).items()} for language in ("en", "de", "id")}
    first = stage.browser
    for language in ("en", "de", "id"):
        own = set(messages[language].values())
        texts = {"own": own, "other": set().union(*(messages[one].values() for one in messages if one != language)) - own}
        stage.browser = stage.new_browser(f"in-{language}-home", translated(stage, language))
        try:
            walk(stage, texts, language)
        finally:
            stage.browser.close()
            stage.browser = first


def walk(stage, texts, language):
    browser = stage.browser
    begin(stage)
    stage.save(ANN, "correct horse")
    sign_in(stage)
    stage.await_bar(ANN)
    # 900 pixels of a window at 200 %.
    browser("browsingContext.setViewport", {"context": browser.tab, "viewport": {"width": 450, "height": 350}, "devicePixelRatio": 2})
    stage.open("welcome.html")
    check(stage, texts, stage.await_bar(ANN), f"{language}: the bar")
    stage.answer_bar(ANN, "later")
    stage.open("sign-up.html")
    browser.click("#new")
    stage.await_menu()
    check(stage, texts, stage.menu(), f"{language}: the menu")
    sign_in(stage)
    stage.await_bar(ANN)
    with stage.toolbar() as popup:
        browser("browsingContext.setViewport", {"context": popup, "viewport": {"width": 360, "height": 600}, "devicePixelRatio": 2})
        browser.until("!!document.querySelector('#accounts button') && !!document.querySelector('.undecided')", "the popup", popup)
        check(stage, texts, popup, f"{language}: the popup, before the user has consented")
        browser.run("document.querySelector('#accounts button').click() ?? 1", popup)
        browser.until("!!document.querySelector('#accounts .fill')", "the account", popup)
        browser.run("document.querySelector('#generator button').click() ?? 1", popup)
        browser.until("!!document.querySelector('#generator output')", "a password", popup)
        check(stage, texts, popup, f"{language}: the popup")
        check_reversed(stage, texts, popup, f"{language}: the popup from right to left")
        stage.open_item(popup)
        browser.run("document.querySelector('#item .previous').click() ?? 1", popup)
        browser.until("!!document.querySelector('.more').innerText", "the former ones", popup)
        check(stage, texts, popup, f"{language}: an account in the popup")
        for page in ("options/options.html", "popup/search.html"):
            browser("browsingContext.navigate", {"context": popup, "url": f"{BASES['chromium']}/{page}", "wait": "complete"})
            with contextlib.suppress(AssertionError):
                browser.until("document.querySelectorAll('li').length > 0", "a list", popup, timeout=5)
            check(stage, texts, popup, f"{language}: {page}")
            check_reversed(stage, texts, popup, f"{language}: {page} from right to left")
