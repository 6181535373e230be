// SPDX-License-Identifier: Apache-2.0
/** Routes the messages of documents, menus and the toolbar. The browser, never the page, identifies the sender. */
import "./commands.js";
import { forgetTab } from "./act.js";
import { events, observers, state } from "./host.js";
import { isNear } from "./origin.js";
import { saveAccepted } from "./outcome.js";
import { Page, ready } from "./page.js";
import { serveBar } from "./question.js";
import { hostOf } from "./sites.js";
import { serveToolbar } from "./toolbar.js";

/** The documents that have forms.
 * @type {Set<Page>} */
const pages = new Set();

chrome.runtime.onConnect.addListener((port) => {
  const { sender } = port;
  if (!sender || (sender.id !== undefined && sender.id !== chrome.runtime.id)) return port.disconnect();
  const isOurs = sender.url?.startsWith(chrome.runtime.getURL("")) || isOwnOrigin(sender.origin);
  if (port.name === "page" && !isOurs && sender.tab) return servePage(port);
  if (port.name === "menu" && isOurs && sender.tab) return serveMenu(port);
  if (port.name === "bar" && isOurs && sender.tab) return serveBar(port);
  // The popup and the options; no site can embed them in a frame.
  if (port.name === "toolbar" && isOurs && (!sender.tab || sender.frameId === 0)) return serveToolbar(port, pages);
  port.disconnect();
});

function isOwnOrigin(origin) {
  return origin !== undefined && origin === new URL(chrome.runtime.getURL("")).origin;
}

function servePage(port) {
  const page = new Page(port);
  pages.add(page);
  port.onMessage.addListener((message) => {
    page.receive(message).catch((error) => console.error(error.name));
  });
  port.onDisconnect.addListener(() => {
    pages.delete(page);
    page.end();
  });
}

function serveMenu(port) {
  /** @type {string | undefined} */
  let token;
  port.onMessage.addListener((message) => {
    if (message.type === "token" && token === undefined) {
      token = String(message.token);
      if (ready.has(token)) return;
      ready.set(token, port);
      // Without a menu of this name it waits until that is made.
      [...pages].some((candidate) => candidate.attach(port, token));
      return;
    }
    const page = [...pages].find((candidate) => candidate.menu?.port === port);
    if (page) {
      if (message.type === "choose") page.choose(message.index, message.isSure === true).catch((error) => console.error(error.name));
      else if (message.type === "height") page.port.postMessage({ type: "height", height: message.height });
      else if (message.type === "close") page.port.postMessage({ type: "close", refocus: message.refocus });
    }
  });
  port.onDisconnect.addListener(() => {
    if (token !== undefined && ready.get(token) === port) ready.delete(token);
    for (const page of pages) page.forgetPort(port);
  });
}

/** The toolbar's badge shows whether the daemon is available. */
function mark() {
  const text = state.absence ? "!" : "";
  chrome.action.setBadgeText({ text });
  chrome.action.setTitle({ title: state.absence ? chrome.i18n.getMessage("titleAbsent", [state.absence.message]) : chrome.i18n.getMessage("title") });
}
observers.push(mark);

/** The vault was opened, or the daemon restarted. */
function renew() {
  if (state.vault !== "unlocked") return;
  for (const page of pages) page.port.postMessage({ type: "unlocked" });
  saveAccepted();
}
events.set("connected", renew);
events.set("vaultUnlocked", renew);

/** Saved credentials were changed, here or elsewhere: a menu of that site is out of date. */
events.set("credentialsChanged", ({ service }) => {
  for (const page of pages) if (!service || service.type !== "url" && isNear(page.site, hostOf(service.value))) page.port.postMessage({ type: "changed" });
});

chrome.tabs.onRemoved.addListener(forgetTab);
