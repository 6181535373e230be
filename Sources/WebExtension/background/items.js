// SPDX-License-Identifier: Apache-2.0
/**
 * The items of the menu, made from the daemon's answer alone.
 *
 * @typedef {import("./host.js").Reason} Reason
 * @typedef {{type: "account", credential: string, user: string, site?: string}
 *   | {type: "passwords", site: string, isOther: boolean}
 *   | {type: "strong", offer: string, bits: string, length: number}
 *   | {type: "another", bits: string} | {type: "own"}
 *   | {type: "code", code: string, credential?: string, user: string | null, source: string}
 *   | {type: "codes", site: string}
 *   | {type: "unlock"}
 *   | {type: "why", reasons: Reason[]}} Item
 */

/** @param {string} name */
const say = (name) => chrome.i18n.getMessage(name);

/** For a field without reasons.
 * @type {Item} */
export const nothing = { type: "why", reasons: [{ reason: "nothing", message: say("nothing"), fix: say("nothingFix") }] };
/** For a site that the user has switched off.
 * @type {Item} */
export const off = { type: "why", reasons: [{ reason: "off", message: say("off"), fix: say("offFix") }] };

/**
 * @param {any} answer of `suggest`
 * @param {string} site the displayed name of the site
 * @returns {Item[]}
 */
export function items(answer, site) {
  /** @type {Item[]} */
  const result = [];
  for (const suggestion of answer.suggestions) {
    if (suggestion.type === "strongPassword") {
      const { offer, bits, length } = suggestion;
      result.push({ type: "strong", offer, bits, length });
    } else if (suggestion.type === "savedCredentials") {
      for (const list of [suggestion.credentials, suggestion.related ?? [], suggestion.shared ?? []]) {
        for (const { credential, user, services } of list) {
          result.push({ type: "account", credential, user, site: services[0].value });
        }
      }
      result.push({ type: "passwords", site, isOther: result.some(({ type }) => type === "account") });
    } else if (suggestion.type === "oneTimeCode") {
      for (const { codeID: code, credential, user, source } of suggestion.codes) {
        result.push({ type: "code", code, credential, user, source });
      }
      if (suggestion.codes.length === 0) result.push({ type: "codes", site });
    }
  }
  const reasons = unique(answer.withheld.flatMap((withheld) => withheld.reasons));
  if (reasons.some(({ reason }) => reason === "vault-locked")) result.push({ type: "unlock" });
  const shown = reasons.filter(({ reason }) => reason !== "vault-locked" && reason !== "new-password-field-missing");
  if (shown.length > 0) result.push({ type: "why", reasons: shown.map(forReader) });
  return result;
}

/** What a reader of a web page can do about a reason whose fix is for the page's developer; the developer finds that in the console: the names
 * of the texts.
 * @type {Record<string, string>} */
const advice = {
  "origin-not-secure": "adviceNotSecure",
  "origin-opaque": "adviceOpaque",
};

/** @param {Reason} reason @returns {Reason} */
export function forReader(reason) {
  if (reason.audience !== "developer") return reason;
  return { ...reason, fix: say(advice[reason.reason] ?? "adviceOther"), details: reason.fix };
}

/** @param {Reason[]} reasons */
export function unique(reasons) {
  const seen = new Set();
  return reasons.filter(({ reason }) => !seen.has(reason) && seen.add(reason));
}
