// SPDX-License-Identifier: Apache-2.0
/** Searches all saved accounts: the daemon asks the user first. The list is discarded when this page closes. */
import { ask, element, why } from "./connection.js";
import { copy } from "./tools.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const status = /** @type {HTMLElement} */ (document.getElementById("state"));
/** The maximum number of results that are shown. */
const shown = 50;

async function open() {
  status.textContent = "Asking…";
  const { result, reasons } = await ask("search");
  status.textContent = "";
  if (!result) return main.replaceChildren(...why(reasons ?? []));
  const list = element("ul");
  const input = element("input", { type: "search", placeholder: "Site or user", ariaLabel: "Search all passwords", oninput: () => show() });
  const show = () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = result.credentials.filter(({ user, label, services }) => {
      const text = [user, label, ...services.map(({ value }) => value)].join(" ").toLowerCase();
      return wanted.every((term) => text.includes(term));
    });
    list.replaceChildren(...found.slice(0, shown).map(line));
    if (found.length > shown) list.append(element("li", { className: "soft" }, `${found.length - shown} more`));
    if (found.length === 0) list.append(element("li", { className: "soft" }, "Nothing is found."));
  };
  main.replaceChildren(input, list);
  if (result.next) main.append(element("p", { className: "soft" }, `The first ${result.credentials.length} of all: autofillctl list has the rest.`));
  input.focus();
  show();
}

/** The line of one result. */
function line({ credential, user, services }) {
  const [{ type, value }] = services;
  const origin = type === "domain" ? `https://${value}` : type === "origin" ? value : null;
  const buttons = [element("button", { onclick: () => copy(user) }, "Copy User")];
  if (origin) {
    buttons.push(element("button", { onclick: () => copy(() => ask("password", { origin, credential })) }, "Copy Password"),
      element("button", { onclick: () => ask("open", { origin }) }, "Open"));
  }
  return element("li", { className: "account" }, element("span", { title: value }, `${user} · ${value}`), ...buttons);
}

await open();
