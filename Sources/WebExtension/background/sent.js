// SPDX-License-Identifier: Apache-2.0
/**
 * Reports a form that was sent to the daemon, and then what its site has answered. The daemon saves nothing before that. It knows a submission
 * on one connection only: where that has ended since, the form is sent to it again.
 *
 * @typedef {import("./submissions.js").Submission} Submission
 */
import { Refused, call } from "./host.js";
import { store, submissions } from "./submissions.js";

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
 * @param {Submission} submission @param {any} form that of the submission, or the same with another user name
 * @param {"allow" | "forbid"} interaction @returns {Promise<{outcome: string, credential?: string}>} rejects with Refused */
export async function confirm(submission, form, interaction) {
  const { origin, topOrigin } = submission;
  await waiting.get(submission.id);
  if (form !== submission.form) await withdraw(submission);
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
}

/** The site has refused a form, or the user does not want it saved.
 * @param {Submission} submission */
export async function withdraw(submission) {
  await waiting.get(submission.id);
  const { sent } = submission;
  submission.sent = undefined;
  if (sent) await call("withdraw", {}, { submission: sent }).catch(() => {});
}
