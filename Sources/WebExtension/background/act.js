// SPDX-License-Identifier: Apache-2.0
/** Performs an item of the menu: requests the values from the daemon, and sends them to the document. */
import { call } from "./host.js";

/** Accounts that were last filled in a tab, or that it was opened for: listed first on the second page of a sign-in.
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

/** @param {import("./page.js").Page} page @param {import("./items.js").Item} item @param {any} state the entry of the form in `forms`
 * @returns {Promise<void>} rejects with Refused */
export async function act(page, item, state) {
  const form = state?.form;
  switch (item.type) {
    case "account": return fill(page, state, await call("fill", page.sender, { credential: item.credential, form }));
    case "passwords": return fill(page, state, await call("fill", page.sender, { form }));
    case "code": return fill(page, state, await call("fill", page.sender, { codeID: item.code, form }));
    case "codes": {
      const { code } = await call("code", page.sender);
      const target = state.answer.suggestions.find(({ type }) => type === "oneTimeCode").fields;
      return fill(page, state, { values: spread(target, code) });
    }
    case "strong": return fillStrong(page, state, item.offer, item.bits);
    case "another": {
      await decline(page, state);
      const [focus] = state.answer.suggestions.find(({ type }) => type === "strongPassword").fields;
      state.answer = await call("suggest", page.sender, { form: { ...form, focus } });
      const next = state.answer.suggestions.find(({ type }) => type === "strongPassword");
      return next ? fillStrong(page, state, next.offer, next.bits) : page.port.postMessage({ type: "again" });
    }
    case "own":
      await decline(page, state);
      state.own = true;
      return page.port.postMessage({ type: "clear", form: state.form.id });
    case "unlock":
      await call("unlock", { document: page.document }, {});
      return page.port.postMessage({ type: "again" });
  }
}

/** Declines the strong password in a form. */
async function decline(page, state) {
  await call("decline", { document: page.document }, { offer: state.used.offer });
  state.used = undefined;
}

async function fillStrong(page, state, offer, bits) {
  const filled = await call("fill", page.sender, { offer, form: state.form });
  page.noteUsed(offer);
  state.used = { offer, bits };
  fill(page, state, filled, { bits });
}

/** Sends the values to the document that requested them; `strong` marks them.
 * @param {import("./page.js").Page} page @param {any} state @param {any} filled @param {object} [strong] */
function fill(page, state, { values, credential }, strong) {
  if (credential) {
    remember(page.tab, page.origin, credential);
    page.chosen = { credential, at: Date.now() };
  }
  page.port.postMessage({ type: "fill", form: state.form.id, values, strong });
  page.menu = null;
}

/** A code for one field, or a character for each of several. */
function spread(fields, code) {
  if (fields.length < 2) return fields.map((field) => ({ field, value: code }));
  return fields.map((field, index) => ({ field, value: code[index] ?? "" }));
}
