// SPDX-License-Identifier: Apache-2.0
/**
 * What became of forms that were sent: nothing is saved before the site has accepted the password.
 *
 * @typedef {"accepted" | "refused" | "pending"} Verdict
 * @typedef {import("./submissions.js").Submission} Submission
 */
import { Refused, events } from "./host.js";
import { isNear } from "./origin.js";
import * as question from "./question.js";
import * as sent from "./sent.js";
import { doubtSignedIn, firstPages, kept, noteSignedIn, offers, restored, signedInAt, store, submissions } from "./submissions.js";
import { withTyped } from "./username.js";
import { isRefusal, judge } from "./verdict.js";

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

/** The fields by which a form is recognised in another document.
 * @param {{fields: any[]}} form */
function keyOf({ fields }) {
  return fields.filter(({ hidden, type }) => !hidden && type !== "hidden").map(({ name, id, type }) => name ?? id ?? type).join("\n");
}

/** The user name in a form with values.
 * @param {any} state the form's entry in `forms` @param {any} form @returns {string | undefined} */
function userOf(state, form) {
  const roles = state?.answer.roles ?? [];
  const valueOf = (wanted) => form.fields.find(({ id, value }) => value && roles.some(({ field, role }) => field === id && role === wanted))?.value;
  if (roles.length === 0) return form.fields.find(({ type, value }) => value && ["text", "email", "tel"].includes(type))?.value;
  return valueOf("username") ?? valueOf("emailAddress");
}

/** Whose password a form without a user name is: a changed one is that of the user who has signed in last in this tab, and not of the only
 * account that is saved. Where that is not sure, or a later form was not settled, it is a guess, which is asked about; the question names it
 * where no other account is saved. Where nobody is known the daemon knows whose it is by the current password; without one it is asked about, too.
 * @param {import("./page.js").Page} page @param {"new" | "change"} kind @param {boolean} hasCurrent @returns {{user?: string, isGuess: boolean}} */
function ownerOf({ tab, origin }, kind, hasCurrent) {
  const known = signedInAt({ tab, origin });
  const later = [...submissions.values()].filter((one) => one.tab === tab && one.origin === origin && one.hint !== "refused" && one.at > (known?.at ?? 0));
  const user = later.filter((one) => one.user).at(-1)?.user;
  if (user) return { user, isGuess: user !== known?.user || !known?.isSure };
  return kind === "change" && known ? { user: known.user, isGuess: !known.isSure } : { isGuess: !hasCurrent };
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
  let user = userOf(state, form);
  if (!password) {
    await pass(page, state, form);
    return false;
  }
  const first = firstPages.get(page.tab);
  // A form with a user name ends what began on another page.
  if (user) firstPages.delete(page.tab);
  else if (first?.origin === page.origin && kind !== "change") user = first.user;
  let isGuess = false;
  if (kind !== "signIn" && user === undefined) ({ user, isGuess } = ownerOf(page, kind, Boolean(valueOf("newPassword") && valueOf("password"))));
  const needed = ["username", "emailAddress", "password", "newPassword", "confirmation", "hidden"];
  // Other values of the form are not kept; a password field that was replaced since the form was classified has no role.
  const isKept = (/** @type {any} */ { id, type }) => (roles.has(id) ? needed.includes(String(roles.get(id))) : type === "password");
  const described = roles.size === 0 ? form.fields : form.fields.map((field) => (isKept(field) ? field : { ...field, value: undefined }));
  // Of a page that describes its fields at length only what distinguishes them is kept; the daemon accepts no longer message.
  const isLong = new TextEncoder().encode(JSON.stringify(described)).length > 32_768;
  const fields = isLong ? described.filter(isKept).slice(0, 8).map(({ id, type, name, autocomplete, value }) => ({ id, type, name, autocomplete, value })) : described;
  // A form that is sent again was not accepted before.
  const key = keyOf(form);
  for (const other of submissions.values()) {
    const isSame = other.tab === page.tab && other.origin === page.origin && other.key === key;
    const isEqual = other.origin === page.origin && other.user === user && other.password === password;
    // A page that comes now is not the answer to an earlier form of the site; another site's sign-in in between decides nothing.
    if (other.tab === page.tab && other.state === "pending" && isNear(other.origin, page.origin)) other.isOver = true;
    if (isEqual || isSame && !other.isAccepted && (other.state === "waiting" || other.token === token)) question.drop(other);
  }
  limitForms(page);
  /** @type {Submission} */
  const submission = {
    id, tab: page.tab, frame: page.frame, isPrivate: page.isPrivate, origin: page.origin, topOrigin: page.topOrigin, page: page.pageAddress,
    token, address, at, successes, until: Date.now() + patience, shape: { ...shape, kind },
    form: { ...(user && !isGuess ? withTyped({ ...form, fields }, user, user) : { ...form, fields }), id: state?.form.id ?? form.id }, key, user, password, isGuess,
    offer: state?.used?.offer, state: "waiting",
  };
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

/** How many forms of one origin in a tab are followed that were not accepted: a page can send as many as it likes. */
const mostOfOrigin = 6;

/** Forgets the oldest form of an origin in a tab that was not accepted, where it has many; of accepted ones only what exceeds all
 * that is kept: their password may be the account's.
 * @param {import("./page.js").Page} page */
function limitForms({ tab, origin }) {
  const own = [...submissions.values()].filter((one) => one.tab === tab && one.origin === origin && one.state !== "saving");
  const refused = own.filter(({ isAccepted }) => !isAccepted);
  if (refused.length >= mostOfOrigin) question.drop(refused[0]);
  else if (own.length >= kept.most) question.drop(own[0]);
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
  else if (user) firstPages.set(tab, { origin, user });
  else return;
  await store();
}

/** The submissions at a site of which it is not known whether the site has accepted them, or the user wants them saved, without passwords.
 * @param {string | undefined} origin @param {boolean} isPrivate whether they are shown in a private window: those of the others are not shown there */
export async function pendingAt(origin, isPrivate) {
  await restored;
  const shown = [...submissions.values()].filter((one) => ["pending", "asked"].includes(one.state) && one.isPrivate === isPrivate && isNear(one.origin, origin));
  return shown.map(({ id, user, isGuess, state, isAccepted, question: asked, origin }) =>
    ({ id, isAsked: state === "asked", isAccepted, ...question.describe(origin, isGuess && !asked ? undefined : user, asked) }));
}

/** The user's own decision in the popup, of a submission that is pending or asked about.
 * @param {string} id @param {import("./question.js").Choice} choice @param {string} [user] */
export async function decide(id, choice, user) {
  await restored;
  const submission = submissions.get(id);
  if (!submission) return;
  submission.isOver = true;
  if (submission.state !== "asked") [submission.state, submission.question] = ["asked", question.unanswered()];
  await question.answer(submission, choice, user);
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
  return top && { ...top, isAround: true, isSamePage: top.address === page };
}

/** @param {Submission} submission @param {Verdict} verdict */
async function settle(submission, verdict) {
  // What the user has decided meanwhile counts.
  if (submissions.get(submission.id) !== submission || submission.state === "asked") return;
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
  const { id, form, isGuess } = submission;
  if (saving.has(id)) return;
  const isThere = () => submissions.get(id) === submission && submission.state !== "asked";
  saving.add(id);
  try {
    if (isGuess) return await question.ask(submission);
    const { outcome } = await sent.confirm(submission, form, "forbid");
    if (!isThere()) return;
    if (outcome === "nothing") await question.ask(submission);
    else submissions.delete(id);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (!isThere()) return;
    const { reasons } = error;
    const has = (/** @type {RegExp} */ names) => reasons.some(({ reason }) => names.test(reason));
    // Without a daemon or with a locked vault it waits. The user's own decision ends it, and a page where nothing is saved. All else is shown.
    if (has(/^(vault-locked|stopping|host-missing|connectionLost|not[A-Z]|no[A-Z])/)) submission.state = "pending";
    else if (has(/^(interaction-required|grant-missing|save-unconfirmed)$/)) await question.ask(submission);
    else if (has(/^(save-disabled|grant-denied|consent-denied|approval-denied|autofill-disabled|vault-missing|origin-not-secure|origin-opaque)$/)) submissions.delete(id);
    else await question.ask(submission, reasons);
  } finally {
    saving.delete(id);
  }
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
 * @param {number} tab @param {number} [at] when, in milliseconds of the epoch */
export async function disturb(tab, at = Date.now()) {
  await restored;
  for (const one of submissions.values()) if (one.tab === tab) one.disturbedAt ??= at;
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

// A page that the user opens by its address is no answer to a form: no document has requested it.
chrome.webRequest.onBeforeRequest.addListener(({ tabId, initiator, originUrl, timeStamp }) => {
  const isOpened = (initiator ?? originUrl ?? "null") === "null" || (initiator ?? originUrl ?? "").startsWith(chrome.runtime.getURL(""));
  if (isOpened) disturb(tabId, timeStamp);
}, { urls: ["https://*/*", "http://*/*"], types: ["main_frame"] });

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
  // Nothing of a private window is kept for the next one. A password that was offered is in the vault already.
  for (const one of submissions.values()) if (one.tab === tab && one.isPrivate && !one.isAccepted && !one.offer) question.drop(one);
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
