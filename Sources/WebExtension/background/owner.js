// SPDX-License-Identifier: Apache-2.0
/** Whose password a form has. */
import { signedInAt, submissions } from "./submissions.js";

/** The user name in a form with values.
 * @param {any} state the form's entry in `forms` @param {any} form @returns {string | undefined} */
export function userOf(state, form) {
  const roles = state?.answer.roles ?? [];
  const valueOf = (wanted) => form.fields.find(({ id, value }) => value && roles.some(({ field, role }) => field === id && role === wanted))?.value;
  if (roles.length === 0) return form.fields.find(({ type, value }) => value && ["text", "email", "tel"].includes(type))?.value;
  return valueOf("username") ?? valueOf("emailAddress");
}

/** The user name of a sign-in that only password managers see.
 * @param {any} form @returns {string | undefined} */
export function hiddenUserOf(form) {
  const isOne = (/** @type {any} */ { type, hidden, autocomplete }) => (hidden || type === "hidden") && /(^|\s)username(\s|$)/i.test(autocomplete ?? "");
  return form.fields.find((/** @type {any} */ field) => field.value && isOne(field))?.value;
}

/** Whose password a form without a user name is: a changed one is that of the user who has signed in last in this tab, and not of the only
 * account that is saved. Where that is not sure, or a later form was not settled, it is a guess, which is asked about; the question names it
 * where no other account is saved. Where nobody is known the daemon knows whose it is by the current password; without one it is asked about, too.
 * So is that of a sign-in: the daemon would take it for that of the user name that was typed last, in any tab.
 * @param {import("./page.js").Page} page @param {"signIn" | "new" | "change"} kind @param {boolean} hasCurrent @returns {{user?: string, isGuess: boolean}} */
export function ownerOf({ tab, origin }, kind, hasCurrent) {
  if (kind === "signIn") return { isGuess: true };
  const known = signedInAt({ tab, origin });
  const later = [...submissions.values()].filter((one) => one.tab === tab && one.origin === origin && one.hint !== "refused" && one.at > (known?.at ?? 0));
  const user = later.filter((one) => one.user).at(-1)?.user;
  if (user) return { user, isGuess: user !== known?.user || !known?.isSure };
  return kind === "change" && known ? { user: known.user, isGuess: !known.isSure } : { isGuess: !hasCurrent };
}
