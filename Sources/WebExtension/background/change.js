// SPDX-License-Identifier: Apache-2.0
/**
 * Finds the page on which a site's password is changed: A Well-Known URL for Changing Passwords (W3C), and Detecting the Reliability
 * of HTTP Status Codes. The requests carry no data of the user: no cookies, no referrer.
 */
import { Refused, call } from "./host.js";

const path = "/.well-known/change-password";
/** If a site has this one too, its status codes are unreliable. */
const nowhere = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
/** Milliseconds in which a site must answer. */
const patience = 8000;

/** Whether a site has a page at a URL, by its status code.
 * @param {string} url */
async function has(url) {
  const control = new AbortController();
  const alarm = setTimeout(() => control.abort(), patience);
  const answer = await fetch(url, {
    credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", redirect: "follow", signal: control.signal,
  });
  clearTimeout(alarm);
  answer.body?.cancel();
  return answer.ok;
}

/**
 * @param {string} origin
 * @returns {Promise<string>} the page to open: the well-known one, else the publicly known one, else the site
 */
export async function changePage(origin) {
  if (origin.startsWith("https:")) {
    try {
      const [isThere, isUnreliable] = await Promise.all([has(origin + path), has(origin + nowhere)]);
      if (isThere && !isUnreliable) return origin + path;
    } catch {
      // It cannot be reached, or not in time: use the publicly known page.
    }
  }
  return (await publicPage(origin)) ?? `${origin}/`;
}

/** @param {string} origin @returns {Promise<string | undefined>} the daemon's address for the site; https only */
async function publicPage(origin) {
  const fields = [{ id: "password", type: "password", autocomplete: "current-password" }];
  try {
    const { site } = await call("suggest", { origin, topOrigin: origin }, { form: { fields } });
    return site?.changePassword?.startsWith("https:") ? site.changePassword : undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return undefined;
  }
}
