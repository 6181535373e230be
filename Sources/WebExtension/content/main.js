// SPDX-License-Identifier: Apache-2.0
/** The content script: one for each document, including frames. It is idle until a text field gets the focus. */
"use strict";

const Autofill = {
  /** @type {chrome.runtime.Port | null} */
  port: null,
  number: 0,
  /** @type {Overlay | null} */
  overlay: null,
  /** The subject of the last answer.
   * @type {{number: number, field: HTMLInputElement, form: Element, token?: string, isQuiet?: boolean, wasOpen?: boolean, isTyped?: boolean,
   *   emptyAt?: number} | null} */
  current: null,
  /** Whether the next answer's menu is opened although it would not open by itself. */
  openNext: false,
  /** Whether the user wants to enter the menu by keyboard. */
  wantsFocus: false,
  /** The field in which the user has pressed the arrow key, and done nothing else since, before its answer has come.
   * @type {HTMLInputElement | null} */
  early: null,
  /** The strong passwords that were filled here.
   * @type {Set<string>} */
  strong: new Set(),
  /** Tries a field again that could not be filled when it got the focus.
   * @type {ReturnType<typeof setTimeout> | undefined} */
  retry: undefined,
  /** When the user last typed. */
  typedAt: -Infinity,
  watch: new Watch((description, sending) => Autofill.submitted(description, sending), () => Autofill.acted()),

  send(message) {
    if (!this.port) {
      try {
        this.port = chrome.runtime.connect({ name: "page" });
      } catch {
        // The extension was updated or removed: this script belongs to the former one.
        return;
      }
      const { port } = this;
      port.onMessage.addListener((message) => this.receive(message));
      port.onDisconnect.addListener(() => {
        if (this.port !== port) return;
        this.port = null;
        this.dismiss();
      });
    }
    this.port.postMessage(message);
  },

  /** The document is shown again from the browser's cache. What it was connected to may have been cut off meanwhile, which Chromium reports to
   * the background only. */
  connectAgain() {
    this.port?.disconnect();
    this.port = null;
    this.dismiss();
    dropSpare();
  },

  /** A field has got the focus, or a command is for it.
   * @param {HTMLInputElement} field @param {boolean} [isAgain] @param {string} [command] @param {boolean} [isRetry] */
  focus(field, isAgain = false, command = undefined, isRetry = false) {
    if (!isAgain && this.current?.field === field && this.overlay && !this.overlay.isGone) return clearTimeout(this.retry);
    this.dismiss();
    if (field.disabled || field.readOnly || !isSeen(field)) {
      if (!isRetry) this.focusLater(field, command);
      return;
    }
    const form = formOf(field);
    const number = ++this.number;
    this.current = { number, field, form };
    // The page has removed the strong password, as after a form that it has accepted.
    const isEmptied = marked.has(field) && field.value === "";
    if (isEmptied) unmark(field);
    const token = nextMenu(field);
    this.send({
      type: "focus", number, token, focus: fieldName(field), form: describeForm(form, field, false), command, isApart: isApart(),
      isEmptied, isRightToLeft: getComputedStyle(field).direction === "rtl",
    });
    // All else while the daemon is asked.
    startMenu(token, field);
    // A password field that comes later, or is replaced, changes what can be filled.
    const count = visiblePasswords().length;
    this.observing?.disconnect();
    this.observing = onChange((observer) => {
      if (this.current?.number !== number) return observer.disconnect();
      if (visiblePasswords(true).length === count) return;
      observer.disconnect();
      if (this.overlay && !this.overlay.isGone) this.refresh();
      else if (field.matches(":focus")) this.focus(field, true);
    });
  },

  /** Whether a click in a field with the focus asks again: not while the answer is awaited, and not soon after an empty one.
   * @param {HTMLInputElement} field */
  mayAsk(field) {
    if (this.overlay || this.current?.field !== field) return true;
    return this.current.emptyAt !== undefined && performance.now() - this.current.emptyAt >= emptyPause;
  },

  /** Some dialogs get the focus before they are drawn, and some scripts make a field writable after it: each field is tried once more.
   * @param {HTMLInputElement} field @param {string} [command] */
  focusLater(field, command) {
    const since = performance.now();
    this.retry = setTimeout(() => {
      if (!field.matches(":focus")) return;
      this.focus(field, true, command, true);
      if (this.current && this.typedAt >= since) this.current.isTyped = true;
    }, 300);
  },

  dismiss() {
    clearTimeout(this.retry);
    [this.openNext, this.wantsFocus] = [false, false];
    this.overlay?.remove();
    this.overlay = null;
    const token = this.current?.token;
    if (token) {
      this.port?.postMessage({ type: "closed", token });
      dropMenu(token);
    }
    this.current = null;
  },

  receive(message) {
    switch (message.type) {
      case "menu": return this.offer(message);
      case "console": {
        // Once each, for the page's developers.
        for (const text of message.details) if (!logged.has(text)) console.info(text);
        return message.details.forEach((text) => logged.add(text));
      }
      case "height":
        this.overlay?.height(message.height);
        prepareSoon(); // for the next field
        if (this.wantsFocus) this.enter();
        return;
      case "close": return this.closeMenu(message.refocus);
      case "fill": return this.fill(message);
      case "clear": return this.clear();
      case "describe": return this.send({ type: "described", form: this.describeAgain() });
      case "unobscured?": return this.send({ type: "unobscured", answer: this.overlay?.wasUnobscured() ?? "no" });
      case "refocus": return Focus.restore();
      case "open": return this.open();
      case "changed": return this.refresh();
      case "again":
      case "unlocked": {
        const field = this.current?.field;
        if (field && (message.type === "again" || this.overlay)) this.focus(field, true);
      }
    }
  },

  /** Shows the offer for the field with the focus. */
  offer({ number, token, count, isQuiet, isManual, isAsked, isOff, formKind }) {
    const current = this.current;
    if (!current || current.number !== number) return;
    const isEarly = this.early === current.field && current.field.matches(":focus");
    this.early = null;
    if (formKind !== "other") this.watch.follow(current.form);
    if (count === 0 || !current.field.isConnected) {
      // Each change of such a page would cost a search of all of it, for nothing: what comes later is found at the next focus.
      const mayCome = formKind !== "other" || allRoots().some((root) => root.querySelector("input[type=password]"));
      if (isOff || count === 0 && !mayCome) this.observing?.disconnect();
      if (count === 0) current.emptyAt = performance.now();
      return;
    }
    current.token = token;
    current.isQuiet = isQuiet || isManual;
    this.overlay = new Overlay(current.field, { onMark: () => this.toggle(), onMoved: () => this.send({ type: "moved" }), onGone: () => this.followField() });
    // The menu does not open by itself for reasons alone, beside a chosen strong password, after the first key, or where the user wants none.
    const mustOpen = isAsked || isEarly || this.openNext === true;
    this.openNext = false;
    if (isAsked || isEarly) this.wantsFocus = true;
    if (mustOpen || !current.isQuiet && !current.isTyped && !marked.has(current.field)) {
      current.wasOpen = true;
      this.open();
    }
    if (isEarly) this.enter();
    if (marked.has(current.field)) this.overlay.markStrong();
    this.overlay.announce(isQuiet ? say("announceQuiet") : say("announceCount", String(count)));
  },

  open() {
    const { overlay, current } = this;
    if (!overlay || !current?.token) return;
    overlay.open(current.token);
    this.send({ type: "opened", token: current.token });
    // A page may block foreign frames: then the toolbar shows the menu.
    setTimeout(() => {
      if (this.overlay === overlay && overlay.isOpen && !overlay.isLoaded) this.send({ type: "blocked" });
    }, 3000);
  },

  /** The menu's items are out of date. */
  refresh() {
    const { overlay, current } = this;
    if (!overlay || overlay.isGone || !current) return;
    const [isOpen, isIn] = [overlay.isOpen, focusedElement() === overlay.menu?.host];
    this.focus(current.field, true);
    [this.openNext, this.wantsFocus] = [isOpen, isIn];
  },

  /** Whether the answer for a field is awaited.
   * @param {HTMLInputElement | null} field */
  isAwaited(field) {
    const { current } = this;
    return current !== null && current.field === field && current.token === undefined && current.emptyAt === undefined;
  },

  /** Enters the menu: at once, or when its page is loaded. */
  enter() {
    const { frame, isLoaded } = this.overlay ?? {};
    if (!frame) return;
    frame.focus();
    this.send({ type: "enter" });
    if (isLoaded) this.wantsFocus = false;
  },

  toggle() {
    if (this.overlay?.isOpen) return this.closeMenu(true);
    // A menu's name is valid for one page: another page needs another name.
    const field = this.current?.field;
    if (!field || !this.current) return;
    if (this.current.wasOpen) {
      this.focus(field, true);
      this.openNext = true;
      return;
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

  /** The form of the current field as it is now; the field may have been replaced. */
  describeAgain() {
    const { current } = this;
    if (!current) return null;
    this.followField();
    return describeForm(current.form, current.field, false);
  },

  /** The current field, or the one that has replaced it.
   * @returns {HTMLInputElement | null} */
  followField() {
    const { current } = this;
    if (!current) return null;
    const { field, form } = current;
    if (!field.isConnected) {
      const same = fieldsOf(form.isConnected ? form : document.documentElement)
        .find(({ id, name, type }) => id === field.id && name === field.name && type === field.type);
      if (!same) return null;
      current.field = same;
    }
    current.form = formOf(current.field);
    return current.field;
  },

  fill({ values, strong, isMore }) {
    if (isMore) return void fillFields(values.filter(({ field }) => !autofillNames.byName.get(field)?.deref()?.value));
    const current = this.current;
    this.overlay?.remove();
    this.overlay = null;
    const filled = fillFields(values);
    if (current) {
      this.watch.follow(current.form);
      current.field.focus();
      if (!strong && filled.length > 0 && !filled.some(({ type }) => type === "password")) this.awaitPassword();
    }
    if (strong) for (const field of filled) markStrong(field);
    if (strong) for (const { value } of values) this.strong.add(value);
    this.current = null;
    clearTimeout(this.retry);
    // Show the mark of the strong password, and the other items.
    if (strong && current && marked.has(current.field)) this.focus(current.field, true);
  },

  /** A user name was filled: waits a minute for the password field of the same sign-in. */
  awaitPassword() {
    this.awaiting?.disconnect();
    const until = performance.now() + 60_000;
    this.awaiting = onChange((observer) => {
      if (performance.now() > until) return observer.disconnect();
      const field = visiblePasswords().find(({ value, disabled }) => !value && !disabled);
      if (!field || !isSeen(field)) return;
      observer.disconnect();
      this.send({ type: "appeared", form: describeForm(formOf(field), field, false) });
    });
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

  /** The user has clicked something other than a form's button. */
  acted() {
    const report = Outcome.sending ? undefined : Outcome.reportLeft();
    if (Outcome.sending || report) this.send({ type: "acted", report });
  },

  /** The document is left, for whatever cause. */
  ended() {
    const report = Outcome.sending ? Outcome.report(Outcome.sending.id) : Outcome.reportLeft();
    if (report) this.send({ type: "ended", report });
  },

  /** @param {{fields: {id?: string, value?: string}[]}} description @param {Sending} sending */
  submitted(description, sending) {
    const isStrong = description.fields.some((field) => isOfStrong(field, this.strong));
    this.send({ type: "submitted", form: description, sending: Outcome.begin(sending), isStrong, isApart: isApart() });
    this.dismiss();
  },
};

/** How long, in milliseconds, clicks in a field for which there was nothing do not ask again. */
const emptyPause = 5000;

/** Calls a function after changes of the document, at most every 100 ms.
 * @param {(observer: MutationObserver) => void} act */
function onChange(act) {
  let isWaiting = false;
  const observer = new MutationObserver(() => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      act(observer);
    }, 100);
  });
  for (const root of allRoots()) observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "style", "hidden", "type"] });
  return observer;
}

/** The password fields that are drawn.
 * @param {boolean} [isFrequent] whether it is asked after each change */
function visiblePasswords(isFrequent = false) {
  return allRoots(isFrequent).flatMap((root) => /** @type {HTMLInputElement[]} */ ([...root.querySelectorAll("input[type=password]")])).filter(isDrawn);
}

/** What was written to the console.
 * @type {Set<string>} */
const logged = new Set();

/** Whether this document must not learn the user's identity: it is a fenced or a credentialless frame. */
function isApart() {
  return window.credentialless === true || Boolean(window.fence) || undefined;
}

/** The field that a command is for: the one with the focus; without a focus, the first of the page's first form with a password. */
function fieldOfCommand() {
  const focused = focusedField();
  if (focused || window !== window.top || document.activeElement && document.activeElement !== document.body) return focused;
  const all = fieldsOf(document.documentElement).concat([...document.forms].flatMap(fieldsOf));
  const password = all.find((field) => field.type === "password" && isSeen(field));
  return (password && fieldsOf(formOf(password)).find(isSeen)) ?? null;
}

/** The page's rules for a new password, as it declares them. */
function rulesOfPage() {
  const all = fieldsOf(document.documentElement).concat([...document.forms].flatMap(fieldsOf)).filter(({ type }) => type === "password");
  const isNew = (field) => field.hasAttribute("passwordrules") || /(^|\s)new-password(\s|$)/.test(field.autocomplete);
  const field = all.find((field) => isNew(field) && isSeen(field));
  if (!field) return {};
  const { passwordRules, minlength, maxlength, pattern } = describeField(field, false);
  return { passwordRules, minlength, maxlength, pattern };
}

// From this extension only: no page and no other extension can send here.
chrome.runtime.onMessage.addListener((message, sender, respond) => {
  if (sender.id !== chrome.runtime.id) return;
  if (message.type === "rules") return respond(rulesOfPage());
  if (message.type === "isFree") return respond({ isFree: Focus.isFree(Number(message.since)) });
  if (/^bar/.test(message.type)) return void (window === window.top && respond(Bar.receive(message) ?? null));
  if (message.type === "outcome") return respond(Outcome.report(String(message.id)));
  if (message.type !== "command" || message.isForAll && !document.hasFocus()) return;
  const field = fieldOfCommand();
  if (!field) return;
  if (!field.matches(":focus")) field.focus();
  Autofill.focus(field, true, message.name);
});

/** The field of an event, in any shadow tree.
 * @param {Event} event */
function fieldOf(event) {
  const target = event.composedPath()[0];
  const field = target instanceof HTMLInputElement ? target : focusedField();
  return field && isText(field) ? field : null;
}

/** Whether a click is on an element. Where that is in a closed shadow tree, the event names an element around it.
 * @param {MouseEvent} event @param {Element} element */
function isOn(event, element) {
  const target = /** @type {Element} */ (event.composedPath()[0]);
  return target === element || shadowOf(target) !== null && hitAt(document, event.clientX, event.clientY, element) === element;
}

/** The shadow trees that are listened to, and the events that were handled in one of them or in the document.
 * @type {{trees: WeakSet<ShadowRoot>, events: WeakSet<Event>}} */
const followed = { trees: new WeakSet(), events: new WeakSet() };

/** Listens to each shadow tree around the element with the focus: where the focus moves inside one, no event leaves it. */
function followFocus() {
  for (let root = shadowOf(document.activeElement); root; root = shadowOf(root.activeElement)) {
    if (followed.trees.has(root)) continue;
    followed.trees.add(root);
    root.addEventListener("focusin", focused, true);
  }
}

/** @param {Event} event */
function focused(event) {
  if (!event.isTrusted || followed.events.has(event)) return;
  followed.events.add(event);
  followFocus();
  const field = fieldOf(event);
  if (field) Autofill.focus(field);
  else if (Autofill.overlay && ![Autofill.overlay.menu?.host, Autofill.overlay.mark.host].includes(/** @type {any} */ (focusedElement()))) Autofill.dismiss();
}
document.addEventListener("focusin", focused, true);

document.addEventListener("keydown", (event) => {
  if (!event.isTrusted) return;
  const { overlay } = Autofill, isArrow = event.key === "ArrowDown" && !event.isComposing && !event.altKey && !event.ctrlKey && !event.metaKey;
  Autofill.early = null;
  if (!overlay || overlay.isGone) {
    // The page gets the key too: there may be nothing to offer.
    const field = isArrow ? focusedField() : null;
    if (Autofill.isAwaited(field)) Autofill.early = field;
    return;
  }
  if (event.key === "Escape" && overlay.isOpen) {
    event.stopPropagation();
    event.preventDefault();
    Autofill.closeMenu(false);
  } else if (isArrow) {
    event.stopPropagation();
    event.preventDefault();
    if (!overlay.isOpen) Autofill.toggle();
    Autofill.wantsFocus = true;
    if (overlay.isOpen) Autofill.enter();
  }
}, true);

// Typing closes the menu, since it may cover the page; the mark and the arrow key open it again.
document.addEventListener("input", (event) => {
  if (!event.isTrusted) return;
  Autofill.typedAt = performance.now();
  Autofill.early = null;
  if (Autofill.current) Autofill.current.isTyped = true;
  if (Autofill.overlay?.isOpen) Autofill.closeMenu(false);
}, true);

document.addEventListener("mousedown", (event) => {
  const { overlay, current } = Autofill;
  if (!event.isTrusted) return;
  Autofill.early = null;
  if (!overlay || overlay.isGone) {
    // It has the focus already, as after it was filled: no other event comes.
    const field = focusedField();
    if (field && event.button === 0 && isOn(event, field) && Autofill.mayAsk(field)) Autofill.focus(field, true);
    return;
  }
  if (isOn(event, overlay.mark.host) || overlay.menu && isOn(event, overlay.menu.host)) return;
  if (current && isOn(event, current.field)) {
    if (!overlay.isOpen && !current.isQuiet) Autofill.toggle();
    return;
  }
  overlay.close();
}, true);

/** Handles a field that got the focus before this script was loaded. */
function checkFocus() {
  followFocus();
  const field = focusedField();
  if (field && document.hasFocus()) Autofill.focus(field);
}
addEventListener("pagehide", () => Autofill.ended());
addEventListener("pageshow", (event) => { if (event.persisted) Autofill.connectAgain(); });
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", checkFocus, { once: true });
else checkFocus();
