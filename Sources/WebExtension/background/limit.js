// SPDX-License-Identifier: Apache-2.0
/** How many forms are followed: a page can send as many as it likes, in as many frames. */
import { isOfSite } from "./origin.js";
import { drop } from "./question.js";
import { kept, submissions } from "./submissions.js";

/** How many forms of one origin in a tab are followed that were not accepted. */
const mostOfOrigin = 6;

/** @typedef {import("./submissions.js").Submission} Submission */

/** Those of which there are the most, by a name.
 * @param {Submission[]} all @param {(one: Submission) => string} nameOf */
function fullest(all, nameOf) {
  /** @type {Map<string, Submission[]>} */
  const named = new Map();
  for (const one of all) named.set(nameOf(one), [...(named.get(nameOf(one)) ?? []), one]);
  const most = Math.max(...[...named.values()].map(({ length }) => length));
  return all.filter((one) => named.get(nameOf(one))?.length === most);
}

/** Those of some where there are any, else all.
 * @param {Submission[]} all @param {(one: Submission) => boolean} isFirst */
function first(all, isFirst) {
  const some = all.filter(isFirst);
  return some.length > 0 ? some : all;
}

/** Before a further form is followed. The oldest of its origin in a tab is forgotten where many were not accepted there; and where all are too many,
 * one of the tab that has the most, as a page can choose its origins and not its tab: of equal ones, one of the page's own tab. There it is one of a
 * frame of another site, of the origin that has the most: what is around a frame loses nothing by it. The oldest, one that was accepted last: its
 * password may be the account's.
 * @param {import("./page.js").Page} page */
export function limitForms({ tab, origin }) {
  const all = [...submissions.values()].filter(({ state }) => state !== "saving");
  const own = all.filter((one) => one.tab === tab && one.origin === origin && !one.isAccepted);
  if (own.length >= mostOfOrigin) return drop(own[0]);
  if (submissions.size < kept.most) return;
  const ofTab = first(fullest(all, (one) => String(one.tab)), (one) => one.tab === tab);
  const ofFrames = first(ofTab, (one) => one.topOrigin !== undefined && !isOfSite(one.origin, one.topOrigin));
  const [oldest] = first(fullest(ofFrames, (one) => `${one.tab} ${one.origin}`), ({ isAccepted }) => !isAccepted);
  if (oldest) drop(oldest);
}
