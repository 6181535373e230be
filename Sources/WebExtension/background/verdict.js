// SPDX-License-Identifier: Apache-2.0
/** Whether a site has accepted a form, by what its tab shows then: no effects, no memory of its own. */
import { isOfSite } from "./origin.js";

/** How long something must last before it counts, in milliseconds. */
const settled = 700;
const settledElsewhere = 2000;
const gone = 1500;
/** How far two times of the same instant may be apart, in milliseconds: browsers round times. */
export const rounding = 50;

/** A short name of a text: what a page can make long is not kept itself.
 * @param {string} text */
export function digest(text) {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum, 31) + text.charCodeAt(index) | 0;
  return `${text.length} ${sum}`;
}

/**
 * Whether a form is the sent one again: asked for the same once more.
 *
 * @param {any} sent the shape of the form that was sent, with a digest of its names @param {string} path of its address @param {any} shape @param {string} now the path of the page
 */
function isAgain(sent, path, shape, now) {
  const isElsewhere = now !== path && now !== sent.action;
  const hasSameFields = sent.fields === digest(shape.names.join("\n"));
  if (sent.kind === "signIn") return shape.kind === "signIn";
  // After a sign-up many sites show their sign-in, which may have the same fields.
  if (hasSameFields) return !(isElsewhere && shape.kind === "signIn" && shape.action !== sent.action);
  return shape.kind !== "signIn" && (sent.kind === "change" || shape.kind === "new");
}

/**
 * What is known of a submission. What lasts for a while is noted in it.
 *
 * @param {import("./outcome.js").Submission} submission @param {any} report of the document that is now there; undefined without one
 * @returns {import("./outcome.js").Verdict | undefined} undefined as long as nothing is known
 */
export function judge(submission, report) {
  if (!report) {
    submission.quietSince = undefined;
    return undefined;
  }
  if (report.actedAt > submission.at + rounding && (report.token === submission.token || report.isAround)) submission.disturbedAt ??= report.actedAt;
  if (report.token === submission.token) return judgeSame(submission, report);
  return report.isSamePage ? judgeFrame(submission) : judgeNext(submission, report);
}

/** In the document of the form: by what becomes of it. */
function judgeSame(submission, report) {
  const { sending } = report;
  if (!sending) return undefined;
  const path = new URL(submission.address).pathname;
  const isThere = !sending.isGone || report.shapes.some((shape) => isAgain(submission.shape, path, shape, report.path));
  if (report.isBusy) {
    submission.hint = undefined;
    return undefined;
  }
  const hasAnswer = sending.answeredFor !== null && sending.answeredFor > settled;
  if (isThere) {
    if (submission.shape.kind === "change" && sending.hasSuccess && !sending.hasError && submission.disturbedAt === undefined) return "accepted";
    if (sending.hasError || hasAnswer && sending.worst >= 400 && sending.worst < 500) submission.hint = "refused";
    return undefined;
  }
  if (submission.disturbedAt !== undefined || report.isShownAgain) return submission.hint ?? submission.leftAs ?? "pending";
  if (sending.isNative || sending.hasError && report.hasError || sending.worst >= 500) return undefined;
  if (hasAnswer && sending.goneFor > settled || sending.isMoved && sending.goneFor > gone) return "accepted";
  // A form that stays away is through, also where no answer was observed.
  return Date.now() >= submission.until - 300 && sending.goneFor > gone ? "accepted" : undefined;
}

/** The form's frame is gone from its page. */
function judgeFrame(submission) {
  submission.quietSince ??= Date.now();
  if (submission.disturbedAt !== undefined) return "pending";
  return Date.now() - submission.quietSince > gone ? "accepted" : undefined;
}

/** In another document, which may be the answer. */
function judgeNext(submission, report) {
  if (submission.disturbedAt !== undefined || report.isShownAgain) {
    submission.isOver = true;
    if (isRefusal(submission, report)) return "refused";
    return submission.hint ?? submission.leftAs ?? "pending";
  }
  const isOwn = isOfSite(submission.origin, report.origin);
  // After a page that shows a failure, the next one may be whatever the user has opened.
  const isAfterFailure = submission.failed !== undefined && submission.failed !== report.token;
  // A page of someone who is signed in may show errors of other things, and load parts of it later.
  const isIn = submission.shape.kind !== "change" && report.hasSignOut;
  // A page that builds itself, or that only leads to the next one, is not the answer yet.
  const seen = digest(JSON.stringify([report.token, report.shapes, report.hasError && !isIn, report.path]));
  if (!report.isReady || report.isBusy && !isIn || submission.seen !== seen) [submission.seen, submission.quietSince] = [seen, Date.now()];
  if (Date.now() - (submission.quietSince ?? Date.now()) < (isOwn ? settled : settledElsewhere)) return undefined;
  const verdict = judgeShown(submission, report, isOwn, isIn);
  if (!verdict && (isOwn || !asks(report, isIn)) && (report.status >= 400 || report.hasError && !isIn)) submission.failed = report.token;
  if (verdict !== "accepted" || !isAfterFailure && isLed(submission, report, isOwn)) return verdict;
  submission.isOver = true;
  return submission.hint ?? submission.leftAs ?? "pending";
}

/** Whether another document is there by the form, or by its page. What a service worker answers is not observed: that is known of the site's own
 * pages alone, where no other page has opened the tab. What is in a frame is not observed either. */
function isLed(submission, report, isOwn) {
  return isOwn && !report.isOpened || submission.frame !== 0 && !report.isAround || submission.led?.includes(report.origin) === true;
}

/** Whether a page that the user is leaving shows that the form was refused, however short it was there. One that has come after the user
 * did something else shows nothing.
 * @param {import("./outcome.js").Submission} submission @param {any} report */
export function isRefusal(submission, report) {
  if (report.token === submission.token || report.isShownAgain || report.began > (submission.disturbedAt ?? Infinity) - rounding || !isOfSite(submission.origin, report.origin)) return false;
  return judgeShown(submission, report, true, submission.shape.kind !== "change" && report.hasSignOut) === "refused";
}

/** Whether a document asks for a password, or for a user name: where someone is signed in that is the field of a newsletter. */
const asks = (report, isIn) => report.asksUser && !isIn || report.shapes.length > 0;

/** By what another document shows. */
function judgeShown(submission, report, isOwn, isIn) {
  if (report.status >= 500) return undefined;
  // A sign-in of another site in between decides nothing, and no page of another site is a refusal.
  if (!isOwn && asks(report, isIn)) return undefined;
  const path = new URL(submission.address).pathname;
  if (report.shapes.some((shape) => isAgain(submission.shape, path, shape, report.path))) {
    if (submission.shape.kind === "change" && !report.hasError) {
      // What the page of the form said already says nothing of its outcome; an error and a success together neither.
      const isSuccess = report.successes.some((text) => !submission.successes?.includes(text));
      if (isSuccess) return report.isMarked ? undefined : "accepted";
      return report.isMarked ? "refused" : undefined;
    }
    // Some sign-ups show their form again under the message that the account is there.
    if (submission.shape.kind === "new" && report.isConfirmed && !report.hasError) return "accepted";
    return "refused";
  }
  if (report.status >= 400) return isOwn && [400, 401, 403, 409, 422].includes(report.status) ? "refused" : undefined;
  return report.hasError && !isIn ? undefined : "accepted";
}
