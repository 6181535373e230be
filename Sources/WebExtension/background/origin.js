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

/** The name in an origin or a host.
 * @param {string} text */
const nameOf = (text) => text.replace(/^https?:\/\//, "").replace(/:\d+$/, "");
/** @param {string} name */
const parentOf = (name) => name.slice(name.indexOf(".") + 1);
/** @param {string} name @param {string} parent */
const isBelow = (name, parent) => parent.includes(".") && name.endsWith(`.${parent}`);

/** Whether two origins or hosts may belong to one site: a guess, also of hosts below a name where anyone can have one. It is enough for a doubt
 * and for what the user is shown; the daemon decides.
 * @param {string | undefined} one @param {string | undefined} other */
export function isNear(one, other) {
  if (one === undefined || other === undefined) return false;
  const [first, second] = [nameOf(one), nameOf(other)];
  const end = (/** @type {string} */ name) => name.split(".").slice(/\.\w{2,3}\.\w\w$/.test(name) ? -3 : -2).join(".");
  return end(first) === end(second) || isBelow(first, second) || isBelow(second, first);
}

/** The first labels of hosts where a site has its sign-in, or its start. */
const signIns = /^(www|log-?in|sign-?in|sign-?up|auth|sso|id|accounts?)\./;
/** Names below which anyone can have a host, also one with such a label. */
const shared = /^((github|gitlab)\.io|blogspot\.[a-z.]+|(herokuapp|firebaseapp|appspot|onrender)\.com|(web|netlify|vercel)\.app|(fly|pages|workers|deno)\.dev|(azurewebsites|cloudfront)\.net|(.+\.)?amazonaws\.com)$/;

/** Whether two origins are of one owner, so that a page of one is the answer to a form of the other: they have one host, one host is below the
 * other, or they are beside each other and one is for signing in. What is only near may be of another owner.
 * @param {string | undefined} one @param {string | undefined} other */
export function isOfSite(one, other) {
  if (!one || !other || !isNear(one, other) || one.startsWith("https:") !== other.startsWith("https:")) return false;
  const [first, second] = [nameOf(one), nameOf(other)];
  if (first === second) return true;
  const isBeside = parentOf(first) === parentOf(second) && (signIns.test(first) || signIns.test(second));
  const above = isBeside ? parentOf(first) : isBelow(first, second) ? second : isBelow(second, first) ? first : undefined;
  return above !== undefined && !shared.test(above);
}
