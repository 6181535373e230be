// SPDX-License-Identifier: Apache-2.0
/** Further tools of the toolbar: a new password, and the clipboard. */
import { ask, element, say, strength } from "./connection.js";
import { put, why } from "./text.js";

const status = /** @type {HTMLElement} */ (document.getElementById("state"));

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

/** A strong password for the site in a tab: in the style and of the length that the user chooses.
 * @param {number} tab */
export function generator(tab) {
  const section = element("section", { id: "generator" });
  const title = element("h2", {}, say("newPassword"));
  const start = element("button", { onclick: () => draw({}) }, say("newStrong"));
  const password = element("output", { className: "password" });
  const about = element("p", { className: "soft", role: "status" });
  const refused = element("div", { className: "why" });
  const styles = element("select", { ariaLabel: say("style"), onchange: () => draw({ style: styles.value }) },
    ...["readable", "random"].map((value) => element("option", { value }, say(`style_${value}`))));
  const number = element("output");
  const length = element("input", {
    type: "range", ariaLabel: say("length"), oninput: () => { number.textContent = length.value; }, onchange: () => { if (Number(length.value) !== asked) draw({ style: "random", length: Number(length.value) }); },
  });
  const lengths = element("div", { className: "row", id: "length" }, element("span", { ariaHidden: "true" }, say("length")), length, number);
  const user = element("input", { type: "text", placeholder: say("userName"), ariaLabel: say("userName"), autocomplete: "off", spellcheck: false });
  const more = [
    element("div", { className: "row" },
      element("button", { className: "copy", onclick: () => copy(async () => ({ result: { password: password.textContent } }), offer) }, say("copy")),
      element("button", { className: "another", onclick: () => draw(wanted) }, say("another")), styles),
    lengths, refused, element("div", { className: "row" }, user, element("button", { className: "save", onclick: save }, say("bar_saveNow"))),
  ];
  /** How it is drawn; by the user's settings at first.
   * @type {{style?: string, length?: number}} */
  let wanted = {};
  /** The length that was asked for last, or drawn.
   * @type {number | undefined} */
  let asked;
  /** The offer that is shown.
   * @type {string | undefined} */
  let offer;
  let isBusy = false;
  section.append(title, start);

  /** Draws one; what is asked for meanwhile comes after it.
   * @param {{style?: string, length?: number}} next */
  async function draw(next) {
    [wanted, asked] = [next, next.length ?? asked];
    if (isBusy) return;
    isBusy = true;
    do next = wanted; while (await drawOnce(next), next !== wanted);
    isBusy = false;
  }

  /** @param {{style?: string, length?: number}} how */
  async function drawOnce(how) {
    const { result, reasons } = await ask("generate", { tab, wanted: how });
    if (!result) {
      refused.replaceChildren(...why(reasons ?? []));
      if (!offer) section.replaceChildren(title, refused);
      return;
    }
    if (offer) await ask("decline", { offer });
    offer = result.offer;
    password.textContent = result.password;
    about.textContent = say("generated", String(result.length), strength(result.bits));
    // The site's rules may allow no readable one.
    refused.replaceChildren(...(how.style === "readable" && result.style !== "readable" ? [element("p", {}, say("styleNot"))] : []));
    styles.value = result.style;
    [length.min, length.max] = result.lengths.map(String);
    lengths.hidden = result.style !== "random" || length.min === length.max;
    // The slider may have been moved further meanwhile.
    if (how === wanted) number.textContent = length.value = String(asked = result.length);
    if (!more[0].isConnected) section.replaceChildren(title, password, about, ...more);
  }

  async function save() {
    const { result, reasons } = await ask("accept", { offer, user: user.value });
    if (!result) return status.replaceChildren(...why(reasons ?? []));
    offer = undefined;
    section.replaceChildren(title, element("p", { className: "soft" }, say("savedFor", user.value)), start);
  }
  return section;
}
