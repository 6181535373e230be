// SPDX-License-Identifier: Apache-2.0
/**
 * The context menu and the keyboard commands: both belong to the browser, so no page can use them or draw over them. A command
 * applies to the field with the focus.
 *
 * @typedef {"menu" | "fill" | "strong" | "why"} Command
 */

/** The commands that were given for a tab and not performed: a document proves one by its name.
 * @type {Map<string, {tab: number, command: Command, at: number}>} */
const given = new Map();
/** The time limit for a document to return a command with the form, in milliseconds. */
const patience = 5000;

/** The command of a name that a document of a tab returns; each name is valid once.
 * @param {string | undefined} name @param {number} tab @returns {Command | undefined} */
export function take(name, tab) {
  const found = name === undefined ? undefined : given.get(name);
  if (!found || found.tab !== tab || Date.now() - found.at > patience) return undefined;
  given.delete(String(name));
  return found.command;
}

/** @param {Command} command @param {chrome.tabs.Tab | undefined} tab @param {number} [frame] the clicked frame; without it the one with the focus */
export async function give(command, tab, frame) {
  if (tab?.id === undefined) return;
  for (const [name, { at }] of given) if (Date.now() - at > patience) given.delete(name);
  const name = crypto.randomUUID();
  given.set(name, { tab: tab.id, command, at: Date.now() });
  try {
    await chrome.tabs.sendMessage(tab.id, { type: "command", name, isForAll: frame === undefined }, frame === undefined ? {} : { frameId: frame });
  } catch {
    // The page has no content script: it is one of the browser's own.
  }
}

const commands = ["fill", "strong", "menu", "why"];

function putMenus() {
  chrome.contextMenus.removeAll(() => {
    const patterns = { contexts: /** @type {const} */ (["editable"]), documentUrlPatterns: ["https://*/*", "http://*/*"] };
    chrome.contextMenus.create({ id: "passwords", title: chrome.i18n.getMessage("title"), ...patterns });
    for (const id of commands) chrome.contextMenus.create({ id, title: chrome.i18n.getMessage(`context_${id}`), parentId: "passwords", ...patterns });
  });
}
chrome.runtime.onInstalled.addListener(putMenus);
chrome.runtime.onStartup.addListener(putMenus);

chrome.contextMenus.onClicked.addListener(({ menuItemId, frameId }, tab) => {
  if (commands.includes(String(menuItemId))) return give(/** @type {Command} */ (menuItemId), tab, frameId);
});

chrome.commands.onCommand.addListener((command, tab) => {
  if (commands.includes(command)) return give(/** @type {Command} */ (command), tab);
});
