// SPDX-License-Identifier: Apache-2.0
/** The browser's own password manager: two menus in one field are in each other's way. What it takes to switch that off is asked for
 * when the person does, and given back with it. */
import { element } from "../popup/connection.js";

const permission = { permissions: ["privacy"] };
const place = /** @type {HTMLElement} */ (document.getElementById("own"));
const button = (text, act) => element("button", { className: "main", onclick: async () => { await act(); await show(); } }, text);

/** Who decides whether the browser saves passwords, in the browser's words, and what can be done about it here. */
function told({ value, levelOfControl }) {
  const how = value ? "This browser fills and saves passwords itself" : "This browser saves no passwords itself";
  switch (levelOfControl) {
    case "controlled_by_this_extension": return [`${how}: you have switched that off here.`, button("Switch It On Again", switchOn)];
    case "controlled_by_other_extensions": return [`${how}: another extension decides that.`];
    case "not_controllable": return [`${how}: that is set for you, by a policy of this machine.`];
    default: return value ? [`${how}: its menu and this one are in each other's way.`, button("Switch Its Own Off", switchOff)] : [`${how}.`];
  }
}

async function show() {
  const parts = await chrome.permissions.contains(permission)
    ? told(await chrome.privacy.services.passwordSavingEnabled.get({}))
    : ["If this browser saves passwords itself, its menu and this one are in each other's way.", button("Switch Its Own Off…", switchOff)];
  place.replaceChildren(...parts.map((part) => (typeof part === "string" ? element("p", {}, part) : part)));
}

async function switchOff() {
  // Asked in the click itself: a browser asks the person at no other time.
  if (await chrome.permissions.request(permission)) await chrome.privacy.services.passwordSavingEnabled.set({ value: false });
}

async function switchOn() {
  await chrome.privacy.services.passwordSavingEnabled.clear({});
  await chrome.permissions.remove(permission).catch(() => {}); // where it was given with the extension itself
}

await show();
