// SPDX-License-Identifier: Apache-2.0
/** The options: when the user is asked, the keys, the sites with a choice of their own, the theme, and what is installed. */
import { setSettings, settings } from "../background/settings.js";
import { ask, element, say, translate } from "../popup/connection.js";
import { why, withCommands } from "../popup/text.js";

translate("options");
/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const manual = /** @type {HTMLInputElement} */ (part("opens"));

/** Radio buttons for the values of a setting, each with its text.
 * @param {"ask" | "theme"} name @param {string} title @param {Record<string, string>} values @param {string} chosen */
function radios(name, title, values, chosen) {
  part(name).ariaLabel = title;
  part(name).replaceChildren(...Object.entries(values).map(([value, text]) => element("label", { className: "choice" },
    element("input", { type: "radio", name, value, checked: value === chosen, onchange: () => setSettings({ [name]: value }) }), element("span", {}, text))));
}

async function showSettings() {
  const { ask, theme, isManual } = await settings();
  radios("ask", say("askTitle"), { bar: say("ask_bar"), toolbar: say("ask_toolbar"), never: say("ask_never") }, ask);
  radios("theme", say("themeTitle"), { system: say("theme_system"), light: say("theme_light"), dark: say("theme_dark") }, theme);
  manual.checked = !isManual;
}
manual.addEventListener("change", () => setSettings({ isManual: !manual.checked }));

/** The keys, as the browser has them. */
async function showKeys() {
  const commands = await chrome.commands.getAll();
  part("keys").replaceChildren(...commands.map(({ name, description, shortcut }) => element("li", {},
    element("span", {}, name === "_execute_action" ? say("commandPopup") : description ?? name ?? ""),
    shortcut ? element("kbd", { dir: "ltr" }, shortcut) : element("span", { className: "value" }, say("keysNone")))));
}

part("keysChange").addEventListener("click", async () => {
  try {
    if (chrome.commands.openShortcutSettings) await chrome.commands.openShortcutSettings();
    else await chrome.tabs.create({ url: "chrome://extensions/shortcuts" });
  } catch {
    part("keysHow").textContent = say("keysHow"); // Firefox before 137
  }
});

/** The sites for which the user has set a choice. */
async function showSites() {
  const sites = Object.entries((await ask("choices")).result);
  part("sites").replaceChildren(...sites.map(([host, { off, neverSave }]) => element("li", {},
    element("span", {}, host), element("span", { className: "value" }, [off && say("siteOff"), neverSave && say("siteNever")].filter(Boolean).join(", ")),
    element("button", { ariaLabel: say("forgetSite", host), onclick: async () => { await ask("choice", { origin: host, change: { off: false, neverSave: false } }); await showSites(); } }, say("forget")))));
  if (sites.length === 0) part("sites").append(element("li", { className: "soft" }, say("noneSet")));
}

/** The versions, and the state of the daemon: why it is not there, where it is not. */
async function showAbout() {
  const { result, reasons } = await ask("status");
  const line = (name, value) => element("li", {}, element("span", {}, say(name)), element("span", { className: "value" }, value));
  part("about").replaceChildren(line("aboutExtension", chrome.runtime.getManifest().version),
    ...(result ? [line("aboutDaemon", result.daemon?.daemonVersion ?? say("aboutRuns")), line("aboutVault", say(`vault_${result.vault}`) || result.vault)] : []));
  part("more").replaceChildren(...(reasons ? why(reasons) : withCommands(say("aboutMore", "autofillctl settings list"))));
}

async function show() {
  await Promise.all([showSettings(), showKeys(), showSites(), showAbout()]);
}
// What was changed elsewhere, in the browser's list of keys or the popup.
window.addEventListener("focus", show);
await show();
