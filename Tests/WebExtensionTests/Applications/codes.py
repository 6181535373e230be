# SPDX-License-Identifier: Apache-2.0
"""A sign-in with a second step, in which the application asks for a one-time code: what is filled, and what is in the vault afterwards."""
import base64
import dataclasses

from stage import PROOF

OF_DAN = "of a third User 7"


class Codes:
    """The steps with codes, after those of `steps`. `code` of the application is the page that asks for one; its `user` is the field."""

    def __init__(self, steps):
        self.steps, self.stage, self.application = steps, steps.stage, steps.application
        self.form = self.application.code
        # A sign-in is accepted when the page that asks for the code is there.
        self.sign_in = dataclasses.replace(self.application.sign_in, accepted=f"!!document.querySelector({self.form.user!r})")
        self.ann, self.dan = steps.ann, steps.ann.replace("ann", "dan")

    def run(self):
        self.application.create(self.dan, OF_DAN)
        for user in (self.ann, self.dan):
            self.application.require_code(user, self.secret(user))
        self.steps.timed("code after a typed password", self.typed)
        self.steps.timed("wrong code", self.wrong)

    @staticmethod
    def secret(user):
        """The application's, in base 32."""
        return base64.b32encode(user.encode().ljust(20, b"x")[:20]).decode()

    def put(self, user):
        """The user adds the code to the saved account."""
        uri = f"otpauth://totp/{user}?secret={self.secret(user)}"
        self.stage.call("code.set", service=self.service(), user=user, uri=uri, proof=PROOF)

    def service(self):
        return {"type": "domain", "value": self.application.host}

    def typed(self):
        """A typed password is right where the application asks for a code next; it is saved before the code is known to be right."""
        steps = self.steps
        steps.open(self.sign_in, fresh=True)
        steps.type(self.sign_in.user, self.dan)
        steps.type(self.sign_in.password, OF_DAN)
        steps.send(self.sign_in, "accepted")
        steps.keeps({**steps.kept, self.dan: OF_DAN})
        self.put(self.dan)
        self.fill(self.dan)

    def wrong(self):
        """A wrong code changes nothing in the vault; the code of the account that was filled is the first in the menu."""
        steps = self.steps
        self.put(self.ann)
        steps.sign_in(self.sign_in)
        steps.type(self.form.user, "000000")
        steps.send(self.form, "refused")
        steps.keeps(steps.kept)
        self.fill(self.ann)

    def fill(self, user):
        """Fills the account's code of the menu, which the application accepts."""
        code = lambda: self.stage.call("code.get", service=self.service(), user=user, proof=PROOF)["code"]
        self.steps.focus(self.form.user)
        items = self.stage.await_menu()
        # Before the user has agreed for the site no account of another program is listed; then this is the only one with a code.
        assert items[0] == f"Fill Code | {user}" or user == self.dan and items[0].startswith("Codes for "), items
        possible = [code()]
        self.steps.browser.run(f"(document.querySelector({self.form.user!r}).value = '', 1)")
        self.stage.choose()
        value = self.stage.await_value(self.form.user)
        assert value in (*possible, code()), "another code"
        self.steps.send(self.form, "accepted")
        self.steps.keeps(self.steps.kept)
