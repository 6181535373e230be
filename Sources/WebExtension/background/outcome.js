// SPDX-License-Identifier: Apache-2.0
/**
 * What became of forms that were sent: nothing is saved before the site has accepted the password.
 *
 * @typedef {"accepted" | "refused" | "pending"} Verdict
 * @typedef {import("./submissions.js").Submission} Submission
 */
import { Refused, events } from "./host.js";
import { limitForms } from "./limit.js";
import { isNear, isOfSite } from "./origin.js";
import { hiddenUserOf, ownerOf, userOf } from "./owner.js";
import * as question from "./question.js";
import { forget, note, weigh, weighLatest } from "./requests.js";
import * as sent from "./sent.js";
import { doubtSignedIn, firstPages, firstUserAt, kept, noteSignedIn, offers, restored, store, submissions } from "./submissions.js";
import { withTyped } from "./username.js";
import { digest, isRefusal, judge } from "./verdict.js";

/** How long an answer is waited for, in milliseconds. */
const patience = 10_000;
/** How much longer, where a page has come that is not judged yet. */
const grace = 2500;
/** How often a document is asked. */
const pause = 150;
/** Submissions of which a document is being asked.
 * @type {Set<string>} */
const asked = new Set();

restored.then(() => {
  for (const submission of submissions.values()) if (submission.state === "waiting") follow(submission);
  saveAccepted();
});

/** What is kept of an address.
 * @template {string | undefined} Address @param {Address} address */
const start = (address) => /** @type {Address} */ (address?.slice(0, kept.address));

/** The fields by which a form is recognised in another document.
 * @param {{fields: any[]}} form */
function keyOf({ fields }) {
  return digest(fields.filter(({ hidden, type }) => !hidden && type !== "hidden").map(({ name, id, type }) => name ?? id ?? type).join("\n"));
}

/**
 * A form was sent. It is saved when its site has accepted it.
 *
 * @param {import("./page.js").Page} page @param {any} state the form's entry in `forms` @param {any} form with values @param {any} sending
 * @returns {Promise<boolean>} whether it has a password
 */
export async function begin(page, state, form, sending) {
  await restored;
  const roles = new Map((state?.answer.roles ?? []).map(({ field, role }) => [field, role]));
  const valueOf = (...wanted) => form.fields.find(({ id, value }) => value && wanted.includes(roles.get(id)))?.value;
  const kinds = { signIn: "signIn", signUp: "new", changePassword: "change" };
  const { id, token, address, at, shape, successes } = sending;
  const kind = kinds[state?.answer.formKind] ?? shape.kind;
  const typed = form.fields.filter(({ type, value }) => type === "password" && value);
  // Of a form that nothing has classified: the old password comes first.
  const password = valueOf("newPassword") ?? valueOf("password") ?? typed.at(kind === "signIn" ? 0 : -1)?.value;
  let user = userOf(state, form), isGuess = false, isTyped = false;
  if (!password) {
    await pass(page, state, form);
    return false;
  }
  if (kind === "signIn") user ??= hiddenUserOf(form);
  // A form with a user name ends what began on another page.
  if (user) firstPages.delete(page.tab);
  else if (kind !== "change") user = firstUserAt(page, false);
  const elsewhere = kind === "change" ? undefined : firstUserAt(page, true);
  const accepted = !user && kind === "signIn" ? acceptedWith(page, password) : undefined;
  // Somebody confirms the password that is asked about.
  if (accepted && [undefined, accepted.user].includes(elsewhere)) ({ user, isGuess = false, isTyped = false } = accepted);
  if (!user) {
    ({ user, isGuess } = ownerOf(page, kind, Boolean(valueOf("newPassword") && valueOf("password"))));
    if (!user && isGuess && elsewhere) [user, isTyped] = [elsewhere, true];
  }
  const needed = ["username", "emailAddress", "password", "newPassword", "confirmation", "hidden"];
  // Other values of the form are not kept; a password field that was replaced since the form was classified has no role.
  const isKept = (/** @type {any} */ { id, type }) => (roles.has(id) ? needed.includes(String(roles.get(id))) : type === "password");
  const described = roles.size === 0 ? form.fields : form.fields.map((field) => (isKept(field) ? field : { ...field, value: undefined }));
  const fields = sent.shortened(described, (field) => Boolean(field.value) || isKept(field) && roles.get(field.id) !== "hidden");
  // A form that is sent again was not accepted before.
  const key = keyOf(form);
  for (const other of submissions.values()) {
    const isSame = other.tab === page.tab && other.origin === page.origin && other.key === key;
    const isEqual = other.origin === page.origin && other.user === user && other.password === password;
    // A page that comes now is not the answer to an earlier form of the site, also one that may be sent again here; another site's sign-in in
    // between decides nothing.
    const isAgain = other.state === "waiting" && other.frame === page.frame && !isOfSite(other.origin, page.origin);
    if (other.tab === page.tab && (other.state === "pending" || isAgain) && isNear(other.origin, page.origin)) [other.state, other.isOver] = ["pending", true];
    // One that was accepted stays until this one is.
    if (!other.isAccepted && (isEqual || isSame && (other.state === "waiting" || other.token === token))) question.drop(other);
  }
  limitForms(page);
  /** @type {Submission} */
  const submission = {
    id, tab: page.tab, frame: page.frame, isPrivate: page.isPrivate, origin: page.origin, topOrigin: page.topOrigin, page: start(page.pageAddress),
    token, address: start(address), at, successes, until: Date.now() + patience, shape: { kind, action: shape.action, fields: digest(shape.names.join("\n")) },
    form: { ...(user && !isGuess ? withTyped({ ...form, fields }, user, user) : { ...form, fields }), id: state?.form.id ?? form.id }, key, user, password, isGuess, isTyped,
    offer: state?.used?.offer, state: "waiting",
  };
  weighLatest(submission);
  submissions.set(id, submission);
  sent.submit(submission);
  if (submission.offer) {
    offers.reusable = offers.reusable.filter(({ offer }) => offer !== submission.offer).slice(-kept.most);
    offers.reusable.push({ tab: page.tab, origin: page.origin, key, form: submission.form.id, offer: submission.offer });
  }
  await store();
  follow(submission);
  return true;
}

/** A submission of a user name in the same tab, at the same origin, whose password was accepted, and is this one.
 * @param {import("./page.js").Page} page @param {string} password */
function acceptedWith({ tab, origin }, password) {
  return [...submissions.values()].filter((one) => one.tab === tab && one.origin === origin && one.isAccepted && one.user && one.password === password).at(-1);
}

/** The daemon's name of a form: that of the earlier form whose offer was sent and not accepted, in the same tab.
 * @param {import("./page.js").Page} page @param {any} form */
export async function nameOf(page, form) {
  await restored;
  const key = keyOf(form);
  return offers.reusable.filter((one) => one.tab === page.tab && one.origin === page.origin && one.key === key).at(-1)?.form ?? form.id;
}

/** Whether an offer was sent with a form: then it is kept when its page ends.
 * @param {string} offer */
export function wasSent(offer) {
  return [...offers.reusable, ...submissions.values()].some((one) => one.offer === offer);
}

/** A form was sent that is not followed: without a password it is the first page of two, and with one somebody may have signed in.
 * @param {import("./page.js").Page} page @param {any} state the form's entry in `forms` @param {any} form with values */
export async function pass({ tab, origin }, state, form) {
  await restored;
  const user = userOf(state, form);
  if (form.fields.some(({ type, value }) => type === "password" && value)) doubtSignedIn(origin);
  else if (user) firstPages.set(tab, { origin, user, at: Date.now() });
  else return;
  await store();
}

/** The submissions at a site of which it is not known whether the site has accepted them, or the user wants them saved, without passwords.
 * @param {string | undefined} origin @param {boolean} isPrivate whether they are shown in a private window: those of the others are not shown there */
export async function pendingAt(origin, isPrivate) {
  await restored;
  const found = [...submissions.values()].filter((one) => ["pending", "asked"].includes(one.state) && one.isPrivate === isPrivate && isNear(one.origin, origin));
  const isHidden = await Promise.all(found.map(isLeft));
  return found.filter((_, index) => !isHidden[index]).map((one) =>
    ({ id: one.id, isAsked: one.state === "asked", isAccepted: one.isAccepted, ...question.describe(one) }));
}

/** Whether it is of a private tab that was closed: nothing of it is shown in the next one.
 * @param {Submission} submission @returns {Promise<boolean>} */
async function isLeft({ tab, isPrivate }) {
  return isPrivate && chrome.tabs.get(tab).then(() => false, () => true);
}

/** The user's own decision in the popup, of a submission that is pending or asked about.
 * @param {string} id @param {import("./question.js").Choice} choice @param {string} [user]
 * @param {boolean} [replaces] whether the user was shown that it takes the place of something */
export async function decide(id, choice, user, replaces) {
  await restored;
  const submission = submissions.get(id);
  if (!submission) return;
  submission.isOver = true;
  if (submission.state !== "asked") [submission.state, submission.question] = ["asked", question.unanswered()];
  await question.answer(submission, choice, user, replaces);
}

/** Asks the documents of the tab until something is known.
 * @param {Submission} submission */
async function follow(submission) {
  if (asked.has(submission.id)) return;
  asked.add(submission.id);
  try {
    while (submissions.get(submission.id) === submission && !submission.isOver) {
      const { hint } = submission;
      const verdict = judge(submission, await report(submission));
      if (submission.hint !== hint) await store();
      if (verdict) return await settle(submission, verdict);
      const until = submission.until + (submission.quietSince === undefined ? 0 : grace);
      if (Date.now() >= until) return await settle(submission, submission.hint ?? "pending");
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  } finally {
    asked.delete(submission.id);
  }
}

/** What the document that is now in the form's frame shows; of the whole page where that frame is gone.
 * @param {Submission} submission */
async function report({ id, tab, frame, page }) {
  const ask = async (/** @type {number} */ frameId) => {
    try {
      return await chrome.tabs.sendMessage(tab, { type: "outcome", id }, { frameId });
    } catch {
      return undefined; // loading, or a page of the browser's own
    }
  };
  const own = await ask(frame);
  if (own || frame === 0) return own;
  const top = await ask(0);
  return top && { ...top, isAround: true, isSamePage: start(top.address) === page };
}

/** @param {Submission} submission @param {Verdict} verdict */
async function settle(submission, verdict) {
  // What the user has decided meanwhile counts.
  if (submissions.get(submission.id) !== submission || submission.state === "asked") return;
  submission.seen = undefined;
  if (verdict === "pending") {
    // A page that comes later may show it.
    [submission.state, submission.isOver] = ["pending", submission.isOver || submission.disturbedAt !== undefined];
    return store();
  }
  if (verdict === "refused") question.drop(submission);
  else {
    // It is kept until it is saved: this background may end before that.
    Object.assign(submission, { state: "saving", isOver: true, isAccepted: true });
    if (!submission.isGuess) noteSignedIn(submission);
    firstPages.delete(submission.tab);
    offers.reusable = offers.reusable.filter((one) => one.offer !== submission.offer);
    // Of the earlier ones at its origin only one with the same password was accepted, as the sign-in that works shows.
    for (const one of submissions.values()) {
      if (one === submission || one.origin !== submission.origin || one.at > submission.at) continue;
      const isOfUser = submission.user !== undefined && one.user === submission.user && !one.isGuess && !submission.isGuess;
      if (isOfUser || one.password === submission.password && [submission.user, undefined].includes(one.user)) question.drop(one);
    }
    await store();
    await save(submission);
  }
  return store();
}

/** Submissions that are being saved.
 * @type {Set<string>} */
const saving = new Set();

/** Saves what needs no question, and asks about the rest, unless the user decides meanwhile.
 * @param {Submission} submission */
async function save(submission) {
  const { id, form, shape, isGuess } = submission;
  if (saving.has(id)) return;
  const isThere = () => submissions.get(id) === submission && submission.state !== "asked";
  saving.add(id);
  try {
    // Nothing is to be asked where somebody has confirmed a password that is saved.
    const isConfirmation = isGuess && shape.kind === "signIn";
    if (isGuess && !isConfirmation) return await ask(submission);
    const { outcome } = await sent.confirm(submission, isConfirmation ? sent.unchanged(submission) : form, "forbid");
    if (!isThere()) return;
    if (outcome === "nothing") await ask(submission);
    else submissions.delete(id);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (!isThere()) return;
    const { reasons } = error;
    const has = (/** @type {RegExp} */ names) => reasons.some(({ reason }) => names.test(reason));
    // Without a daemon or with a locked vault it waits. The user's own decision ends it, and a page where nothing is saved. All else is shown.
    if (has(/^(vault-locked|stopping|host-missing|connectionLost|not[A-Z]|no[A-Z])/)) submission.state = "pending";
    else if (has(/^(interaction-required|grant-missing|save-unconfirmed)$/)) await ask(submission);
    else if (has(/^(save-disabled|grant-denied|consent-denied|approval-denied|autofill-disabled|vault-missing|origin-not-secure|origin-opaque)$/)) submissions.delete(id);
    else await ask(submission, reasons);
  } finally {
    saving.delete(id);
  }
}

/** Asks about a submission that was accepted, unless its private tab was closed meanwhile: then it is forgotten.
 * @param {Submission} submission @param {import("./host.js").Reason[]} [reasons] why it could not be saved */
async function ask(submission, reasons) {
  if (await isLeft(submission)) submissions.delete(submission.id);
  else if (submission.state !== "asked") await question.ask(submission, reasons);
}

/** Saves what sites have accepted while there was no daemon, or its vault was locked. */
export async function saveAccepted() {
  await restored;
  const accepted = [...submissions.values()].filter((one) => one.isAccepted && one.state !== "asked");
  if (accepted.length === 0) return;
  for (const one of accepted) await save(one);
  await store();
}

/** What a tab shows from now on may not be the answer to a form that was sent: the user has done something else.
 * @param {number} tab */
export async function disturb(tab) {
  await restored;
  for (const one of submissions.values()) if (one.tab === tab) one.disturbedAt ??= Date.now();
  await store();
}

/** The user leaves a page that asks for a password: a form that it has refused was not accepted, whatever comes next.
 * @param {number} tab @param {number} frame @param {any} shown what the page shows */
export async function leave(tab, frame, shown) {
  await restored;
  for (const one of [...submissions.values()]) {
    if (one.tab === tab && one.frame === frame && one.state === "waiting" && isRefusal(one, shown)) await settle(one, "refused");
  }
}

/** A page ends. What it has shown of a form that was sent counts where no answer comes after it.
 * @param {number} tab @param {number} frame @param {any} shown what the page has shown */
export async function end(tab, frame, shown) {
  await restored;
  for (const one of [...submissions.values()]) {
    if (one.tab !== tab || one.frame !== frame) continue;
    if (one.state === "waiting" && shown.token === one.token) judge(one, shown);
    else if (!isRefusal(one, shown)) continue;
    else if (one.state === "waiting") one.leftAs = "refused";
    // What the user has opened was known here before the page that was left.
    else if (one.state === "pending" && !one.isAccepted && one.disturbedAt !== undefined) await settle(one, "refused");
  }
}

const pages = { urls: ["https://*/*", "http://*/*"], types: /** @type {const} */ (["main_frame"]) };
/** A page that the user opens by its address is no answer to a form, as no document has requested it, nor is one that another site requests.
 * @param {chrome.webRequest.Details} details */
async function observe(details) {
  const request = note(details);
  await restored;
  const own = [...submissions.values()].filter(({ tab }) => tab === details.tabId);
  for (const one of own) weigh(one, request);
  if (own.length > 0) await store();
}
chrome.webRequest.onBeforeRequest.addListener(observe, pages);
// Chromium does not report a request that a service worker answers, but what has led to it.
chrome.webRequest.onBeforeRedirect.addListener(({ redirectUrl, ...details }) => observe({ ...details, url: redirectUrl }), pages);

chrome.tabs.onUpdated.addListener(async (tab, { status }) => {
  if (status !== "complete") return;
  await restored;
  for (const one of submissions.values()) {
    if (one.tab !== tab || one.state !== "pending" || one.isOver) continue;
    one.until = Date.now() + 4000;
    follow(one);
  }
});
chrome.tabs.onRemoved.addListener(async (tab) => {
  await restored;
  offers.reusable = offers.reusable.filter((one) => one.tab !== tab);
  firstPages.delete(tab);
  forget(tab);
  // Nothing of a private window is kept for the next one, but for what is being saved. A password that was offered stays in the vault.
  for (const one of submissions.values()) if (one.tab === tab && one.isPrivate && one.state !== "saving") submissions.delete(one.id);
  await disturb(tab);
});

// A password that was typed and not accepted yet is not kept beside a locked vault. A question waits until it is open.
events.set("vaultLocked", async () => {
  await restored;
  for (const one of submissions.values()) {
    if (one.state === "asked" && !one.question?.result) question.suspend(one);
    else if (one.state === "asked" || one.state === "pending" && !one.isAccepted && !one.offer) question.drop(one);
  }
  await store();
});
