// SPDX-License-Identifier: Apache-2.0
/**
 * HTTP authentication of whole pages: a window of this extension, in which the user chooses, replaces the browser's own dialog.
 * Other requests, and requests that the server has refused once, get the browser's dialog.
 */
import { Refused, call } from "./host.js";
import * as sites from "./sites.js";

/** The pages that wait, by the name of the window's page.
 * @type {Map<string, {request: string, origin: string, tab: number, window?: number, finish: (answer: object) => void}>} */
const waiting = new Map();
/** Requests that were answered: if one is asked again, the answer was wrong.
 * @type {Set<string>} */
const served = new Set();
/** Requests about which the daemon is asked.
 * @type {Set<string>} */
const considered = new Set();

/** @param {chrome.webRequest.OnAuthRequiredDetails} details @returns {Promise<object>} the answer for the browser */
async function answer({ requestId, isProxy, type, url, challenger, tabId }) {
  const { origin, hostname } = new URL(url);
  // Subresources of a page, and requests to another host than the page's address, are not served.
  if (isProxy || type !== "main_frame" || tabId < 0 || challenger.host !== hostname.replace(/^\[|\]$/g, "") || served.has(requestId)) return {};
  considered.add(requestId);
  const isWanted = !(await sites.choice(origin)).off && (await soon(mayHaveSome(origin)));
  if (!considered.delete(requestId) || !isWanted) return {};
  return new Promise((resolve) => ask(requestId, origin, tabId, resolve));
}

/** A promise's value if it resolves within three seconds: a page does not wait longer for the daemon.
 * @template Value @param {Promise<Value>} promise @returns {Promise<Value | undefined>} */
function soon(promise) {
  return Promise.race([promise, new Promise((resolve) => setTimeout(() => resolve(undefined), 3000))]);
}

/** Whether credentials may be saved for a page; without a grant this cannot be determined.
 * @param {string} origin */
async function mayHaveSome(origin) {
  try {
    return (await call("list", { origin, topOrigin: origin }, { limit: 1, interaction: "forbid" })).credentials.length > 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.reasons.some(({ reason }) => ["interaction-required", "grant-missing", "vault-locked"].includes(reason));
  }
}

/** @param {string} request @param {string} origin @param {number} tab @param {(answer: object) => void} resolve */
async function ask(request, origin, tab, resolve) {
  for (const [other, { tab: its }] of waiting) if (its === tab) end(other, {});
  const name = crypto.randomUUID();
  const finish = (given) => {
    if ("authCredentials" in given) served.add(request);
    resolve(given);
  };
  waiting.set(name, { request, origin, tab, finish });
  try {
    const opened = await chrome.windows.create({ url: chrome.runtime.getURL(`popup/signin.html#${name}`), type: "popup", width: 380, height: 300 });
    const asked = waiting.get(name);
    if (asked) asked.window = opened?.id;
    else if (opened?.id !== undefined) await chrome.windows.remove(opened.id);
  } catch {
    end(name, {});
  }
}

/** @param {string} name @param {object} given */
function end(name, given) {
  const asked = waiting.get(name);
  if (!asked) return;
  waiting.delete(name);
  asked.finish(given);
  if (asked.window !== undefined) chrome.windows.remove(asked.window).catch(() => {});
}

/** Answers a request of the window.
 * @param {any} message */
export async function serveSignIn({ name, step, credential }) {
  const asked = waiting.get(name);
  if (!asked) return null;
  const sender = { origin: asked.origin, topOrigin: asked.origin };
  switch (step) {
    case "accounts": return { origin: asked.origin, ...(await call("list", sender, { limit: 100, interaction: "forbid" })) };
    case "site": return { origin: asked.origin };
    case "cancel": return end(name, {});
    case "use": {
      // Without an id the user chooses in the daemon's prompt.
      const chosen = credential === undefined ? await call("fill", sender, {}) : await call("get", sender, { credential });
      const { user: username, password } = chosen;
      return end(name, { authCredentials: { username, password } });
    }
  }
}

chrome.windows.onRemoved.addListener((id) => {
  for (const [name, { window }] of waiting) if (window === id) end(name, {});
});
chrome.tabs.onRemoved.addListener((id) => {
  for (const [name, { tab }] of waiting) if (tab === id) end(name, {});
});
/** The request is over, also where the user has stopped it or opened another address: there is nothing to answer any more. */
const over = ({ requestId }) => {
  for (const all of [served, considered]) all.delete(requestId);
  for (const [name, { request }] of waiting) if (request === requestId) end(name, {});
};
const pages = { urls: ["https://*/*", "http://*/*"], types: /** @type {const} */ (["main_frame"]) };
chrome.webRequest.onCompleted.addListener(over, pages);
chrome.webRequest.onErrorOccurred.addListener(over, pages);
chrome.webRequest.onAuthRequired.addListener((details, respond) => {
  answer(details).then(respond, () => respond?.({}));
}, pages, ["asyncBlocking"]);
