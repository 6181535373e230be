// SPDX-License-Identifier: Apache-2.0
/** What the bar and the popup say of a question, for the user name that is in its field now. What they have said is sent with the answer. */
"use strict";

/** @typedef {{site: string, user: string, isGuess?: boolean, users: string[], isChange: boolean, result?: string}} Described a question, as the background describes it */

/** The user name that an answer is for: an empty field means that of the question, and nobody where that is a guess.
 * @param {Described} question @param {string} typed */
function nameFor({ user, isGuess }, typed) {
  return typed.trim() || (isGuess ? "" : user);
}

/** Whether what is saved takes the place of something.
 * @param {Described} question @param {string} typed */
function replacesAt(question, typed) {
  const { users, isChange } = question;
  const name = nameFor(question, typed);
  return users.includes(name) || isChange && (!name || users.length === 0);
}

/** The name of the title's text, and what is put into it.
 * @param {Described} question @param {string} typed @returns {[string, ...string[]]} */
function titleOfQuestion(question, typed) {
  const { site, user, result } = question;
  if (result === "never") return ["bar_isNever", site];
  if (result) return [`bar_is${result[0].toUpperCase()}${result.slice(1)}`, user || site];
  const name = nameFor(question, typed), text = replacesAt(question, typed) ? "bar_update" : "bar_save";
  if (!name) return [text, site];
  return [text === "bar_update" ? "bar_updateOf" : "bar_saveFor", name, site];
}
