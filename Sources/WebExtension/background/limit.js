// SPDX-License-Identifier: Apache-2.0
/** How many forms are followed: a page can send as many as it likes, in as many frames. */
import { drop } from "./question.js";
import { kept, submissions } from "./submissions.js";

/** How many forms of one origin in a tab are followed that were not accepted. */
const mostOfOrigin = 6;

/** Before a further form is followed. The oldest of its origin in a tab is forgotten where many were not accepted there; and where all are too many,
 * one of the tab that has the most, as a page can choose its origins and not its tab: of equal ones, one of the page's own tab. The oldest, one that
 * was accepted last: its password may be the account's.
 * @param {import("./page.js").Page} page */
export function limitForms({ tab, origin }) {
  const all = [...submissions.values()].filter(({ state }) => state !== "saving");
  const own = all.filter((one) => one.tab === tab && one.origin === origin && !one.isAccepted);
  if (own.length >= mostOfOrigin) return drop(own[0]);
  if (submissions.size < kept.most) return;
  const numbers = all.map((one) => all.filter((other) => other.tab === one.tab).length), most = Math.max(...numbers);
  const fullest = all.filter((_, index) => numbers[index] === most), ofTab = fullest.filter((one) => one.tab === tab);
  const found = ofTab.length > 0 ? ofTab : fullest;
  const oldest = found.find(({ isAccepted }) => !isAccepted) ?? found[0];
  if (oldest) drop(oldest);
}
