// SPDX-License-Identifier: Apache-2.0
/** The content script: one for each document, its frames too. It does nothing until a text field has the focus. */
"use strict";

const Autofill = {
  /** @type {chrome.runtime.Port | null} */
  port: null,
  number: 0,
  /** @type {Overlay | null} */
  overlay: null,
  /** What the last answer was about.
   * @type {{number: number, field: HTMLInputElement, form: Element, token?: string, isQuiet?: boolean, wasOpen?: boolean, isTyped?: boolean} | null} */
  current: null,
  /** Whether the next answer's menu is opened though it would not be by itself. */
  openNext: false,
  /** Whether the person wants to go into the menu by keyboard. */
  wantsFocus: false,
  watch: new Watch((description, form) => Autofill.submitted(description, form)),

  say(message) {
    if (!this.port) {
      try {
        this.port = chrome.runtime.connect({ name: "page" });
      } catch {
        // The extension was updated or removed: this script is of the one before.
        return;
      }
      this.port.onMessage.addListener((message) => this.hear(message));
      this.port.onDisconnect.addListener(() => {
        this.port = null;
        this.dismiss();
      });
    }
    this.port.postMessage(message);
  },

  /** A field has got the focus, or a command is for it.
   * @param {HTMLInputElement} field @param {boolean} [isAgain] @param {string} [command] */
  focus(field, isAgain = false, command = undefined) {
    if (!isAgain && this.current?.field === field && this.overlay && !this.overlay.isGone) return;
    this.dismiss();
    if (field.disabled || field.readOnly || !isSeen(field)) return;
    const form = formOf(field);
    const number = ++this.number;
    this.current = { number, field, form };
    this.say({
      type: "focus", number, token: nextMenu(), focus: fieldName(field), form: describeForm(form, field, false), command, isApart: isApart(),
    });
  },

  dismiss() {
    this.wantsFocus = false;
    this.overlay?.remove();
    this.overlay = null;
    const token = this.current?.token;
    if (token) {
      this.port?.postMessage({ type: "closed", token });
      dropMenu(token);
    }
    this.current = null;
  },

  hear(message) {
    switch (message.type) {
      case "menu": return this.offer(message);
      case "height":
        this.overlay?.height(message.height);
        prepareSoon(); // for the field that comes after this one
        if (this.wantsFocus) this.enter();
        return;
      case "close": return this.closeMenu(message.refocus);
      case "fill": return this.fill(message);
      case "clear": return this.clear();
      case "stood?": return this.say({ type: "stood", answer: this.overlay?.stood() ?? "no" });
      case "open": return this.open();
      case "changed": return this.refresh();
      case "again":
      case "unlocked": {
        const field = this.current?.field;
        if (field && (message.type === "again" || this.overlay)) this.focus(field, true);
      }
    }
  },

  /** What there is for the field with the focus. */
  offer({ number, token, count, isQuiet, isAsked, formKind }) {
    const current = this.current;
    if (!current || current.number !== number) return;
    if (formKind !== "other") this.watch.follow(current.form);
    if (count === 0 || !current.field.isConnected) return;
    current.token = token;
    current.isQuiet = isQuiet;
    this.overlay = new Overlay(current.field, { onMark: () => this.toggle(), onMoved: () => this.say({ type: "moved" }) });
    if (marked.has(current.field)) {
      this.overlay.button.textContent = "Strong Password";
      dress(this.overlay.button, strongStyle);
    }
    // Reasons alone wait until somebody asks, and so does what is on offer beside a password that was chosen, or comes after the first key.
    const mustOpen = isAsked || this.openNext === true;
    this.openNext = false;
    if (isAsked) this.wantsFocus = true;
    if (mustOpen || !isQuiet && !current.isTyped && !marked.has(current.field)) {
      current.wasOpen = true;
      this.open();
    }
  },

  open() {
    const { overlay, current } = this;
    if (!overlay || !current?.token) return;
    overlay.open(current.token);
    this.say({ type: "opened", token: current.token });
    // A page may keep foreign frames out altogether: then the toolbar has the menu.
    setTimeout(() => {
      if (this.overlay === overlay && overlay.isOpen && overlay.frame?.style.height === "44px") this.say({ type: "blocked" });
    }, 3000);
  },

  /** What the menu shows is out of date. */
  refresh() {
    const { overlay, current } = this;
    if (!overlay || overlay.isGone || !current) return;
    const [isOpen, isIn] = [overlay.isOpen, document.activeElement === overlay.menu?.host];
    this.focus(current.field, true);
    [this.openNext, this.wantsFocus] = [isOpen, isIn];
  },

  /** Goes into the menu: at once, or when its page has come. */
  enter() {
    const { frame } = this.overlay ?? {};
    if (!frame) return;
    frame.focus();
    this.say({ type: "enter" });
    if (frame.style.height !== "44px") this.wantsFocus = false;
  },

  toggle() {
    if (this.overlay?.isOpen) return this.closeMenu(true);
    // A menu's name is good for one page: another one has another.
    const field = this.current?.field;
    if (!field || !this.current) return;
    if (this.current.wasOpen) {
      this.openNext = true;
      return this.focus(field, true);
    }
    this.current.wasOpen = true;
    this.open();
  },

  closeMenu(refocus) {
    this.wantsFocus = false;
    this.overlay?.close();
    if (this.current) this.current.wasOpen = true;
    if (refocus) this.current?.field.focus();
  },

  fill({ values, strong }) {
    const current = this.current;
    this.overlay?.remove();
    this.overlay = null;
    const fields = fillFields(values);
    if (current) {
      this.watch.follow(current.form);
      current.field.focus();
    }
    if (strong) for (const field of fields) markStrong(field);
    this.current = null;
    // The field says what stands in it, and what else there is.
    if (strong && current && marked.has(current.field)) this.focus(current.field, true);
  },

  clear() {
    const current = this.current;
    this.overlay?.remove();
    this.overlay = null;
    this.current = null;
    if (!current) return;
    for (const field of fieldsOf(current.form)) {
      if (!marked.has(field)) continue;
      unmark(field);
      fillField(field, "");
    }
    current.field.focus();
  },

  submitted(description) {
    this.say({ type: "submitted", form: description, isApart: isApart() });
    this.dismiss();
  },
};

/** Whether this document is one that must not know who the person is: a fenced or a credentialless frame. */
function isApart() {
  return window.credentialless === true || Boolean(window.fence) || undefined;
}

/** The field that a command is for: the one with the focus; in a page without any, the first of its first form with a password. */
function fieldOfCommand() {
  const focused = focusedField();
  if (focused || window !== window.top || document.activeElement && document.activeElement !== document.body) return focused;
  const all = fieldsOf(document.documentElement).concat([...document.forms].flatMap(fieldsOf));
  const password = all.find((field) => field.type === "password" && isSeen(field));
  return (password && fieldsOf(formOf(password)).find(isSeen)) ?? null;
}

/** What the page asks of a new password, in its own words. */
function rulesOfPage() {
  const all = fieldsOf(document.documentElement).concat([...document.forms].flatMap(fieldsOf)).filter(({ type }) => type === "password");
  const isNew = (field) => field.hasAttribute("passwordrules") || /(^|\s)new-password(\s|$)/.test(field.autocomplete);
  const field = all.find((field) => isNew(field) && isSeen(field));
  if (!field) return {};
  const { passwordRules, minlength, maxlength, pattern } = describeField(field, false);
  return { passwordRules, minlength, maxlength, pattern };
}

// Of this extension alone: no page and no other extension can send here.
chrome.runtime.onMessage.addListener((message, sender, respond) => {
  if (sender.id !== chrome.runtime.id) return;
  if (message.type === "rules") return respond(rulesOfPage());
  if (message.type !== "command" || message.isForAll && !document.hasFocus()) return;
  const field = fieldOfCommand();
  if (!field) return;
  if (!field.matches(":focus")) field.focus();
  Autofill.focus(field, true, message.name);
});

/** Of an event, the field in whatever shadow tree.
 * @param {Event} event */
function fieldOf(event) {
  const target = event.composedPath()[0];
  const field = target instanceof HTMLInputElement ? target : focusedField();
  return field && isText(field) ? field : null;
}

document.addEventListener("focusin", (event) => {
  if (!event.isTrusted) return;
  const field = fieldOf(event);
  if (field) Autofill.focus(field);
  else if (Autofill.overlay && event.target !== Autofill.overlay.menu?.host && event.target !== Autofill.overlay.mark.host) Autofill.dismiss();
}, true);

document.addEventListener("keydown", (event) => {
  const { overlay } = Autofill;
  if (!event.isTrusted || !overlay || overlay.isGone) return;
  if (event.key === "Escape" && overlay.isOpen) {
    event.stopPropagation();
    event.preventDefault();
    Autofill.closeMenu(false);
  } else if (event.key === "ArrowDown" && !event.altKey && !event.ctrlKey && !event.metaKey) {
    event.stopPropagation();
    event.preventDefault();
    Autofill.wantsFocus = true;
    if (overlay.isOpen) Autofill.enter();
    else Autofill.toggle();
  }
}, true);

// Who types wants to see what is beside the field; the mark and the arrow key bring the menu back.
document.addEventListener("input", (event) => {
  if (!event.isTrusted) return;
  if (Autofill.current) Autofill.current.isTyped = true;
  if (Autofill.overlay?.isOpen) Autofill.closeMenu(false);
}, true);

document.addEventListener("mousedown", (event) => {
  const { overlay } = Autofill;
  if (!event.isTrusted || !overlay) return;
  const path = event.composedPath();
  if (path.includes(overlay.mark.host) || overlay.menu && path.includes(overlay.menu.host)) return;
  if (path[0] === Autofill.current?.field) {
    if (!overlay.isOpen && !Autofill.current?.isQuiet) Autofill.toggle();
    return;
  }
  overlay.close();
}, true);

/** A field may have the focus before this script is there. */
function lookOnce() {
  const field = focusedField();
  if (field && document.hasFocus()) Autofill.focus(field);
}
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", lookOnce, { once: true });
else lookOnce();
