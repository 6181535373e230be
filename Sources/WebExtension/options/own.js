// SPDX-License-Identifier: Apache-2.0
/** Switches the browser's own password manager off and on: two menus in one field conflict. The permission for it is requested when the
 * user switches it off, and removed when the user switches it on. */
import { element, say } from "../popup/connection.js";

const permission = { permissions: ["privacy"] };
const target = /** @type {HTMLElement} */ (document.getElementById("own"));
const button = (text, act) => element("button", { className: "main", onclick: async () => { await act(); await show(); } }, text);

/** What controls whether the browser saves passwords, as the browser reports it, and the button that changes it. */
function describe({ value, levelOfControl }) {
  const how = say(value ? "ownFills" : "ownFillsNot");
  switch (levelOfControl) {
    case "controlled_by_this_extension": return [`${how}: ${say("ownByYou")}.`, button(say("ownOn"), switchOn)];
    case "controlled_by_other_extensions": return [`${how}: ${say("ownByOther")}.`];
    case "not_controllable": return [`${how}: ${say("ownByPolicy")}.`];
    default: return value ? [`${how}: ${say("ownConflicts")}.`, button(say("ownOff"), switchOff)] : [`${how}.`];
  }
}

async function show() {
  const children = await chrome.permissions.contains(permission)
    ? describe(await chrome.privacy.services.passwordSavingEnabled.get({}))
    : [say("ownMay"), button(say("ownOffAsk"), switchOff)];
  target.replaceChildren(...children.map((child) => (typeof child === "string" ? element("p", {}, child) : child)));
}

async function switchOff() {
  // Requested in the click itself: a browser asks the user only then.
  if (await chrome.permissions.request(permission)) await chrome.privacy.services.passwordSavingEnabled.set({ value: false });
}

async function switchOn() {
  await chrome.privacy.services.passwordSavingEnabled.clear({});
  await chrome.permissions.remove(permission).catch(() => {}); // where it was granted with the extension itself
}

await show();
