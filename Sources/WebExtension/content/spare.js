// SPDX-License-Identifier: Apache-2.0
/**
 * Loading the menu's frame is the slowest step in a browser: in a page with a form to sign in, one is loaded before it is needed. It
 * has a name that the page cannot learn, and gets its items when a menu of that name is made. It is invisible until the menu is
 * opened.
 */
"use strict";

/** @typedef {{token: string, host: HTMLElement, shadow: ShadowRoot, frame: HTMLIFrameElement, isLoaded: boolean}} Menu */
/** @type {Menu | null} */
let spare = null;

/** Starts to load a menu.
 * @param {string} token @returns {Menu} */
function loadMenu(token) {
  const frame = document.createElement("iframe");
  const loading = { ...makeHost(), token, frame, isLoaded: false };
  frame.addEventListener("load", () => { loading.isLoaded = true; }, { once: true });
  frame.src = `${chrome.runtime.getURL("menu/menu.html")}#${token}`;
  frame.title = say("title");
  dress(frame, frameStyle);
  loading.shadow.append(frame);
  document.documentElement.append(loading.host);
  return loading;
}

/** Loads a spare menu, if there is none. */
function prepareMenu() {
  if (!spare?.frame.isConnected && chrome.runtime?.id) spare = loadMenu(randomName());
}

/** The name of the next menu: the spare one's, if it is loaded. */
function nextMenu() {
  return spare?.isLoaded && spare.frame.isConnected ? spare.token : randomName();
}

/** The menu of this name: the spare one, or a new one.
 * @param {string} token */
function takeMenu(token) {
  if (!spare || spare.token !== token) return loadMenu(token);
  const taken = spare;
  spare = null;
  if (taken.frame.isConnected) return taken;
  taken.host.remove();
  return loadMenu(token);
}

/** Discards an unopened menu, with its items.
 * @param {string} token */
function dropMenu(token) {
  if (spare?.token !== token) return;
  spare.host.remove();
  spare = null;
  prepareSoon();
}

/** Loads a spare menu when the browser is idle. */
function prepareSoon() {
  requestIdleCallback(prepareMenu, { timeout: 2000 });
}

/** A hint only: the daemon classifies the fields. */
function prepareForForms() {
  if (document.querySelector("input[type=password], input[autocomplete~=username i], input[autocomplete~=one-time-code i]")) prepareSoon();
}
// A frame that is added before the page's load event would delay that event.
if (document.readyState === "complete") prepareForForms();
else addEventListener("load", prepareForForms, { once: true });
