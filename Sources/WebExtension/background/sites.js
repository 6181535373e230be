// SPDX-License-Identifier: Apache-2.0
/**
 * The user's choices for single sites: stored by this extension, in this browser only. They contain no secret.
 *
 * @typedef {{off?: boolean, neverSave?: boolean}} Choice
 */
import { store, stored } from "./stored.js";

/** @returns {Promise<Record<string, Choice>>} by host */
export async function all() {
  return (await stored()).sites ?? {};
}

/** @param {string} origin @returns {Promise<Choice>} */
export async function choice(origin) {
  return (await all())[hostOf(origin)] ?? {};
}

/** @param {string} origin an origin or a host @param {Choice} change */
export async function set(origin, change) {
  const sites = { ...(await all()) };
  const host = hostOf(origin);
  const next = { ...sites[host], ...change };
  if (next.off || next.neverSave) sites[host] = next;
  else delete sites[host];
  await store({ sites });
}

/** The displayed name of the site: without the port of an https site, which has the same accounts at each.
 * @param {string} origin */
export function shownHost(origin) {
  const { protocol, hostname, host } = origin.includes("://") ? new URL(origin) : { protocol: "", hostname: origin, host: origin };
  return protocol === "https:" && /\.[a-z][a-z0-9-]*$/.test(hostname) ? hostname : host;
}

/** The host of an origin, with its port; an opaque origin has none.
 * @param {string} origin */
export function hostOf(origin) {
  return origin.includes("://") ? new URL(origin).host : origin;
}
