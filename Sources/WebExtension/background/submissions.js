// SPDX-License-Identifier: Apache-2.0
/**
 * The forms that were sent and are not settled: in the browser's memory (storage.session, which is on no disk), so that they survive a
 * restart of this background.
 *
 * @typedef {{id: string, tab: number, frame: number, isPrivate: boolean, origin: string, topOrigin?: string, page?: string, token: string, address: string,
 *   at: number, until: number, shape: any, successes?: string[], form: {id: string, fields: any[]}, key: string, user?: string, password: string,
 *   offer?: string, sent?: string, state: "waiting" | "saving" | "pending" | "asked", isOver?: boolean, disturbedAt?: number, hint?: "refused", leftAs?: "refused",
 *   led?: string[], quietSince?: number, seen?: string, failed?: string, isGuess?: boolean, isTyped?: boolean, isAccepted?: boolean, question?: import("./question.js").Question}} Submission `isGuess`: whether the user follows from other forms and is
 *   not certain; `isTyped`: whether that guess was typed on a page before it, at another origin of the site; `isAccepted`: whether its site has accepted it: it is saved as soon as the daemon is there and its vault open; `disturbedAt`: when the
 *   user did something else, or another site, in milliseconds of the epoch; `led`: the origins to which it has led since
 * @typedef {{tab: number, origin: string, key: string, form: string, offer: string}} Reusable an offer that the site has not accepted yet
 */

import { isNear, isOfSite } from "./origin.js";

/** How long a submission that is not settled is kept, in milliseconds, how many (see `limitForms`), how many characters of an address, how many
 * origins to which it leads, and how many requests of a tab; and how long the user name of a first page of two is that of the next form, in
 * milliseconds. */
export const kept = { for: 3_600_000, most: 60, address: 2048, origins: 8, firstPage: 300_000 };

/** @type {Map<string, Submission>} */
export const submissions = new Map();
/** Offers that were sent with a form and not accepted: the same form gets the same offer again. */
export const offers = { reusable: /** @type {Reusable[]} */ ([]) };

/** The user names of first pages of two, and when these were sent, by tab.
 * @type {Map<number, {origin: string, user: string, at: number}>} */
export const firstPages = new Map();

/** Whose form was accepted last, when it was sent, and whether it was a sign-in, by tab and origin: see `signedInAt`.
 * @type {Map<string, {origin: string, user: string, at: number, isSure: boolean}>} */
const signedIn = new Map();

/** The user name of a first page that a tab has sent lately, at the same origin, or at another one of the same site.
 * @param {{tab: number, origin: string}} page @param {boolean} isElsewhere whether at another one */
export function firstUserAt({ tab, origin }, isElsewhere) {
  const first = firstPages.get(tab);
  if (!first || Date.now() - first.at >= kept.firstPage || (first.origin !== origin) !== isElsewhere) return undefined;
  return isOfSite(first.origin, origin) ? first.user : undefined;
}

const nameOf = (/** @type {{tab: number, origin: string}} */ { tab, origin }) => `${tab} ${origin}`;

/** Who has signed in at a site, as far as the tab's forms show. It is not sure after another form, as an administrator creates accounts
 * of others, nor where another user has signed in since in another tab, or at another origin of the site.
 * @param {{tab: number, origin: string}} page */
export function signedInAt({ tab, origin }) {
  const own = signedIn.get(nameOf({ tab, origin }));
  if (!own) return undefined;
  const isSuperseded = [...signedIn.values()].some((one) => isNear(one.origin, origin) && one.at > own.at && one.user !== own.user);
  return { ...own, isSure: own.isSure && !isSuperseded };
}

/** @param {Submission} submission that its site has accepted */
export function noteSignedIn(submission) {
  const name = nameOf(submission), before = signedIn.get(name);
  if (!submission.user || before && before.at > submission.at) return;
  const isSure = submission.shape.kind === "signIn" || before?.user === submission.user && before.isSure;
  signedIn.delete(name);
  signedIn.set(name, { origin: submission.origin, user: submission.user, at: submission.at, isSure });
  for (const oldest of [...signedIn.keys()].slice(0, -kept.most)) signedIn.delete(oldest);
}

/** Someone has sent a form that is not followed.
 * @param {string} origin */
export function doubtSignedIn(origin) {
  for (const one of signedIn.values()) if (isNear(one.origin, origin)) one.isSure = false;
}

export const restored = chrome.storage.session.get("outcomes").then(({ outcomes }) => {
  if (!outcomes) return;
  offers.reusable = outcomes.reusable;
  for (const [name, one] of outcomes.signedIn) signedIn.set(name, one);
  for (const [tab, one] of outcomes.firstPages) firstPages.set(tab, one);
  for (const submission of outcomes.submissions) submissions.set(submission.id, submission);
});

/** Keeps all in the browser's memory; forgets what is old. */
export async function store() {
  for (const one of submissions.values()) if (one.state !== "waiting" && Date.now() - one.at > kept.for) submissions.delete(one.id);
  const outcomes = { submissions: [...submissions.values()], reusable: offers.reusable, signedIn: [...signedIn], firstPages: [...firstPages] };
  // Without space there only a restart of this background loses what is here.
  await chrome.storage.session.set({ outcomes }).catch((error) => console.error(error.name));
}
