// SPDX-License-Identifier: Apache-2.0
/** Further tools of the toolbar: a new password, and the clipboard. */
import { ask, element, why } from "./connection.js";

const status = /** @type {HTMLElement} */ (document.getElementById("state"));

/** The strength of a password, by the number of guesses.
 * @param {string} bits */
const strength = (bits) => ["weak", "medium", "strong", "very strong"][[36, 48, 64].filter((least) => Number(bits) >= least).length];

/** @param {string} text */
async function put(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A prompt of the daemon has the focus.
    const field = document.body.appendChild(document.createElement("textarea"));
    field.value = text;
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/**
 * Copies a user name, or a password, which is later removed from the clipboard.
 *
 * @param {string | (() => Promise<import("./connection.js").Answer>)} what the text, or a function that requests a password
 * @param {string} [offer] the password's offer
 */
export async function copy(what, offer) {
  if (typeof what === "string") {
    await put(what);
    status.textContent = "Copied";
    return;
  }
  const { result, reasons } = await what();
  if (!result) return status.replaceChildren(...why(reasons ?? []));
  await put(result.password);
  await ask("copied", { offer });
  status.textContent = "Copied; the clipboard is emptied in 45 seconds";
}

/** A strong password for the site in a tab.
 * @param {number} tab */
export function generator(tab) {
  const section = element("section", { id: "generator" });
  const start = element("button", { onclick: () => draw() }, "New Strong Password…");
  section.append(element("h2", {}, "New password"), start);
  async function draw(before) {
    if (before) await ask("decline", { offer: before });
    const { result, reasons } = await ask("generate", { tab });
    if (!result) return section.replaceChildren(element("h2", {}, "New password"), ...why(reasons ?? []));
    const { offer, password, bits, length } = result;
    const user = element("input", { type: "text", placeholder: "User name", ariaLabel: "User name", autocomplete: "off", spellcheck: false });
    const save = element("button", { onclick: async () => {
      const { result, reasons } = await ask("accept", { offer, user: user.value });
      if (result) section.replaceChildren(element("h2", {}, "New password"), element("p", { className: "soft" }, `Saved for ${user.value}`), start);
      else status.replaceChildren(...why(reasons ?? []));
    } }, "Save");
    section.replaceChildren(element("h2", {}, "New password"), element("output", { className: "password" }, password),
      element("p", { className: "soft" }, `${length} characters, ${strength(bits)}, by the rules of the site. It is stored already. It is saved when the site accepts it, or with a user name here.`),
      element("div", { className: "row" },
        element("button", { className: "copy", onclick: () => copy(async () => ({ result: { password } }), offer) }, "Copy"),
        element("button", { onclick: () => draw(offer) }, "Another")),
      element("div", { className: "row" }, user, save));
  }
  return section;
}
