// SPDX-License-Identifier: Apache-2.0
/**
 * Reports a form that was sent to the daemon, and then what its site has answered. The daemon saves nothing before that. It knows a submission
 * on one connection only: where that has ended since, the form is sent to it again.
 *
 * @typedef {import("./submissions.js").Submission} Submission
 */
import { Refused, call } from "./host.js";
import { store, submissions } from "./submissions.js";

/** The fields of a form, or, of a page that describes them at length, the few that are needed, in the form's order, with what distinguishes
 * them: the daemon accepts no longer message. Passwords come first, then what else has a value, and what the user does not see last.
 * @param {any[]} fields @param {(field: any) => boolean} isNeeded */
export function shortened(fields, isNeeded) {
  const start = (/** @type {string | undefined} */ text) => text && [...text].slice(0, 64).join("");
  if (new TextEncoder().encode(JSON.stringify(fields)).length <= 32_768) return fields;
  const rank = (/** @type {any} */ { type, hidden, value }) => (type === "password" ? 0 : 1) + (value ? 0 : 2) + (hidden && type !== "password" ? 4 : 0);
  const first = new Set(fields.filter(isNeeded).sort((a, b) => rank(a) - rank(b)).slice(0, 8));
  return fields.filter((field) => first.has(field)).map(({ id, type, name, autocomplete, label, placeholder, hidden, passwordRules, value }) => ({
    id, type, name, autocomplete: autocomplete ?? (passwordRules && "new-password"), label: start(label), placeholder: start(placeholder), hidden, value,
  }));
}

/** The form of a change that changes nothing: by its current password the daemon finds the account that has it, whatever user name was typed in
 * another form.
 * @param {Submission} submission */
export function unchanged({ password: value }) {
  return { id: "unchanged", fields: ["current-password", "new-password"].map((name) => ({ id: name, type: "password", name, autocomplete: name, value })) };
}

/** Submissions that the daemon has not answered yet.
 * @type {Map<string, Promise<void>>} */
const waiting = new Map();

/** @param {Submission} submission @param {any} form @returns {Promise<string | undefined>} the daemon's name of it; nothing without a password */
async function send({ origin, topOrigin }, form) {
  return (await call("submit", { origin, topOrigin }, { form, interaction: "forbid" })).submission;
}

/** A form was sent to its site. Without a daemon, or with a locked vault, it is sent when it is confirmed.
 * @param {Submission} submission */
export function submit(submission) {
  const done = send(submission, submission.form).then((name) => {
    submission.sent = name;
    return submissions.get(submission.id) === submission ? store() : undefined;
  }, (error) => {
    if (!(error instanceof Refused)) throw error;
  });
  waiting.set(submission.id, done);
  done.finally(() => waiting.delete(submission.id));
}

/** The site has accepted a form, or the user wants it saved.
 * @param {Submission} submission @param {any} form that of the submission, or another one, which the daemon has for this call alone
 * @param {"allow" | "forbid"} interaction @returns {Promise<{outcome: string, credential?: string}>} rejects with Refused */
export async function confirm(submission, form, interaction) {
  const { origin, topOrigin } = submission;
  await waiting.get(submission.id);
  const isOther = form !== submission.form;
  if (isOther) await withdraw(submission);
  try {
    for (const isAgain of [false, true]) {
      submission.sent ??= await send(submission, form);
      if (!submission.sent) break;
      try {
        return await call("confirm", { origin, topOrigin }, { submission: submission.sent, interaction });
      } catch (error) {
        if (isAgain || !(error instanceof Refused) || !error.reasons.some(({ reason }) => reason === "submission-not-found")) throw error;
        submission.sent = undefined;
      }
    }
    return { outcome: "nothing" };
  } finally {
    if (isOther) await withdraw(submission);
  }
}

/** The site has refused a form, or the user does not want it saved.
 * @param {Submission} submission */
export async function withdraw(submission) {
  await waiting.get(submission.id);
  const { sent } = submission;
  submission.sent = undefined;
  if (sent) await call("withdraw", {}, { submission: sent }).catch(() => {});
}
