// SPDX-License-Identifier: Apache-2.0
/** Pages that set a new password without a field for the user name that the user sees. */

/** The name of a field that repeats a password. */
const repetition = /conf|again|repeat|re-?type|verif|2$/i;
const hiddenName = /^(wp)?(user(_?name)?|login|e?mail|account)$/i;

/**
 * The form with a field for its account: with the user name of a field that the user does not see, where there is one. Without one
 * the daemon takes the account from what is saved, or asks.
 *
 * @template {{fields: any[]}} Form @param {Form} form @returns {Form} the same where it has a visible field for a user name, or sets no new password
 */
export function withUserName(form) {
  const seen = form.fields.filter(({ hidden, type }) => !hidden && type !== "hidden");
  const passwords = seen.filter(({ type }) => type === "password");
  const isNew = passwords.some(({ autocomplete }) => /(^|\s)new-password(\s|$)/i.test(autocomplete ?? ""))
    || passwords.length === 2 && repetition.test(passwords[1].name ?? passwords[1].label ?? "");
  const isOld = passwords.length > 2 || passwords.some(({ autocomplete }) => /current-password/i.test(autocomplete ?? ""));
  // Where a page generates a password itself, it shows that one in a text field.
  const hasText = seen.some(({ type, name }) => ["text", "email", "tel"].includes(type) && !/generated/i.test(name ?? ""));
  if (!isNew || isOld || hasText || form.fields.length > 63) return form;
  const hidden = form.fields.filter((field) => !seen.includes(field));
  const unseen = hidden.find(({ autocomplete }) => /(^|\s)username(\s|$)/i.test(autocomplete ?? "")) ?? hidden.find(({ name, id }) => hiddenName.test(name ?? id));
  return { ...form, fields: [nameField(unseen?.value), ...form.fields.filter((one) => one !== unseen)] };
}

/**
 * The form with another user name.
 *
 * @template {{fields: any[]}} Form @param {Form} form @param {string} user @param {string} [before] its user name; undefined if it has none
 * @returns {Form} the same where it has this one already
 */
export function withTyped(form, user, before) {
  if (user === before && form.fields.some(({ value }) => value === user)) return form;
  const fields = form.fields.filter(({ id, type, value }) => id !== nameID && (type === "password" || value !== before));
  return { ...form, fields: [nameField(user), ...fields].slice(0, 64) };
}

/** The name of the field that a form gets here. */
const nameID = "autofilld-username";

/** @param {string} [value] */
function nameField(value) {
  return { id: nameID, type: "text", name: "username", autocomplete: "username", value };
}
