// SPDX-License-Identifier: Apache-2.0
/** Sends requests to the background, from a page of this extension. */

const port = chrome.runtime.connect({ name: "toolbar" });
let last = 0;
/** @type {Map<number, (message: any) => void>} */
const waiting = new Map();
port.onMessage.addListener((message) => {
  waiting.get(message.id)?.(message);
  waiting.delete(message.id);
});

/** @typedef {{result?: any, reasons?: {reason: string, message: string, fix: string}[], message?: string}} Answer */

/** @param {string} type @param {object} [rest] @returns {Promise<Answer>} */
export function ask(type, rest = {}) {
  const id = ++last;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    port.postMessage({ id, type, ...rest });
  });
}

/** A text in the user's language; what is put into it keeps its own direction.
 * @param {string} name @param {string[]} values */
export function say(name, ...values) {
  return chrome.i18n.getMessage(name, values.map((value) => `\u2068${value}\u2069`));
}

/** Puts the texts into a page, and its title.
 * @param {string} title */
export function translate(title) {
  document.documentElement.lang = chrome.i18n.getUILanguage();
  document.documentElement.dir = chrome.i18n.getMessage("@@bidi_dir");
  document.title = say(title);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-text]"))) part.textContent = say(String(part.dataset.text));
}

/** The strength of a password, by the number of guesses.
 * @param {string} bits */
export const strength = (bits) => say(`strength_${[36, 48, 64].filter((least) => Number(bits) >= least).length}`);

/** @param {string} name @param {object} [properties] @param {(Node | string)[]} children */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A drawn icon: the first letter of a site or user, in a colour of its own.
 * @param {string} given */
export function icon(given) {
  const name = given.replace(/^(https?:\/\/)?(www\.)?/, "");
  const drawn = element("span", { className: "icon", ariaHidden: "true" }, [...name][0]?.toUpperCase() ?? "");
  drawn.style.setProperty("--hue", String([...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7)));
  return drawn;
}
