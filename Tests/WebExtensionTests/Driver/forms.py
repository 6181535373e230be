# SPDX-License-Identifier: Apache-2.0
"""Real forms, rebuilt as pages mechanically: the filled fields are those of the daemon's classification, and no other field changes."""
import html
import json
import os
import pathlib
import socket
import time

from stage import PROOF

BESIDE = pathlib.Path(__file__).resolve().parents[4] / "shared/fixtures/forms/forms.jsonl"
FORMS = pathlib.Path(os.environ.get("AUTOFILL_FORMS", BESIDE))
USER, PASSWORD = "ann@example.com", "correct horse"


def page(form):
    """A form's page: each field with its recorded attributes, in its order."""
    rows = []
    for field in form["fields"]:
        attributes = {
            "id": field["id"], "name": field.get("name"), "type": field.get("type") or ("password" if field.get("secure") else "text"),
            "autocomplete": field.get("autocomplete"), "placeholder": field.get("placeholder"), "pattern": field.get("pattern"),
            "minlength": field.get("minlength"), "maxlength": field.get("maxlength"), "passwordrules": field.get("passwordRules"),
            "value": field.get("value"), "hidden": "" if field.get("hidden") else None,
        }
        text = " ".join(f'{name}="{html.escape(str(value))}"' for name, value in attributes.items() if value is not None)
        label = html.escape(field.get("label") or "")
        kind = "select" if attributes["type"].startswith("select") else attributes["type"]
        element = f"<{kind} {text}></{kind}>" if kind in ("textarea", "select") else f"<input {text}>"
        rows.append(f'<p>{f"""<label for="{html.escape(field["id"])}">{label}</label> """ if label else ""}{element}</p>')
    heading = f"<h1>{html.escape(form['heading'])}</h1>" if form.get("heading") else ""
    buttons = "".join(f"<button>{html.escape(label)}</button>" for label in form.get("submitLabels") or [])
    action = f' action="{html.escape(form["action"])}"' if form.get("action") else ""
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><body>{heading}<form method="post"{action}>'
            f'{"".join(rows)}{buttons}</form></body></html>')


class Reader:
    """The daemon's classification of a form, requested without a browser."""

    def __init__(self, stage):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(stage.socket_path)
        self.lines = connection.makefile("rw", encoding="utf-8")
        self.call("hello", bundleID="autofilld.browser", protocol={"min": 1, "max": 1})
        self.service = {"type": "origin", "value": stage.site.url("").rstrip("/")}

    def call(self, method, **params):
        self.lines.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
        self.lines.flush()
        answer = json.loads(self.lines.readline())
        assert "result" in answer, answer
        return answer["result"]

    def fills(self, form):
        """The form's kind, the fields that would be filled, and with what: a strong password or an account."""
        described = {name: form[name] for name in ("fields", "heading", "submitLabels", "action") if form.get(name)}
        answer = self.call("autofill.suggest", service=self.service, form=described)
        suggestions = {suggestion["type"]: suggestion for suggestion in answer["suggestions"]}
        if strong := suggestions.get("strongPassword"):
            self.call("autofill.decline", offer=strong["offer"])
            return "strong", set(strong["fields"])
        if "savedCredentials" in suggestions and answer["formKind"] == "signIn":
            filled = self.call("autofill.fill", service=self.service, form={"fields": form["fields"]})
            return "account", {value["field"] for value in filled["values"]}
        return None, set()


def fill_forms(stage, step):
    """Fills each `step`th form from its first field that is filled. Returns how many were, and the differences from what was expected."""
    stage.start()
    stage.save(USER, PASSWORD)
    grant(stage)
    reader = Reader(stage)
    filled, mistakes = 0, []
    with open(FORMS, encoding="utf-8") as lines:
        forms = [json.loads(line) for line in lines][::step]
    for form in forms:
        kind, expected = reader.fills(form)
        fields = {field["id"]: field for field in form["fields"]}
        # A page without a filled field is not used, and two fields of one name cannot be distinguished.
        if not expected or len(fields) < len(form["fields"]):
            continue
        stage.site.extra["form.html"] = page(form)
        stage.open("form.html")
        before = values(stage)
        first = next(name for name in fields if name in expected)
        stage.browser.run(f"document.getElementById({json.dumps(first)}).focus() ?? 1")
        if not choose(stage, kind):
            mistakes.append((form["source"], kind, "no such item"))
            continue
        filled += 1
        after = settled(stage, before)
        changed = {name for name in after if after[name] != before.get(name)}
        if changed != expected:
            mistakes.append((form["source"], kind, sorted(changed ^ expected)))
        if kind == "strong":
            for offer in stage.offers("pending"):
                stage.call("autofill.decline", offer=offer["offer"], proof=PROOF)
    return filled, mistakes


def grant(stage):
    """The user has allowed the site before."""
    stage.open("sign-in.html")
    stage.browser.click("#user")
    stage.choose()
    stage.await_value("#password", PASSWORD)


def values(stage):
    return stage.browser.run("Object.fromEntries([...document.querySelectorAll('input, textarea')].map((i) => [i.id, i.value]))")


def settled(stage, before):
    """The values, when the fill is complete."""
    deadline = time.monotonic() + 3
    while (now := values(stage)) == before and time.monotonic() < deadline:
        time.sleep(0.02)
    return now


def choose(stage, kind):
    """Chooses the first item of a kind, through the menu's page; again where the menu asks to wait."""
    try:
        stage.await_menu(2)
    except AssertionError:
        return False
    for _ in range(5):
        stage.await_clickable()
        is_there = stage.browser.run(
            f"((i) => i >= 0 && (showStatus(''), port.postMessage({{ type: 'choose', index: i, isSure: true }}), true))"
            f"(items.findIndex((item) => item.type === {kind!r}))", stage.menu())
        if not is_there or not stage.asks_to_wait():
            return is_there
    raise AssertionError("the menu asks to wait each time")
