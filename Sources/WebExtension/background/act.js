// SPDX-License-Identifier: Apache-2.0
/** Does what an item of the menu says: has the daemon give out what is meant, and hands it to the document. */
import { call } from "./host.js";

/** Accounts that were just filled in a tab, or that it was opened for: first on the second page of a sign-in.
 * @type {Map<number, {origin: string, credential: string}>} */
const lately = new Map();
export const forgetTab = (tab) => lately.delete(tab);
export const remember = (tab, origin, credential) => void lately.set(tab, { origin, credential });

/** The account that was filled last in a tab, where that was for the same origin.
 * @param {number} tab @param {string} origin */
export function latest(tab, origin) {
  const last = lately.get(tab);
  return last?.origin === origin ? last.credential : undefined;
}

/** @param {import("./page.js").Page} page @param {import("./items.js").Item} item @param {any} known what was said of the form
 * @returns {Promise<void>} rejects with Refused */
export async function act(page, item, known) {
  const fields = known?.form.fields;
  switch (item.type) {
    case "account": return fill(page, known, await call("fill", page.sender, { credential: item.credential, fields }));
    case "passwords": return fill(page, known, await call("fill", page.sender, { fields }));
    case "code": return fill(page, known, await call("fill", page.sender, { oneTimeCode: item.code, fields }));
    case "codes": {
      const { code } = await call("code", page.sender);
      const target = known.answer.suggestions.find(({ type }) => type === "oneTimeCode").fields;
      return fill(page, known, { values: spread(target, code) });
    }
    case "strong": return fillStrong(page, known, item.offer, item.bits);
    case "another": {
      await decline(page, known);
      const params = { ...known.form, focus: known.answer.suggestions.find(({ type }) => type === "strongPassword").fields[0] };
      known.answer = await call("suggest", page.sender, params);
      const next = known.answer.suggestions.find(({ type }) => type === "strongPassword");
      return next && fillStrong(page, known, next.offer, next.bits);
    }
    case "own":
      await decline(page, known);
      known.own = true;
      return page.port.postMessage({ type: "clear", form: known.form.form });
    case "unlock":
      await call("unlock", { document: page.document }, {});
      return page.port.postMessage({ type: "again" });
  }
}

/** The strong password that stands in a form is not to be used. */
async function decline(page, known) {
  await call("decline", { document: page.document }, { offer: known.used.offer });
  known.used = undefined;
}

async function fillStrong(page, known, offer, bits) {
  const filled = await call("fill", page.sender, { offer, fields: known.form.fields });
  page.unused.delete(offer);
  known.used = { offer, bits };
  fill(page, known, filled, { bits });
}

/** Hands the values to the document that was asked for; `strong` marks them.
 * @param {import("./page.js").Page} page @param {any} known @param {any} filled @param {object} [strong] */
function fill(page, known, { values, credential }, strong) {
  if (credential) remember(page.tab, page.origin, credential);
  page.port.postMessage({ type: "fill", form: known.form.form, values, strong });
  page.menu = null;
}

/** A code in one field, or a character in each of several. */
function spread(fields, code) {
  if (fields.length < 2) return fields.map((field) => ({ field, value: code }));
  return fields.map((field, index) => ({ field, value: code[index] ?? "" }));
}
