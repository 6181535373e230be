# SPDX-License-Identifier: Apache-2.0
"""A sign-in of a real application in a frame: of another host of the page's site, and of a page of another site."""
import urllib.parse

from Applications.application import WRONG
from scenarios import frame_of, take_in_frame


class Frames:
    """The steps in frames, after those of `steps`: a wrong password that is typed, and what is saved."""

    # The host of the frame, and of the page around it.
    PLACES = {"frame of the site": ("login.example.com", "shop.example.com"), "frame of another site": ("shop.example.com", "pay.example.net")}

    def __init__(self, steps):
        self.steps, self.stage, self.browser, self.application = steps, steps.stage, steps.browser, steps.application
        self.form = self.application.sign_in

    def run(self):
        for name, (host, around) in self.PLACES.items():
            self.steps.timed(name, lambda: self.visit(host, around))

    def visit(self, host, around):
        form, steps = self.form, self.steps
        source = self.application.url(form.path).replace(self.application.host, host)
        self.browser.open(self.stage.site.url("frames.html", host=around) + "?src=" + urllib.parse.quote(source, safe=""))
        frame = frame_of(self.stage, f"{host}:{self.application.proxy.port}")
        self.browser.until(f"document.readyState === 'complete' && !!document.querySelector({form.password!r})", "the form", frame)
        for selector, text in ((form.user, steps.ann), (form.password, WRONG)):
            self.browser.run(f"(document.querySelector({selector!r}).focus(), 1)", frame)
            self.browser.type(text, frame)
        self.browser.click(form.button, frame)
        self.browser.until(form.refused, "refused in the frame", frame)
        steps.keeps(steps.kept)
        # A visit of its own, with an empty form.
        self.browser.run("(window.isLeft = true, setTimeout(() => location.reload(), 0)) && 1", frame)
        self.browser.until(f"!window.isLeft && document.readyState === 'complete' && document.querySelector({form.password!r})?.value === ''", "the form again", frame)
        self.browser.click(form.user, frame)
        # At another host the user is asked first, and which account it is.
        items = self.stage.await_menu()
        assert items[0].partition(" | ")[0] in steps.kept or items[0].startswith(f"Passwords for {host}"), items
        take_in_frame(self.stage, frame, is_own=False, field=form.password)
        password = self.stage.await_value(form.password, context=frame)
        assert steps.kept[self.stage.value(form.user, frame)] == password, "another password"
        self.browser.click(form.button, frame)
        self.browser.until(form.accepted, "accepted in the frame", frame)
        steps.keeps(steps.kept)
