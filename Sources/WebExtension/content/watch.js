// SPDX-License-Identifier: Apache-2.0
/**
 * Detects when a form was sent to its site: by its submit event, or, in a page that sends it by script, by the changes after a click or
 * Enter.
 */
"use strict";

/** How long after a click or Enter a form that disappears counts as sent, in milliseconds. */
const patience = 10_000;

class Watch {
  /** @param {(description: object, form: Element) => void} onSubmitted */
  constructor(onSubmitted) {
    this.onSubmitted = onSubmitted;
    /** Forms that the daemon classified as forms for credentials, or that have a password.
     * @type {Map<Element, HTMLInputElement[]>} */
    this.forms = new Map();
    /** @type {{at: number, form: Element, description: any, address: string} | null} */
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
      if (event.target instanceof HTMLFormElement) this.submit(event.target);
    }, true);
    root.addEventListener("click", (event) => event.isTrusted && this.mayBeSent(event), true);
    root.addEventListener("keydown", (event) => {
      if (event.isTrusted && /** @type {KeyboardEvent} */ (event).key === "Enter") this.mayBeSent(event);
    }, true);
  }

  /** @param {Element} form */
  submit(form) {
    if (!this.isWorth(form)) return;
    const description = describeForm(form, null, true);
    this.attempt = null;
    this.send(description, form);
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
    const isButton = target.closest("button, input, a, [role=button], label, summary") !== null || event.type === "click";
    if (!isButton) return;
    // The form that contains it, or else the last one in use: a button may be outside.
    const own = formOf(target);
    const form = this.forms.has(own) ? own : [...this.forms.keys()].at(-1);
    if (!form || target instanceof HTMLInputElement && isText(target) && event.type === "click") return;
    const description = describeForm(form, null, true);
    if (!description.fields.some(({ value }) => value)) return;
    this.attempt = { at: performance.now(), form, description, address: location.href };
    setTimeout(() => this.check(), 50);
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
      if (isGone || location.href.split("#")[0] !== attempt.address.split("#")[0]) this.conclude();
    });
  }

  conclude() {
    const attempt = this.attempt;
    this.attempt = null;
    if (attempt && performance.now() - attempt.at <= patience) this.send(attempt.description, attempt.form);
  }

  send(description, form) {
    if (!description.fields.some(({ value }) => value)) return;
    // Once only: a submit event is followed by the end of the page.
    const text = JSON.stringify(description.fields.map(({ id, value }) => [id, value]));
    if (this.sent === text) return;
    this.sent = text;
    setTimeout(() => (this.sent = ""), patience);
    this.onSubmitted(description, form);
  }
}
