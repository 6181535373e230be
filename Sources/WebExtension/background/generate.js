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

/** The lengths that can be asked for: those that the site and its page allow, in these bounds.
 * @param {string} rules of the site, in the daemon's form @param {{minlength?: number, maxlength?: number}} page
 * @returns {[number, number]} */
function lengthsOf(rules, page) {
  const bound = (/** @type {string} */ name) => Number(new RegExp(`\\b${name}: ?(\\d+)`).exec(rules)?.[1] ?? NaN);
  const greatest = Math.min(64, ...[bound("maxlength"), page.maxlength ?? NaN].filter(Number.isFinite));
  const least = Math.max(8, ...[bound("minlength"), page.minlength ?? NaN].filter(Number.isFinite));
  return [Math.min(least, greatest), greatest];
}

/**
 * @typedef {{offer: string, password: string, bits: string, length: number, lengths: [number, number], style: string}} Generated
 * @param {number} tab @param {import("./host.js").Sender} sender
 * @param {{style?: string, length?: number}} wanted the user's setting where one is not given
 * @returns {Promise<Generated>} rejects with Refused where there is none
 */
export async function generate(tab, sender, { style, length: exact }) {
  const page = await rulesOf(tab);
  const fields = [
    { id: "user", type: "text", autocomplete: "username" },
    { ...page, ...(exact ? { minlength: exact, maxlength: exact } : {}), id: "new", type: "password", autocomplete: "new-password" },
  ];
  // A new form each time: the same form gets the same offer.
  const answer = await call("suggest", sender, { form: { id: crypto.randomUUID(), fields }, style });
  const found = answer.suggestions.find(({ type }) => type === "strongPassword");
  if (!found) throw new Refused("No password", unique(answer.withheld.flatMap(({ reasons }) => reasons)));
  const { offer, bits, length, rules } = found;
  const { password } = await call("fill", sender, { offer, form: { fields } });
  return { offer, password, bits, length, lengths: lengthsOf(rules, page), style: found.style === "random" ? "random" : "readable" };
}
