// SPDX-License-Identifier: Apache-2.0
/** Further tools of the toolbar: a new password, and the clipboard. */
import { ask, element, say, strength, why } from "./connection.js";

const status = /** @type {HTMLElement} */ (document.getElementById("state"));

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
    status.textContent = say("copied");
    return;
  }
  const { result, reasons } = await what();
  if (!result) return status.replaceChildren(...why(reasons ?? []));
  await put(result.password);
  await ask("copied", { offer });
  status.textContent = say("copiedPassword");
}

/** A strong password for the site in a tab.
 * @param {number} tab */
export function generator(tab) {
  const section = element("section", { id: "generator" });
  const start = element("button", { onclick: () => draw() }, say("newStrong"));
  /** How it is drawn; by the user's setting at first. */
  let style = "";
  const styles = element("select", { ariaLabel: say("style"), onchange: (event) => { style = event.target.value; draw(drawn); } },
    ...["", "readable", "random"].map((value) => element("option", { value }, say(`style_${value}`))));
  /** The offer that is shown.
   * @type {string | undefined} */
  let drawn;
  section.append(element("h2", {}, say("newPassword")), start);
  async function draw(before) {
    if (before) await ask("decline", { offer: before });
    const { result, reasons } = await ask("generate", { tab, style: style || undefined });
    if (!result) return section.replaceChildren(element("h2", {}, say("newPassword")), ...why(reasons ?? []));
    const { offer, password, bits, length } = result;
    drawn = offer;
    const user = element("input", { type: "text", placeholder: say("userName"), ariaLabel: say("userName"), autocomplete: "off", spellcheck: false });
    const save = element("button", { onclick: async () => {
      const { result, reasons } = await ask("accept", { offer, user: user.value });
      if (result) section.replaceChildren(element("h2", {}, say("newPassword")), element("p", { className: "soft" }, say("savedFor", user.value)), start);
      else status.replaceChildren(...why(reasons ?? []));
    } }, say("bar_saveNow"));
    section.replaceChildren(element("h2", {}, say("newPassword")), element("output", { className: "password" }, password),
      element("p", { className: "soft" }, say("generated", String(length), strength(bits))),
      element("div", { className: "row" },
        element("button", { className: "copy", onclick: () => copy(async () => ({ result: { password } }), offer) }, say("copy")),
        element("button", { onclick: () => draw(offer) }, say("another")), styles),
      element("div", { className: "row" }, user, save));
  }
  return section;
}
