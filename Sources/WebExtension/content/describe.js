// SPDX-License-Identifier: Apache-2.0
/**
 * Describes a form, field by field, for the daemon. The daemon classifies the fields.
 */
"use strict";

/** Names of fields and forms, for the lifetime of the elements. */
const autofillNames = {
  fields: new WeakMap(),
  /** @type {Map<string, WeakRef<Control>>} */
  byName: new Map(),
  forms: new WeakMap(),
};

/** The shadow root of an element, also if it is closed. An SVG element has none, and Chromium throws for one.
 * @param {Element | null} element */
function shadowOf(element) {
  if (!(element instanceof HTMLElement)) return null;
  if (element.openOrClosedShadowRoot !== undefined) return element.openOrClosedShadowRoot;
  return globalThis.chrome?.dom?.openOrClosedShadowRoot(element) ?? element.shadowRoot;
}

/** The parent of an element, across shadow roots.
 * @param {Node} node @returns {Element | null} */
function around(node) {
  if (node instanceof Element && node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
}

/** The element that has the focus, through shadow roots but ours.
 * @returns {Element | null} */
function focusedElement() {
  let element = document.activeElement;
  for (let inner = element; inner; inner = ownHosts.has(inner) ? null : shadowOf(inner)?.activeElement ?? null) element = inner;
  return element;
}

/** The field that has the focus.
 * @returns {HTMLInputElement | null} */
function focusedField() {
  const element = focusedElement();
  return element instanceof HTMLInputElement && isText(element) ? element : null;
}

/** The innermost element at a point of a document's window, through shadow roots, but for those inside the element that is expected there.
 * @param {Document} page @param {number} x @param {number} y @param {Element} expected */
function hitAt(page, x, y, expected) {
  let hit = page.elementFromPoint(x, y);
  for (let root = hit && shadowOf(hit); root && hit !== expected; root = hit && shadowOf(hit)) {
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

const textTypes = new Set(["text", "email", "tel", "password", "number", "url", "search"]);
/** @param {HTMLInputElement} input */
function isText(input) {
  return textTypes.has(input.type);
}

/** The container of the fields of one form: a form element, or else the document.
 * @param {Element} field @returns {Element} */
function formOf(field) {
  if (field instanceof HTMLInputElement && field.form) return field.form;
  for (let element = around(field); element; element = around(element)) if (element instanceof HTMLFormElement) return element;
  return document.documentElement;
}

/** All elements below a node, those in shadow trees too.
 * @param {Node} root @param {(element: Element) => void} visit */
function walk(root, visit) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  for (let element = walker.nextNode(); element; element = walker.nextNode()) {
    visit(/** @type {Element} */ (element));
    const shadow = shadowOf(/** @type {Element} */ (element));
    if (shadow) walk(shadow, visit);
  }
}

const buttonTypes = new Set(["submit", "button", "reset", "image"]);

/**
 * The controls of a form, in its order: text fields, and the others, which help to classify the form.
 *
 * @param {Element} form @returns {Control[]}
 */
function controlsOf(form) {
  const found = new Set();
  const collect = (element) => {
    const isOne = element instanceof HTMLInputElement && !buttonTypes.has(element.type)
      || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;
    if (isOne && (element.form ?? formOf(element)) === form) found.add(element);
  };
  walk(form, collect);
  // Controls that belong to it by their `form` attribute alone.
  if (form instanceof HTMLFormElement) for (const element of form.elements) collect(element);
  return [...found];
}

/** The text fields of a form, in its order.
 * @param {Element} form @returns {HTMLInputElement[]} */
function fieldsOf(form) {
  return /** @type {HTMLInputElement[]} */ (controlsOf(form).filter((element) => element instanceof HTMLInputElement && isText(element)));
}

/** A random name; pages of http have no `crypto.randomUUID`. */
function randomName() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Element} form */
function formName(form) {
  let name = autofillNames.forms.get(form);
  if (!name) autofillNames.forms.set(form, (name = randomName()));
  return name;
}

/** @param {Control} field */
function fieldName(field) {
  let name = autofillNames.fields.get(field);
  if (!name) {
    // The page's own id, which helps to classify the field, if it is unique in the document.
    const own = cut(field.id, 200) ?? `field${autofillNames.byName.size + 1}`;
    name = own;
    for (let count = 2; autofillNames.byName.has(name); count++) name = `${own}~${count}`;
    autofillNames.fields.set(field, name);
    autofillNames.byName.set(name, new WeakRef(field));
  }
  return name;
}

/** Whether the user can see a field: not hidden, not tiny, not transparent, not clipped, inside the page.
 * @param {Element} field */
function isSeen(field) {
  const box = field.getBoundingClientRect();
  if (box.width < 8 || box.height < 8) return false;
  if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return false;
  const page = document.scrollingElement ?? document.documentElement;
  if (box.left + scrollX >= Math.max(page.scrollWidth, innerWidth)) return false;
  if (field.checkVisibility && !field.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true })) return false;
  let clip = { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
  let opacity = 1;
  for (let element = /** @type {Element | null} */ (field); element; element = around(element)) {
    const style = getComputedStyle(element);
    opacity *= Number(style.opacity);
    if (opacity < 0.2 || style.clipPath !== "none" && /inset\((50|100)%/.test(style.clipPath)) return false;
    if (/opacity\((0|0?\.[01]\d*|1?\d%)\)/.test(style.filter)) return false;
    if (element !== field && element !== document.documentElement && element !== document.body && style.overflow !== "visible") {
      const outer = element.getBoundingClientRect();
      clip = {
        left: Math.max(clip.left, outer.left), top: Math.max(clip.top, outer.top),
        right: Math.min(clip.right, outer.right), bottom: Math.min(clip.bottom, outer.bottom),
      };
      // A scroller may have scrolled it out of view; a field that scrolling cannot show is hidden.
      const canScroll = style.overflowX !== "hidden" && style.overflowY !== "hidden" && style.overflow !== "clip";
      if (!canScroll && (clip.right - clip.left < 8 || clip.bottom - clip.top < 8)) return false;
    }
    if (style.position === "fixed") break;
  }
  return true;
}

/** A text as the daemon accepts it: half a surrogate pair would make the whole message invalid.
 * @param {string} text */
function wellFormed(text) {
  return (text.toWellFormed ? text.toWellFormed() : text).replace(/\u0000/g, "");
}

/** @param {string | null | undefined} text @param {number} bytes */
function cut(text, bytes) {
  if (!text) return undefined;
  const clean = wellFormed(text).replace(/\s+/g, " ").trim();
  const whole = new TextEncoder().encode(clean);
  if (whole.length <= bytes) return clean || undefined;
  return new TextDecoder().decode(whole.slice(0, bytes)).replace(/\uFFFD+$/, "") || undefined;
}

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/** The text beside a field.
 * @param {Control} field */
function labelOf(field) {
  const root = /** @type {Document | ShadowRoot} */ (field.getRootNode());
  const texts = [...(field.labels ?? [])].map((label) => label.textContent);
  for (const id of (field.getAttribute("aria-labelledby") ?? "").split(/\s+/)) {
    if (id) texts.push(root.getElementById?.(id)?.textContent ?? "");
  }
  texts.push(field.getAttribute("aria-label") ?? "", field.title);
  let text = texts.filter(Boolean).join(" ");
  if (!text.trim()) {
    // The text directly before it, in a table or a list of pairs.
    const before = field.previousElementSibling ?? field.parentElement?.previousElementSibling;
    if (before && !before.querySelector("input, select, textarea") && !before.matches("input, select, textarea")) text = before.textContent ?? "";
  }
  return cut(text, 1024);
}

/** @param {Control} field @param {boolean} withValue */
function describeField(field, withValue) {
  const number = (name, least) => {
    const value = Number.parseInt(field.getAttribute(name) ?? "", 10);
    return value >= least && value < 2 ** 31 ? value : undefined;
  };
  const rules = field.getAttribute("passwordrules");
  // The values of controls that are no text fields are not sent, but for a hidden user name.
  const isUser = field.type === "hidden" && /(^|\s)username(\s|$)|^(wp)?(user(_?name)?|login|e?mail|account)$/i.test(field.getAttribute("autocomplete") ?? field.name);
  const value = field instanceof HTMLInputElement && (isText(field) || isUser) ? field.value : "";
  return {
    id: fieldName(field),
    type: field.type,
    autocomplete: cut(field.getAttribute("autocomplete"), 256),
    name: cut(field.name, 256),
    label: labelOf(field),
    placeholder: cut(field.getAttribute("placeholder"), 1024),
    pattern: cut(field.getAttribute("pattern"), 1024),
    passwordRules: rules ? wellFormed([...rules].slice(0, 4096).join("")) : undefined,
    minlength: number("minlength", 0),
    maxlength: number("maxlength", 1),
    hidden: isSeen(field) ? undefined : true,
    value: withValue && value && new TextEncoder().encode(value).length <= 4096 ? wellFormed(value) : undefined,
  };
}

/** The visible heading above a form.
 * @param {Element} form */
function headingOf(form) {
  const inside = form.querySelector("legend, h1, h2, h3");
  if (inside) return cut(inside.textContent, 1024);
  for (let element = /** @type {Element | null} */ (form); element && element !== document.documentElement; element = element.parentElement) {
    for (let before = element.previousElementSibling; before; before = before.previousElementSibling) {
      const heading = before.matches("h1, h2, h3") ? before : before.querySelector("h1, h2, h3");
      if (heading) return cut(heading.textContent, 1024);
    }
  }
  return cut(document.title, 1024);
}

/** @param {Element} form */
function buttonsOf(form) {
  return [...form.querySelectorAll("button, input[type=submit], input[type=button], [role=button]")]
    .filter((button) => !(button instanceof HTMLButtonElement && button.type === "reset"));
}

/**
 * Describes a form as the daemon accepts it, with at most 64 fields: those around the one with the focus.
 *
 * @param {Element} form @param {HTMLInputElement | null} focus @param {boolean} withValues
 */
function describeForm(form, focus, withValues) {
  let fields = controlsOf(form);
  if (fields.length > 64) fields = fields.filter((field) => field instanceof HTMLInputElement && isText(field));
  if (fields.length > 64) {
    const start = Math.max(0, Math.min(fields.length - 64, fields.indexOf(/** @type {any} */ (focus)) - 32));
    fields = fields.slice(start, start + 64);
  }
  const labels = buttonsOf(form).map((button) => cut(button instanceof HTMLInputElement ? button.value : button.textContent, 256));
  const action = form instanceof HTMLFormElement ? form.getAttribute("action") : null;
  return {
    id: formName(form),
    fields: fields.map((field) => describeField(field, withValues)),
    heading: headingOf(form),
    submitLabels: labels.filter(Boolean).slice(0, 8),
    action: cut(action && action.split(/[?#]/)[0], 2048),
  };
}
