// SPDX-License-Identifier: Apache-2.0
/**
 * Loading the menu's frame is the slowest step in a browser: in a page with a form to sign in, one is loaded before it is needed, or at
 * least before the daemon has answered. It has a name that the page cannot learn, and gets its items when a menu of that name is made. It
 * is invisible until the menu is opened.
 */
"use strict";

/**
 * Chromium renders nothing in a frame that is not laid out, and learns that it is only when it next draws the page around: an animation frame
 * of its own later. The spare menu's frame is laid out there, without a size, so nothing draws or hits it, and its host has no box. A page
 * has no access to this style.
 */
const spareStyle = reportsVisibility ? `:host(:not(:popover-open)) { display: contents !important }
  :host(:not(:popover-open)) iframe { position: fixed !important; inset: 0 auto auto 0 !important; max-width: 0 !important;
    max-height: 0 !important; opacity: 0 !important; pointer-events: none !important }` : "";

/** @typedef {{token: string, host: HTMLElement, shadow: ShadowRoot, frame: HTMLIFrameElement}} Menu */
/** @type {Menu | null} */
let spare = null;

/** Starts to load a menu.
 * @param {string} token @param {Element} holder @returns {Menu} */
function loadMenu(token, holder) {
  const frame = document.createElement("iframe");
  const loading = { ...makeHost(spareStyle), token, frame };
  frame.src = `${chrome.runtime.getURL("menu/menu.html")}#${token}`;
  frame.title = say("title");
  dress(frame, frameStyle);
  loading.shadow.append(frame);
  if (window !== window.top) Focus.keep(frame);
  holder.append(loading.host);
  return loading;
}

/**
 * Chromium moves the focus to the whole page when it loads the first page of this extension in one of its frames. A field that loses the
 * focus while that is loaded gets it back where the whole page confirms that nothing in it has the focus, and that the user did nothing
 * there.
 */
const Focus = {
  /** The field that lost it.
   * @type {HTMLElement | null} */
  lost: null,
  /** When the user last clicked or pressed a key in this document. */
  actedAt: -Infinity,

  /** @param {HTMLIFrameElement} frame that is being loaded */
  keep(frame) {
    let since = Date.now();
    const gain = () => { since = Date.now(); };
    const lose = (/** @type {FocusEvent} */ event) => {
      const field = event.composedPath()[0];
      if (!event.isTrusted || event.relatedTarget !== null || !(field instanceof HTMLElement)) return;
      this.lost = field;
      // Another window, or a click beside the field, leaves this document in another state.
      setTimeout(() => this.isLost() && Autofill.send({ type: "lostFocus", since }));
    };
    document.addEventListener("focusin", gain, true);
    document.addEventListener("focusout", lose, true);
    frame.addEventListener("load", () => {
      document.removeEventListener("focusin", gain, true);
      document.removeEventListener("focusout", lose, true);
    }, { once: true });
  },

  isLost() {
    return !document.hasFocus() && document.activeElement === document.body;
  },

  restore() {
    if (this.isLost()) this.lost?.focus({ preventScroll: true });
    this.lost = null;
  },

  /** Whether this document has the focus, no element in it has, and the user did nothing here since then.
   * @param {number} since */
  isFree(since) {
    return document.hasFocus() && (document.activeElement ?? document.body) === document.body && this.actedAt < since;
  },
};
if (window === window.top) {
  for (const type of ["pointerdown", "keydown"]) {
    addEventListener(type, (event) => { if (event.isTrusted) Focus.actedAt = Date.now(); }, { capture: true, passive: true });
  }
}

/** Loads a spare menu, in place of the one that there is. Until it is taken, neither the keyboard nor a screen reader finds its frame.
 * @param {string} token @param {Element} holder */
function loadSpare(token, holder) {
  if (!chrome.runtime?.id) return;
  spare?.host.remove();
  spare = loadMenu(token, holder);
  spare.frame.tabIndex = -1;
  spare.frame.setAttribute("aria-hidden", "true");
}

/** Loads a spare menu, if there is none. */
function prepareMenu() {
  if (!spare?.frame.isConnected) loadSpare(randomName(), document.documentElement);
}

/** Whether there is a spare menu that can be opened in an element: a frame that is moved in another way is loaded again.
 * @param {Element} holder */
function hasSpareFor(holder) {
  return spare?.frame.isConnected === true && (spare.host.parentNode === holder || "moveBefore" in holder);
}

/** The name of the next menu: the spare one's, which may be loading.
 * @param {Element} field */
function nextMenu(field) {
  return spare && hasSpareFor(holderOf(field)) ? spare.token : randomName();
}

/** A menu of this name was asked for: where it is likely that it will be opened, its page is loaded while the daemon is asked.
 * @param {string} token @param {HTMLInputElement} field */
function startMenu(token, field) {
  const holder = holderOf(field);
  if (!hasSpareFor(holder) && (field.type === "password" || mayHaveForm())) loadSpare(token, holder);
}

/** The menu of this name, in an element: the spare one, or a new one.
 * @param {string} token @param {Element} holder */
function takeMenu(token, holder) {
  if (!spare || spare.token !== token) return loadMenu(token, holder);
  const taken = spare;
  spare = null;
  for (const name of ["tabindex", "aria-hidden"]) taken.frame.removeAttribute(name);
  if (taken.frame.isConnected && taken.host.parentNode !== holder) {
    try {
      holder.moveBefore?.(taken.host, null);
    } catch {
      // One of both is being removed.
    }
  }
  if (taken.frame.isConnected && taken.host.parentNode === holder) return taken;
  taken.host.remove();
  return loadMenu(token, holder);
}

/** Discards an unopened menu, with its items.
 * @param {string} token */
function dropMenu(token) {
  if (spare?.token === token) dropSpare();
}

/** Discards the spare menu: its page may be cut off. */
function dropSpare() {
  if (!spare) return;
  spare.host.remove();
  spare = null;
  prepareSoon();
}

/** Loads a spare menu when the browser is idle. A frame that is added before the page's load event would delay that event. */
function prepareSoon() {
  if (document.readyState === "complete") requestIdleCallback(prepareMenu, { timeout: 2000 });
  else addEventListener("load", prepareSoon, { once: true });
}

/** A hint only: the daemon classifies the fields. */
function mayHaveForm() {
  return document.querySelector("input[type=password], input[autocomplete~=username i], input[autocomplete~=one-time-code i]") !== null;
}

function prepareForForms() {
  if (mayHaveForm()) prepareSoon();
}
if (document.readyState === "complete") prepareForForms();
else addEventListener("load", prepareForForms, { once: true });
