// SPDX-License-Identifier: Apache-2.0
/** Which site a document is of, as the browser says. */

/** The origin that the browser names for a sender; "null" for an opaque one.
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
