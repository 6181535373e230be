// SPDX-License-Identifier: Apache-2.0
/** A search in all that is saved: the daemon asks for leave first. What it lists is forgotten with this page. */
import { ask, element, why } from "./connection.js";
import { copy } from "./tools.js";

const place = /** @type {HTMLElement} */ (document.getElementById("main"));
const status = /** @type {HTMLElement} */ (document.getElementById("state"));
/** How many of those that are found are shown. */
const shown = 50;

async function open() {
  status.textContent = "Asking…";
  const { result, reasons } = await ask("search");
  status.textContent = "";
  if (!result) return place.replaceChildren(...why(reasons ?? []));
  const list = element("ul");
  const words = element("input", { type: "search", placeholder: "Site or user", ariaLabel: "Search all passwords", oninput: () => show() });
  const show = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = result.credentials.filter(({ user, label, services }) => {
      const text = [user, label, ...services.map(({ value }) => value)].join(" ").toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
    list.replaceChildren(...found.slice(0, shown).map(line));
    if (found.length > shown) list.append(element("li", { className: "soft" }, `${found.length - shown} more`));
    if (found.length === 0) list.append(element("li", { className: "soft" }, "Nothing is found."));
  };
  place.replaceChildren(words, list);
  if (result.next) place.append(element("p", { className: "soft" }, `The first ${result.credentials.length} of all: autofillctl list has the rest.`));
  words.focus();
  show();
}

/** One that was found. */
function line({ user, services }) {
  const [{ type, value }] = services;
  const origin = type === "domain" ? `https://${value}` : type === "origin" ? value : null;
  const buttons = [element("button", { onclick: () => copy(user) }, "Copy User")];
  if (origin) {
    buttons.push(element("button", { onclick: () => copy(() => ask("password", { origin, user })) }, "Copy Password"),
      element("button", { onclick: () => ask("open", { origin }) }, "Open"));
  }
  return element("li", { className: "account" }, element("span", { title: value }, `${user} · ${value}`), ...buttons);
}

await open();
