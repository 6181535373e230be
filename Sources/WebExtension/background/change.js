// SPDX-License-Identifier: Apache-2.0
/**
 * Where a site has its password changed: A Well-Known URL for Changing Passwords (W3C), and Detecting the Reliability of HTTP Status
 * Codes. Nothing of the person goes along: no cookies, no referrer.
 */
import { Refused, call } from "./host.js";

const place = "/.well-known/change-password";
/** A site that has this one too says of its status codes nothing. */
const nowhere = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
/** Milliseconds in which a site must answer. */
const patience = 8000;

/** Whether a site has something at a path, as far as its status says.
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
 * @returns {Promise<string>} the page to open: the well-known one, else the one that is publicly known, else the site
 */
export async function changePage(origin) {
  if (origin.startsWith("https:")) {
    try {
      const [isThere, isUnreliable] = await Promise.all([has(origin + place), has(origin + nowhere)]);
      if (isThere && !isUnreliable) return origin + place;
    } catch {
      // It cannot be reached from here, or too slowly: what else is known of it.
    }
  }
  return (await known(origin)) ?? `${origin}/`;
}

/** @param {string} origin @returns {Promise<string | undefined>} the address that the daemon knows, of https alone */
async function known(origin) {
  const fields = [{ id: "password", type: "password", autocomplete: "current-password" }];
  try {
    const { site } = await call("suggest", { origin, topOrigin: origin }, { fields });
    return site?.changePassword?.startsWith("https:") ? site.changePassword : undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return undefined;
  }
}
