// SPDX-License-Identifier: Apache-2.0
/**
 * Detects when a form was sent to its site: by its submit event, or, in a page that sends it by script, by the changes after a click or
 * Enter.
 */
"use strict";

/** How long after a click or Enter a form that disappears counts as sent, in milliseconds. */
const patience = 10_000;

class Watch {
  /** @param {(description: object, sending: Sending) => void} onSubmitted @param {() => void} onActed */
  constructor(onSubmitted, onActed) {
    this.onSubmitted = onSubmitted;
    this.onActed = onActed;
    /** Forms that the daemon classified as forms for credentials, or that have a password.
     * @type {Map<Element, HTMLInputElement[]>} */
    this.forms = new Map();
    /** @type {{at: number, form: Element, description: any, sending: Sending} | null} */
    this.attempt = null;
    this.sent = "";
    this.observer = new MutationObserver(() => this.check());
    /** @type {WeakSet<Node>} */
    this.roots = new WeakSet();
    this.listen(document);
    addEventListener("pagehide", () => this.conclude());
    addEventListener("popstate", () => this.check());
  }

  /** Watches a form from now on.
   * @param {Element} form */
  follow(form) {
    const fields = fieldsOf(form);
    const isNew = !this.forms.has(form);
    this.forms.set(form, fields);
    for (const field of fields) {
      const root = field.getRootNode();
      if (!this.roots.has(root)) this.listen(root);
    }
    if (isNew && this.forms.size === 1) {
      this.observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "style", "hidden"] });
    }
  }

  /** Events of a form inside a shadow tree do not leave it.
   * @param {Node} root */
  listen(root) {
    this.roots.add(root);
    if (root !== document) this.observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "style", "hidden"] });
    root.addEventListener("submit", (event) => {
      if (event.target instanceof HTMLFormElement) this.submit(event.target, event);
    }, true);
    root.addEventListener("click", (event) => event.isTrusted && this.mayBeSent(event), true);
    root.addEventListener("keydown", (event) => {
      if (event.isTrusted && /** @type {KeyboardEvent} */ (event).key === "Enter") this.mayBeSent(event);
    }, true);
  }

  /** @param {HTMLFormElement} form @param {Event} event */
  submit(form, event) {
    if (!this.isWorth(form)) return;
    const description = describeForm(form, null, true);
    this.attempt = null;
    const sending = Outcome.prepare(form);
    this.send(description, sending);
    // The browser itself sends it where no script prevents that: the answer is another document.
    setTimeout(() => (sending.isNative = !event.defaultPrevented && form.method !== "dialog" && ["", "_self", "_top"].includes(form.getAttribute("target") ?? "")));
  }

  /** Whether a form has a password, or was classified as a form for credentials.
   * @param {Element} form */
  isWorth(form) {
    return this.forms.has(form) || fieldsOf(form).some((field) => field.type === "password");
  }

  /** A click on a button, or Enter in a field: the present values are those that are sent, if the form is sent.
   * @param {Event} event */
  mayBeSent(event) {
    const target = event.composedPath()[0];
    if (!(target instanceof Element)) return;
    const isField = target instanceof HTMLInputElement && isText(target);
    if (isField && event.type === "click") return;
    // The form that contains it, or else the last one in use: a button may be outside.
    const own = formOf(target);
    const form = this.forms.has(own) ? own : [...this.forms.keys()].at(-1);
    const sends = form !== undefined && (isField ? own === form : isSender(target, form));
    if (!sends || Outcome.sending && Outcome.sending.form !== form) this.act(target);
    if (!sends) return;
    const description = describeForm(form, null, true);
    if (!description.fields.some(({ value }) => value)) return;
    this.attempt = { at: performance.now(), form, description, sending: Outcome.prepare(form) };
    setTimeout(() => this.check(), 50);
  }

  /** The user has done something else: what becomes of a form after that may not be the site's answer.
   * @param {Element} target */
  act(target) {
    if (controlOf(target)) {
      this.attempt = null;
      Outcome.actedAt = Date.now();
      this.onActed();
    }
  }

  /** Checks whether the form of the last attempt was sent: its fields are removed or hidden, or the page has another address. */
  check() {
    if (this.timer) return;
    this.timer = requestAnimationFrame(() => {
      this.timer = 0;
      const attempt = this.attempt;
      if (!attempt) return;
      if (performance.now() - attempt.at > patience) return (this.attempt = null);
      const fields = this.forms.get(attempt.form) ?? [];
      const isGone = fields.every((field) => !field.isConnected || !isSeen(field));
      if (isGone || location.href.split("#")[0] !== attempt.sending.address.split("#")[0]) this.conclude();
    });
  }

  conclude() {
    const attempt = this.attempt;
    this.attempt = null;
    if (attempt && performance.now() - attempt.at <= patience) this.send(attempt.description, attempt.sending);
  }

  /** @param {any} description @param {Sending} sending */
  send(description, sending) {
    if (!description.fields.some(({ value }) => value)) return;
    // Once only: a submit event is followed by the end of the page.
    const text = JSON.stringify(description.fields.map(({ id, value }) => [id, value]));
    if (this.sent === text) return;
    this.sent = text;
    setTimeout(() => (this.sent = ""), 1000);
    this.onSubmitted(description, sending);
  }
}

/** What the user can click at an element: a button, a link, or what is drawn as one.
 * @param {Element} target @returns {HTMLElement | null} */
function controlOf(target) {
  const control = /** @type {HTMLElement | null} */ (target.closest("a, button, input:not([type=checkbox], [type=radio]), summary, [role=button], [role=link], [role=tab], [role=menuitem], [tabindex='0'], [onclick]"));
  if (control) return control;
  return target instanceof HTMLElement && getComputedStyle(target).cursor === "pointer" ? target : null;
}

const otherText = /cancel|close|back|forgot|lost|reset|help|show|hide|reveal|remember|abbrechen|zurück|schließen|vergessen|anzeigen|hilfe|batal|kembali|tutup|lupa|tampilkan|bantuan|×|✕/i;
const sendText = /sign|log|regist|creat|join|next|continue|submit|save|change|update|set|confirm|enter|\bok\b|\bgo\b|anmeld|weiter|speicher|ändern|bestätig|erstell|masuk|daftar|lanjut|simpan|ubah|buat|kirim/i;

/** Whether a click on an element may send a form by script.
 * @param {Element} target @param {Element} form */
function isSender(target, form) {
  const control = controlOf(target);
  if (!control || control instanceof HTMLAnchorElement && control.getAttribute("role") !== "button" && !/^(#|javascript:|$)/.test(control.getAttribute("href") ?? "")) return false;
  const isButton = control instanceof HTMLButtonElement || control instanceof HTMLInputElement;
  const isIn = formOf(control) === form || isButton && control.form === form;
  if (isButton && isIn && form instanceof HTMLFormElement && (control.type === "submit" || control.type === "image")) return true;
  const text = `${isButton ? control.value : ""} ${control.innerText ?? ""} ${control.ariaLabel ?? ""} ${control.title}`;
  if (otherText.test(text)) return false;
  return sendText.test(text) || isIn && form !== document.documentElement && buttonsOf(form).length < 2;
}
