// SPDX-License-Identifier: Apache-2.0
/** The site of a document, as reported by the browser. */

/** The origin of a sender, as reported by the browser; "null" for an opaque one.
 * @param {{origin?: string, url?: string} | undefined} sender */
export function originOf(sender) {
  return sender?.origin || (originOfURL(sender?.url) ?? "null");
}

/** @param {string | undefined} url */
export function originOfURL(url) {
  try {
    return url ? new URL(url).origin : undefined;
  } catch {
    return undefined;
  }
}

/** Whether two origins or hosts may belong to one site; the daemon decides.
 * @param {string | undefined} one @param {string | undefined} other */
export function isNear(one, other) {
  const end = (/** @type {string} */ text) => text.replace(/^https?:\/\//, "").replace(/:\d+$/, "").split(".").slice(/\.\w{2,3}\.\w\w(:\d+)?$/.test(text) ? -3 : -2).join(".");
  return one !== undefined && other !== undefined && end(one) === end(other);
}
