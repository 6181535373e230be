// SPDX-License-Identifier: Apache-2.0
/** A strong password that the user requests in the toolbar: the daemon draws and stores it, by the rules of the site and its page. */
import { Refused, call } from "./host.js";
import { unique } from "./items.js";

/** The page's rules for a new password, where it has a field for one.
 * @param {number} tab */
async function rulesOf(tab) {
  try {
    return await chrome.tabs.sendMessage(tab, { type: "rules" }, { frameId: 0 });
  } catch {
    return {}; // a page without a content script
  }
}

/**
 * @param {number} tab @param {import("./host.js").Sender} sender @param {string} [style] of the password; the user's setting without one
 * @returns {Promise<{offer: string, password: string, bits: string, length: number}>} rejects with Refused where there is none
 */
export async function generate(tab, sender, style) {
  const fields = [
    { id: "user", type: "text", autocomplete: "username" },
    { ...(await rulesOf(tab)), id: "new", type: "password", autocomplete: "new-password" },
  ];
  // A new form each time: the same form gets the same offer.
  const answer = await call("suggest", sender, { form: { id: crypto.randomUUID(), fields }, style });
  const found = answer.suggestions.find(({ type }) => type === "strongPassword");
  if (!found) throw new Refused("No password", unique(answer.withheld.flatMap(({ reasons }) => reasons)));
  const { offer, bits, length } = found;
  const { password } = await call("fill", sender, { offer, form: { fields } });
  return { offer, password, bits, length };
}
