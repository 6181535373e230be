// SPDX-License-Identifier: Apache-2.0
/**
 * The menu's frame takes a browser longer to load than all else together: in a page with a form to sign in, one is loaded before it
 * is needed. It has a name that the page cannot learn, and is told what to show when a menu of that name is made; until the menu is
 * opened nobody sees it.
 */
"use strict";

/** @typedef {{token: string, host: HTMLElement, shadow: ShadowRoot, frame: HTMLIFrameElement, isLoaded: boolean}} Menu */
/** @type {Menu | null} */
let spare = null;

/** Begins to load one.
 * @param {string} token @returns {Menu} */
function loadMenu(token) {
  const frame = document.createElement("iframe");
  const loading = { ...Overlay.host(), token, frame, isLoaded: false };
  frame.addEventListener("load", () => { loading.isLoaded = true; }, { once: true });
  frame.src = `${chrome.runtime.getURL("menu/menu.html")}#${token}`;
  frame.title = "Passwords";
  dress(frame, frameStyle);
  loading.shadow.append(frame);
  document.documentElement.append(loading.host);
  return loading;
}

/** Loads one for later, if none is there. */
function prepareMenu() {
  if (!spare?.frame.isConnected && chrome.runtime?.id) spare = loadMenu(randomName());
}

/** What the next menu is called: as the one that is there, if it is. */
function nextMenu() {
  return spare?.isLoaded && spare.frame.isConnected ? spare.token : randomName();
}

/** The menu of this name: the one that is there, or another.
 * @param {string} token */
function takeMenu(token) {
  if (!spare || spare.token !== token) return loadMenu(token);
  const taken = spare;
  spare = null;
  if (taken.frame.isConnected) return taken;
  taken.host.remove();
  return loadMenu(token);
}

/** Nobody has opened the menu of this name: what it was told goes with it.
 * @param {string} token */
function dropMenu(token) {
  if (spare?.token !== token) return;
  spare.host.remove();
  spare = null;
  prepareSoon();
}

/** Loads one when the browser has nothing better to do. */
function prepareSoon() {
  requestIdleCallback(prepareMenu, { timeout: 2000 });
}

/** A hint, and no reading of the form: what the fields are for is the daemon's to say. */
function prepareForForms() {
  if (document.querySelector("input[type=password], input[autocomplete~=username i], input[autocomplete~=one-time-code i]")) prepareSoon();
}
// A frame that comes before the page's load event would put that off.
if (document.readyState === "complete") prepareForForms();
else addEventListener("load", prepareForForms, { once: true });
