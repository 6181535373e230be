// SPDX-License-Identifier: Apache-2.0
/** What the toolbar does besides what is saved for the page: a new password, and the clipboard. */
import { ask, element, why } from "./connection.js";

const status = /** @type {HTMLElement} */ (document.getElementById("state"));

/** @param {string} text */
async function put(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A prompt of the daemon's has taken the focus.
    const field = document.body.appendChild(document.createElement("textarea"));
    field.value = text;
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/**
 * Puts a user name into the clipboard, or a password, which is taken out again.
 *
 * @param {string | (() => Promise<import("./connection.js").Answer>)} what the text, or what asks for an answer with a password
 * @param {string} [offer] the one that the password is of
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
  const place = element("section", { id: "generator" });
  const start = element("button", { onclick: () => draw() }, "New Strong Password…");
  place.append(element("h2", {}, "New password"), start);
  async function draw(before) {
    if (before) await ask("decline", { offer: before });
    const { result, reasons } = await ask("generate", { tab });
    if (!result) return place.replaceChildren(element("h2", {}, "New password"), ...why(reasons ?? []));
    const { offer, password, bits, length } = result;
    const user = element("input", { type: "text", placeholder: "User name", ariaLabel: "User name", autocomplete: "off", spellcheck: false });
    const save = element("button", { onclick: async () => {
      const { result, reasons } = await ask("accept", { offer, user: user.value });
      if (result) place.replaceChildren(element("h2", {}, "New password"), element("p", { className: "soft" }, `Saved for ${user.value}`), start);
      else status.replaceChildren(...why(reasons ?? []));
    } }, "Save");
    place.replaceChildren(element("h2", {}, "New password"), element("output", { className: "password" }, password),
      element("p", { className: "soft" }, `${length} characters, ${Math.floor(Number(bits))} bits, by the rules of the site. It is kept already: it is saved when the site takes it, or with a user name here.`),
      element("div", { className: "row" },
        element("button", { className: "copy", onclick: () => copy(async () => ({ result: { password } }), offer) }, "Copy"),
        element("button", { onclick: () => draw(offer) }, "Another")),
      element("div", { className: "row" }, user, save));
  }
  return place;
}
