// SPDX-License-Identifier: Apache-2.0
/** Searches all saved accounts: the daemon asks the user first. The list is discarded when this page closes. */
import { ask, element, icon, say, translate } from "./connection.js";
import { why, withCommands } from "./text.js";
import { copy } from "./tools.js";

translate("allPasswords");
/** @type {HTMLElement} */ (document.querySelector("h1")).textContent = say("allPasswords");
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const status = /** @type {HTMLElement} */ (document.getElementById("state"));
/** The maximum number of results that are shown. */
const shown = 50;

async function open() {
  status.textContent = say("asking");
  const { result, reasons } = await ask("search");
  status.textContent = "";
  if (!result) return main.replaceChildren(...why(reasons ?? []));
  const list = element("ul");
  const input = element("input", { type: "search", placeholder: say("searchHint"), ariaLabel: say("searchLabel"), value: decodeURIComponent(location.hash.slice(1)), oninput: () => show() });
  const show = () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = result.credentials.filter(({ user, label, services }) => {
      const text = [user, label, ...services.map(({ value }) => value)].join(" ").toLowerCase();
      return wanted.every((term) => text.includes(term));
    });
    list.replaceChildren(...found.slice(0, shown).map(line));
    if (found.length > shown) list.append(element("li", { className: "soft" }, say("more", String(found.length - shown))));
    if (found.length === 0) list.append(element("li", { className: "soft" }, say("noResult")));
  };
  main.replaceChildren(input, list);
  if (result.next) main.append(element("p", { className: "soft" }, ...withCommands(say("firstOfAll", String(result.credentials.length), "autofillctl list"))));
  input.focus();
  show();
}

/** The line of one result. */
function line({ credential, user, services }) {
  const [{ type, value }] = services;
  const origin = type === "domain" ? `https://${value}` : type === "origin" ? value : null;
  const buttons = [element("button", { onclick: () => copy(user) }, say("copyUser"))];
  if (origin) {
    buttons.push(element("button", { onclick: () => copy(() => ask("password", { origin, credential })) }, say("copyPassword")),
      element("button", { onclick: () => ask("open", { origin }) }, say("open")));
  }
  return element("li", { className: "account" }, icon(value), element("span", { title: value }, `${user} · ${value}`), ...buttons);
}

await open();
