# SPDX-License-Identifier: Apache-2.0
"""A site with accounts, which refuses, redirects, answers late, or answers a script: /app/KIND/PAGE of the tests' web server.

Its kinds: `plain` shows a refused form again at the same address; `redirect` at another one; `late` answers after a while; `away` sends the
user to another host then; `between` has another site's sign-in in between; `single` replaces the view by script, with a view in between;
`failing` answers with a failure of the server; `kept` leaves the form and writes an error beside it; `silent` does not show an answer; `noisy`
shows errors of other things to someone who is signed in, and never finishes to load them.
"""
import html
import json
import time
import urllib.parse

KINDS = ("plain", "redirect", "late", "away", "between", "single", "kept")
LINKS = '<p><a id="other" href="/welcome.html">Terms</a> <a href="/welcome.html?saved">Saved items</a></p>'
HOME = '<title>Home</title><h1>Your account</h1><a id="out" href="sign-in">Sign out</a>'
NOISE = '<p class="error">The news: an error occurred</p><p>Loading…</p><a href="/logout">Leave</a>'

FIELDS = {
    "sign-in": ("Sign in", (("user", "User name", "text", "username"), ("password", "Password", "password", "current-password"))),
    "sign-up": ("Create an account", (("user", "User name", "text", "username"), ("new", "New password", "password", "new-password"),
                                      ("again", "Repeat it", "password", "new-password"))),
    "change": ("Change your password", (("old", "Current password", "password", "current-password"), ("new", "New password", "password", "new-password"),
                                        ("again", "Repeat it", "password", "new-password"))),
}

SCRIPT = """
const app = document.getElementById("app"), kind = KIND;
let count = 0;
document.addEventListener("submit", async (event) => {
  event.preventDefault();
  const view = app.firstElementChild, body = new URLSearchParams(new FormData(event.target));
  if (kind === "single") app.innerHTML = "<h1>Wait</h1>";
  const answer = await fetch(location.href, { method: "POST", body, headers: { "X-Script": "1" } });
  const { error } = await answer.json();
  if (kind === "silent") return;
  if (!error) {
    app.innerHTML = "<h1 id='in'>Your account</h1>";
    document.title = "Home";
    return;
  }
  app.replaceChildren(view);
  document.getElementById("message").textContent = error;
  document.title = "Refused " + ++count;
});
"""


def page(kind, name, error="", user=""):
    """A form of the site."""
    heading, fields = FIELDS[name]
    inputs = "".join(
        f'<p><label>{label} <input id="{field}" name="{field}" type="{type}" autocomplete="{purpose}"'
        f'{f""" value="{html.escape(user)}" """ if field == "user" else ""}></label></p>' for field, label, type, purpose in fields)
    script = f"<script>{SCRIPT.replace('KIND', json.dumps(kind))}</script>" if kind in ("single", "kept", "silent") else ""
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{"Refused" if error else heading}</title><div id="app"><div><h1>{heading}</h1>'
            f'<form id="form" method="post"><p id="message">{html.escape(error)}</p>{inputs}<p><button id="go">{heading}</button></p></form></div></div>{LINKS}{script}</html>')


class Accounts:
    """The accounts of the site, and every password that each has had."""

    def __init__(self):
        self.users, self.history, self.delay = {}, {}, 1.5
        # The one who has signed in last: a change of the password is that user's.
        self.current = None

    def put(self, user, password):
        self.users[user] = password
        self.history.setdefault(user, set()).add(password)

    def post(self, name, fields):
        """The error of a form that was sent, or None."""
        user = fields.get("user")
        if name == "sign-in":
            if user not in self.users or self.users[user] != fields["password"]:
                return "The user name or the password is wrong"
        elif fields["new"] != fields["again"] or len(fields["new"]) < 6:
            return "The passwords do not match, or are too short"
        elif name == "sign-up":
            if not user or user in self.users:
                return "A user with that user name already exists"
            self.put(user, fields["new"])
        else:
            user = self.current
            if user is None or self.users[user] != fields["old"]:
                return "The current password is wrong"
            self.put(user, fields["new"])
        self.current = user
        return None

    def answer(self, site, method, path, query, fields, is_script):
        """Status, body and headers of the answer to a request of /app/KIND/PAGE."""
        kind, name = path.split("/")[2:4]
        if name == "home":
            return 200, HOME + (NOISE if kind == "noisy" else ""), ""
        if name == "elsewhere":
            # Another site's sign-in, whose only button leads back.
            return 200, ('<!doctype html><title>Elsewhere</title><form action="' + query["back"] + '"><input id="user" name="user" autocomplete="username">'
                         '<input id="password" type="password" name="p"><button id="go">Sign in</button></form>'), ""
        if method == "GET":
            return 200, page(kind, name, query.get("error", ""), query.get("user", "")), ""
        if kind == "failing":
            return 503, f"<!doctype html><title>Failed</title><h1>Out of order</h1>{LINKS}", ""
        if kind in ("late", "single", "kept"):
            time.sleep(self.delay)
        error = self.post(name, fields)
        if is_script:
            return (200 if not error else 422), json.dumps({"error": error}), ""
        if error and kind == "redirect":
            return 303, "", f"Location={name}?{urllib.parse.urlencode({'error': error})}"
        if error:
            return 200, page(kind, name, error, fields.get("user", "")), ""
        if kind == "away":
            return 303, "", f"Location={site.url('welcome.html', host='pay.example.net')}"
        if kind == "between":
            back = urllib.parse.quote(site.url(f"app/{kind}/home"), safe="")
            return 303, "", f"Location={site.url(f'app/{kind}/elsewhere', host='pay.example.net')}?back={back}"
        return 303, "", "Location=home"
