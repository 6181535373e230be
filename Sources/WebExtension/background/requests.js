// SPDX-License-Identifier: Apache-2.0
/**
 * Who has requested the page that a tab shows after a form was sent. Whoever has a reference to its window, as the page that has opened it,
 * can show another page there: only what the form, its page and their answers lead to may be the site's own.
 */
import { isOfSite, originOfURL } from "./origin.js";
import { kept } from "./submissions.js";
import { rounding } from "./verdict.js";

/** @typedef {{at: number, by: string | undefined, origin: string}} Request of a whole page: when, by a document of which origin, and to which one; by
 * nobody where the user has opened its address */

/** The latest requests of each tab: one may be observed before its form is known.
 * @type {Map<number, Request[]>} */
const latest = new Map();

/** @param {chrome.webRequest.Details} details @returns {Request} */
export function note({ tabId, url, initiator, originUrl, timeStamp }) {
  const request = { at: timeStamp, by: originOfURL(initiator ?? originUrl), origin: originOfURL(url) ?? "null" };
  latest.set(tabId, [...(latest.get(tabId) ?? []), request].slice(-kept.origins));
  return request;
}

/** @param {number} tab that is closed */
export const forget = (tab) => latest.delete(tab);

/** Whether a form, its page or what these have led to makes a request.
 * @param {import("./submissions.js").Submission} one @param {Request} request */
const isOwn = (one, { by }) => by !== undefined && (isOfSite(one.origin, by) || isOfSite(one.topOrigin, by) || one.led?.includes(by) === true);

/** What a request says of a form that was sent before it: its page leads to another one, or somebody else does.
 * @param {import("./submissions.js").Submission} one @param {Request} request */
export function weigh(one, request) {
  if (isOwn(one, request)) one.led = [...new Set([...(one.led ?? []), request.origin])].slice(-kept.origins);
  else one.disturbedAt ??= request.at;
}

/** The same for what was requested before the form was known.
 * @param {import("./submissions.js").Submission} one */
export function weighLatest(one) {
  for (const request of latest.get(one.tab) ?? []) if (request.at > one.at - (isOwn(one, request) ? rounding : 0)) weigh(one, request);
}
