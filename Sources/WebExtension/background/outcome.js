// SPDX-License-Identifier: Apache-2.0
/**
 * What became of forms that were sent: nothing is saved before the site has accepted the password. Until then a submission is kept in the
 * browser's memory (storage.session, which is on no disk), so that it survives a restart of this background.
 *
 * @typedef {"accepted" | "refused" | "pending"} Verdict
 * @typedef {{id: string, tab: number, frame: number, origin: string, topOrigin?: string, page?: string, token: string, address: string,
 *   at: number, until: number, shape: any, form: {id: string, fields: any[]}, key: string, user?: string, password: string,
 *   offer?: string, state: "waiting" | "pending", isOver?: boolean, isDisturbed?: boolean, hint?: "refused", quietSince?: number,
 *   seen?: string}} Submission
 * @typedef {{tab: number, origin: string, key: string, form: string, offer: string}} Reusable an offer that the site has not accepted yet
 */
import { Refused, call, events } from "./host.js";
import { isNear } from "./origin.js";
import { judge } from "./verdict.js";

/** How long an answer is waited for, in milliseconds. */
const patience = 10_000;
/** How often a document is asked. */
const pause = 150;
/** How long a submission that nothing is known of is kept, and how many. */
const kept = { for: 3_600_000, most: 30 };

/** @type {Map<string, Submission>} */
const submissions = new Map();
/** Offers that were sent with a form and not accepted: the same form gets the same offer again.
 * @type {Reusable[]} */
let reusable = [];
/** Submissions of which a document is being asked.
 * @type {Set<string>} */
const asked = new Set();

const restored = chrome.storage.session.get("outcomes").then(({ outcomes }) => {
  if (!outcomes) return;
  reusable = outcomes.reusable;
  for (const submission of outcomes.submissions) {
    submissions.set(submission.id, submission);
    if (submission.state === "waiting") follow(submission);
  }
});

function store() {
  return chrome.storage.session.set({ outcomes: { submissions: [...submissions.values()], reusable } });
}

/** The fields by which a form is recognised in another document.
 * @param {{fields: any[]}} form */
function keyOf({ fields }) {
  return fields.filter(({ hidden, type }) => !hidden && type !== "hidden").map(({ name, id, type }) => name ?? id ?? type).join("\n");
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
  const typed = form.fields.filter(({ type, value }) => type === "password" && value);
  const password = valueOf("newPassword") ?? valueOf("password") ?? typed[0]?.value;
  if (!password) return false;
  let user = valueOf("username") ?? valueOf("emailAddress");
  if (roles.size === 0) user = form.fields.find(({ type, value }) => value && ["text", "email", "tel"].includes(type))?.value;
  const kinds = { signIn: "signIn", signUp: "new", changePassword: "change" };
  const needed = ["username", "emailAddress", "password", "newPassword", "confirmation", "hidden"];
  // Other values of the form are not kept.
  const fields = roles.size === 0 ? form.fields : form.fields.map((field) => (needed.includes(String(roles.get(field.id))) ? field : { ...field, value: undefined }));
  const { id, token, address, at, shape } = sending;
  // A form that is sent again was not accepted before.
  const key = keyOf(form);
  for (const other of submissions.values()) {
    const isSame = other.tab === page.tab && other.origin === page.origin && other.key === key;
    const isEqual = other.origin === page.origin && other.user === user && other.password === password;
    if (isEqual || isSame && (other.state === "waiting" || other.token === token)) submissions.delete(other.id);
  }
  /** @type {Submission} */
  const submission = {
    id, tab: page.tab, frame: page.frame, origin: page.origin, topOrigin: page.topOrigin, page: page.pageAddress, token, address, at,
    until: Date.now() + patience, shape: { ...shape, kind: kinds[state?.answer.formKind] ?? shape.kind },
    form: { ...form, id: state?.form.id ?? form.id, fields }, key, user, password, offer: state?.used?.offer, state: "waiting",
  };
  submissions.set(id, submission);
  if (submission.offer) {
    reusable = reusable.filter(({ offer }) => offer !== submission.offer).slice(-kept.most);
    reusable.push({ tab: page.tab, origin: page.origin, key, form: submission.form.id, offer: submission.offer });
  }
  await store();
  follow(submission);
  return true;
}

/** The daemon's name of a form: that of the earlier form whose offer was sent and not accepted, in the same tab.
 * @param {import("./page.js").Page} page @param {any} form */
export async function nameOf(page, form) {
  await restored;
  const key = keyOf(form);
  return reusable.filter((one) => one.tab === page.tab && one.origin === page.origin && one.key === key).at(-1)?.form ?? form.id;
}

/** Whether an offer was sent with a form: then it is kept when its page ends.
 * @param {string} offer */
export function wasSent(offer) {
  return reusable.some((one) => one.offer === offer);
}

/** The submissions at a site of which it is not known whether the site has accepted them, without passwords.
 * @param {string | undefined} origin */
export async function pendingAt(origin) {
  await restored;
  return [...submissions.values()].filter((one) => one.state === "pending" && isNear(one.origin, origin)).map(({ id, user, at }) => ({ id, user, at }));
}

/** The user's own decision.
 * @param {string} id @param {boolean} isAccepted */
export async function decide(id, isAccepted) {
  await restored;
  const submission = submissions.get(id);
  if (submission) await settle(submission, isAccepted ? "accepted" : "refused", true);
}

/** Asks the documents of the tab until something is known.
 * @param {Submission} submission */
async function follow(submission) {
  if (asked.has(submission.id)) return;
  asked.add(submission.id);
  try {
    while (submissions.get(submission.id) === submission) {
      const verdict = judge(submission, await report(submission));
      if (verdict) return await settle(submission, verdict);
      if (Date.now() >= submission.until) return await settle(submission, submission.hint ?? "pending");
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

/** @param {Submission} submission @param {Verdict} verdict @param {boolean} [isByUser] */
async function settle(submission, verdict, isByUser = false) {
  if (submissions.get(submission.id) !== submission) return;
  if (verdict === "pending") {
    // A page that comes later may show it.
    [submission.state, submission.isOver] = ["pending", submission.isOver || submission.isDisturbed];
    for (const one of submissions.values()) if (Date.now() - one.at > kept.for || submissions.size > kept.most) submissions.delete(one.id);
    return store();
  }
  submissions.delete(submission.id);
  if (verdict === "accepted") {
    // Of the others only one with the same password was accepted, as the sign-in that works shows.
    for (const one of submissions.values()) {
      const isSame = one.user === submission.user || one.user === undefined && one.password === submission.password;
      if (!isByUser && isSame && isNear(one.origin, submission.origin)) submissions.delete(one.id);
    }
    await save(submission);
  }
  return store();
}

/** @param {Submission} submission */
async function save(submission) {
  const { origin, topOrigin, form, offer } = submission;
  try {
    const { submission: sent } = await call("submit", { origin, topOrigin }, { form });
    if (sent) await call("confirm", { origin, topOrigin }, { submission: sent });
    reusable = reusable.filter((one) => one.offer !== offer);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // Without a daemon or with a locked vault it waits; the user's refusal ends it.
    if (error.reasons.some(({ reason }) => /^(vault-locked|host-missing|not[A-Z]|no[A-Z])/.test(reason))) {
      submissions.set(submission.id, { ...submission, state: "pending", isOver: true });
    }
  }
}

/** What a tab shows from now on may not be the answer to a form that was sent: the user has done something else.
 * @param {number} tab */
export async function disturb(tab) {
  await restored;
  for (const one of submissions.values()) if (one.tab === tab) one.isDisturbed = true;
  await store();
}

// A page that the user opens by its address is no answer to a form: no document has requested it.
chrome.webRequest.onBeforeRequest.addListener(({ tabId, initiator, originUrl }) => {
  const isOpened = (initiator ?? originUrl ?? "null") === "null" || (initiator ?? originUrl ?? "").startsWith(chrome.runtime.getURL(""));
  if (isOpened) disturb(tabId);
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
  reusable = reusable.filter((one) => one.tab !== tab);
  await disturb(tab);
});

// A password that was typed and not accepted yet is not kept beside a locked vault.
events.set("vaultLocked", async () => {
  await restored;
  for (const one of submissions.values()) if (one.state === "pending" && !one.offer) submissions.delete(one.id);
  await store();
});
