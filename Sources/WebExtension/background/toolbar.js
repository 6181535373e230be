// SPDX-License-Identifier: Apache-2.0
/** Answers the toolbar's popup and the options. Both are pages of this extension, which no site can embed or access. */
import { remember } from "./act.js";
import { changePage } from "./change.js";
import { emptyLater } from "./clipboard.js";
import { give } from "./commands.js";
import { generate } from "./generate.js";
import { Refused, call, state } from "./host.js";
import { originOf } from "./origin.js";
import { decide, pendingAt } from "./outcome.js";
import { restore } from "./saving.js";
import { serveSignIn } from "./signin.js";
import * as sites from "./sites.js";

/** @param {chrome.runtime.Port} port @param {Set<import("./page.js").Page>} pages */
export function serveToolbar(port, pages) {
  /** Offers that were drawn here and not used yet.
   * @type {Set<string>} */
  const drawn = new Set();
  let isOpen = true;
  const send = (message) => isOpen && port.postMessage(message);
  port.onMessage.addListener(async (message) => {
    try {
      send({ id: message.id, result: (await answer(message, pages, drawn)) ?? null });
    } catch (error) {
      const isRefused = error instanceof Refused;
      // What the popup waits for always ends.
      send({ id: message.id, reasons: isRefused ? error.reasons : [], message: isRefused ? error.message : "" });
      if (!isRefused) throw error;
    }
  });
  port.onDisconnect.addListener(() => {
    isOpen = false;
    for (const offer of drawn) call("decline", {}, { offer }).catch(() => {});
  });
}

async function answer(message, pages, drawn) {
  switch (message.type) {
    case "state": return stateOf(message.tab, pages);
    case "unlock": return call("unlock", {}, {});
    case "lock": return call("lock", {}, {});
    case "fillChosen": {
      const { origin } = await site(message.tab);
      remember(message.tab, String(origin), message.credential);
      return give("fill", { id: message.tab }, 0);
    }
    case "history": return ((await call("history", await site(message.tab), { credential: message.credential })).history ?? []).map(({ replaced }) => replaced);
    case "update": return call("update", {}, { credential: message.credential, newUser: message.newUser, notes: message.notes, ifVersion: message.ifVersion });
    case "delete": return call("delete", {}, { credential: message.credential });
    case "code": return call("code", await site(message.tab), { credential: message.credential });
    case "restore": return restore(await site(message.tab), message.credential, { replaced: message.replaced });
    case "accounts": return call("list", await site(message.tab), { limit: 100, interaction: message.ask ? "allow" : "forbid" });
    case "password": {
      const { origin, tab, credential } = message;
      return call("get", origin ? { origin, topOrigin: origin } : await site(tab), { credential });
    }
    case "copied":
      drawn.delete(message.offer);
      return emptyLater();
    case "generate": {
      const made = await generate(message.tab, await site(message.tab), message.wanted);
      drawn.add(made.offer);
      return made;
    }
    case "accept": {
      // Also if this popup closes while the user is asked.
      drawn.delete(message.offer);
      return call("accept", {}, { offer: message.offer, user: message.user });
    }
    case "decline":
      drawn.delete(message.offer);
      return call("decline", {}, { offer: message.offer });
    case "search": return call("search", {}, { limit: 500 });
    case "change": {
      const { origin } = await site(message.tab);
      const tab = await chrome.tabs.create({ url: await changePage(origin) });
      return remember(tab.id, origin, message.credential);
    }
    case "open": return /^https?:/.test(message.origin) && chrome.tabs.create({ url: message.origin });
    case "signIn": return serveSignIn(message);
    case "decide": return decide(message.outcome, message.choice, message.user, message.replaces === true);
    case "choice": return sites.set(message.origin, message.change);
    case "choices": return sites.all();
    case "status": return call("status", {}, {});
    case "confirm": {
      const page = [...pages].find((page) => page.tab === message.tab && page.pending);
      return page?.confirm(message.index);
    }
  }
}

async function site(tab) {
  const { url } = await chrome.tabs.get(tab);
  const origin = originOf({ url });
  return { origin, topOrigin: origin };
}

/** @param {number} tab @param {string | undefined} origin */
async function undecidedAt(tab, origin) {
  return pendingAt(origin, (await chrome.tabs.get(tab)).incognito === true);
}

async function stateOf(tab, pages) {
  const { origin } = await site(tab);
  let vault = state.vault;
  try {
    vault = (await call("status", {}, {})).vault;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { origin, site: sites.shownHost(origin ?? ""), absence: error.reasons[0], choice: await sites.choice(origin), undecided: await undecidedAt(tab, origin), reasons: [] };
  }
  const own = [...pages].filter((page) => page.tab === tab);
  const pending = own.find((page) => page.pending);
  return {
    origin, site: sites.shownHost(origin ?? ""), vault, choice: await sites.choice(origin), undecided: await undecidedAt(tab, origin), reasons: own.flatMap((page) => page.reasons),
    pending: pending && { site: sites.shownHost(pending.origin), items: pending.pending.index === undefined
      ? pending.pending.menu.items : [pending.pending.menu.items[pending.pending.index]] },
  };
}
