// SPDX-License-Identifier: Apache-2.0
/** The site of a document, as reported by the browser. */

/** The origin of a sender, as reported by the browser; "null" for an opaque one.
 * @param {{origin?: string, url?: string} | undefined} sender */
export function originOf(sender) {
  return sender?.origin || (originOfURL(sender?.url) ?? "null");
}

/** The origin in an address; undefined for an opaque one.
 * @param {string | undefined} url */
export function originOfURL(url) {
  try {
    const origin = url && new URL(url).origin;
    return origin && origin !== "null" ? origin : undefined;
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

/** The end of a name that may be a registry's second level, as `co.uk` is. Not of the countries named here, where sites themselves have names of
 * two or three letters. */
const registries = /\.(com?\.\w\w|\w{2,3}\.(?!de|nl|ch|eu|dk|cz)\w\w)$/;

/** Whether two origins or hosts may belong to one site: a guess, also of hosts below a name where anyone can have one. It is enough for a doubt
 * and for what the user is shown; the daemon decides.
 * @param {string | undefined} one @param {string | undefined} other */
export function isNear(one, other) {
  if (one === undefined || other === undefined) return false;
  const [first, second] = [nameOf(one), nameOf(other)];
  const end = (/** @type {string} */ name) => name.split(".").slice(registries.test(name) ? -3 : -2).join(".");
  return end(first) === end(second) || isBelow(first, second) || isBelow(second, first);
}

/** The first labels of hosts where a site has its sign-in, or its start. */
const signIns = /^(www|log-?[io]n|sign-?([io]n|up)|o?auth2?|sso|cas|idp?|passport|accounts?)\./;
/** Names below which anyone can have a host, also one with such a label: of providers, and of registries with longer second levels. */
const shared = [
  /^((github|gitlab|bitbucket|readthedocs)\.io|(glitch|synology)\.me|codeberg\.page|(neocities|duckdns|eu)\.org|repl\.co|blogspot\.[a-z.]+|(.+\.)?amazonaws\.com)$/,
  /^((herokuapp|firebaseapp|appspot|onrender|tumblr|weebly|wixsite|myshopify|pythonanywhere|trycloudflare|uk|us|eu|de|br|cn|jpn|ru|sa|za)\.com)$/,
  /^((.+\.)?(web|netlify|vercel|run|framer|streamlit|replit|ngrok-free)\.app|(fly|pages|workers|deno|r2)\.dev|(azurewebsites|cloudfront|cloudapp|ddns|(.+\.)?azurestaticapps)\.net)$/,
  /^((asso|firm|info|name|priv|shop|store)\.[a-z][a-z]|xn--[\w-]+\.xn--(j6w193g|o3cw4h|90a3ac|4dbrk0ce))$/,
];

/** Whether two origins are of one owner, so that a page of one is the answer to a form of the other: they have one host, one host is below the
 * other, or they are beside each other and one is for signing in. What is only near may be of another owner.
 * @param {string | undefined} one @param {string | undefined} other */
export function isOfSite(one, other) {
  if (!one || !other || !isNear(one, other) || one.startsWith("https:") !== other.startsWith("https:")) return false;
  const [first, second] = [nameOf(one), nameOf(other)];
  if (first === second) return true;
  const isBeside = parentOf(first) === parentOf(second) && (signIns.test(first) || signIns.test(second));
  const above = isBeside ? parentOf(first) : isBelow(first, second) ? second : isBelow(second, first) ? first : undefined;
  return above !== undefined && !shared.some((names) => names.test(above));
}
