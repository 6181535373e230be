// SPDX-License-Identifier: Apache-2.0
/** Puts values into fields, with the events of typing, so that every web framework accepts them. */
"use strict";

const setValue = /** @type {(this: HTMLInputElement, value: string) => void} */ (
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set);

/** Fields marked as strong passwords, with their former `style` attributes.
 * @type {WeakMap<HTMLInputElement, string | null>} */
const marked = new WeakMap();

/** @param {HTMLInputElement} field @param {string} value */
function fillField(field, value) {
  const before = document.activeElement;
  if (before !== field && !field.matches(":focus")) field.dispatchEvent(new FocusEvent("focus", { composed: true }));
  const keys = { bubbles: true, composed: true, cancelable: true, key: "Unidentified", code: "" };
  field.dispatchEvent(new KeyboardEvent("keydown", keys));
  setValue.call(field, value);
  field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType: "insertReplacementText", data: value }));
  field.dispatchEvent(new KeyboardEvent("keyup", keys));
  field.dispatchEvent(new Event("change", { bubbles: true, composed: true }));
  if (before !== field && !field.matches(":focus")) field.dispatchEvent(new FocusEvent("blur", { composed: true }));
}

/**
 * Fills visible fields only; again where the page has reset a field.
 *
 * @param {{field: string, value: string}[]} values
 * @returns {HTMLInputElement[]} the fields that were filled
 */
function fillFields(values) {
  const filled = [];
  for (const { field: name, value } of values) {
    const field = autofillNames.byName.get(name)?.deref();
    if (!(field instanceof HTMLInputElement) || !field.isConnected || field.disabled || !isText(field) || !isSeen(field)) continue;
    // Some pages make a field writable when it gets the focus.
    if (field.readOnly) for (const type of ["focus", "focusin"]) field.dispatchEvent(new FocusEvent(type, { bubbles: type === "focusin", composed: true }));
    if (field.readOnly) field.focus();
    if (field.readOnly) continue;
    fillField(field, value);
    filled.push(field);
    // A controlled field that was set before its framework listened shows the old value in the next frame.
    requestAnimationFrame(() => setTimeout(() => {
      if (field.isConnected && field.value === "" && value !== "") fillField(field, value);
    }, 30));
  }
  return filled;
}

/** Marks a field as a strong password, until it is changed by hand.
 * @param {HTMLInputElement} field */
function markStrong(field) {
  if (marked.has(field)) return;
  marked.set(field, field.getAttribute("style"));
  field.style.setProperty("background-color", "#faffbd", "important");
  field.style.setProperty("color", "#1d1d1f", "important");
  field.addEventListener("input", (event) => event.isTrusted && unmark(field));
}

/** Whether a value that is sent is a strong password that was filled, or what the page has left of it in its field.
 * @param {{id?: string, value?: string}} sent @param {Set<string>} filled */
function isOfStrong({ id, value }, filled) {
  if (!value) return false;
  const field = autofillNames.byName.get(id ?? "")?.deref();
  const isMarked = field instanceof HTMLInputElement && marked.has(field);
  return filled.has(value) || isMarked && [...filled].some((whole) => whole.startsWith(value));
}

/** @param {HTMLInputElement} field */
function unmark(field) {
  if (!marked.has(field)) return;
  const style = marked.get(field);
  marked.delete(field);
  if (style === null || style === undefined) field.removeAttribute("style");
  else field.setAttribute("style", style);
}
