// SPDX-License-Identifier: Apache-2.0
/** What the toolbar's popup and the options ask for. Both are pages of this extension, which no site can show or reach. */
import { emptyLater } from "./clipboard.js";
import { Refused, call, state } from "./host.js";
import { originOf } from "./page.js";
import * as sites from "./sites.js";

/** @param {chrome.runtime.Port} port @param {Set<import("./page.js").Page>} pages */
export function serveToolbar(port, pages) {
  port.onMessage.addListener(async (message) => {
    try {
      port.postMessage({ id: message.id, result: (await answer(message, pages)) ?? null });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      port.postMessage({ id: message.id, reasons: error.reasons, message: error.message });
    }
  });
}

async function answer(message, pages) {
  switch (message.type) {
    case "state": return stateOf(message.tab, pages);
    case "unlock": return call("unlock", {}, {});
    case "accounts": return call("list", await site(message.tab), { limit: 100, interaction: message.ask ? "allow" : "forbid" });
    case "password": return call("get", await site(message.tab), { user: message.user });
    case "copied": return emptyLater();
    case "choice": return sites.set(message.origin, message.change);
    case "choices": return sites.all();
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

async function stateOf(tab, pages) {
  const { origin } = await site(tab);
  let vault = state.vault;
  try {
    vault = (await call("status", {}, {})).vault;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { origin, absence: error.reasons[0], choice: await sites.choice(origin), reasons: [] };
  }
  const own = [...pages].filter((page) => page.tab === tab);
  const pending = own.find((page) => page.pending);
  return {
    origin, vault, choice: await sites.choice(origin), reasons: own.flatMap((page) => page.reasons),
    pending: pending && { site: pending.site, items: pending.pending.index === undefined
      ? pending.pending.menu.items : [pending.pending.menu.items[pending.pending.index]] },
  };
}
