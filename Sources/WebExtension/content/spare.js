// SPDX-License-Identifier: Apache-2.0
/**
 * The menu's frame takes a browser longer to load than all else together: in a page with a form to sign in, one is loaded before it
 * is needed. It knows nothing, and nobody sees it, until it is given a menu's name.
 */
"use strict";

/** @type {{host: HTMLElement, shadow: ShadowRoot, frame: HTMLIFrameElement, isLoaded: boolean} | null} */
let spare = null;

/** Begins to load one, with a name or without.
 * @param {string} fragment */
function loadMenu(fragment) {
  const frame = document.createElement("iframe");
  const loading = { ...Overlay.host(), frame, isLoaded: false };
  frame.addEventListener("load", () => { loading.isLoaded = true; }, { once: true });
  frame.src = chrome.runtime.getURL("menu/menu.html") + fragment;
  frame.title = "Passwords";
  dress(frame, frameStyle);
  loading.shadow.append(frame);
  document.documentElement.append(loading.host);
  return loading;
}

/** Loads one for later, if none is there. */
function prepareMenu() {
  if (!spare?.frame.isConnected && chrome.runtime?.id) spare = loadMenu("");
}

/** The one that is there, or another, for the menu of this name.
 * @param {string} token */
function takeMenu(token) {
  const taken = spare;
  spare = null;
  if (taken?.isLoaded && taken.frame.isConnected) {
    taken.frame.src = `${chrome.runtime.getURL("menu/menu.html")}#${token}`;
    return taken;
  }
  taken?.host.remove();
  return loadMenu(`#${token}`);
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
