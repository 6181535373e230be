// SPDX-License-Identifier: Apache-2.0
/**
 * The question whether a password that a site has accepted is saved: in a bar in the page, and in the popup.
 *
 * @typedef {"save" | "later" | "never" | "undo"} Choice
 * @typedef {"saved" | "updated" | "never" | "undone"} Result
 * @typedef {{users: string[], isChange: boolean, token?: string, until: number, result?: Result, undo?: import("./saving.js").Undo,
 *   savedFor?: string, reasons?: import("./host.js").Reason[]}} Question `users` has the accounts of the site that this browser may see
 * @typedef {import("./submissions.js").Submission} Submission
 */
import { Refused, call, state } from "./host.js";
import { unique } from "./items.js";
import { accounts, revert, save } from "./saving.js";
import * as sent from "./sent.js";
import { settings } from "./settings.js";
import * as sites from "./sites.js";
import { noteSignedIn, restored, store, submissions } from "./submissions.js";

/** How long a bar is shown for a question, and for its result, in milliseconds. After that a question is in the popup. */
const shownFor = { question: 180_000, result: 30_000 };
/** How long a document may take to show the bar, and the pause between two tries. */
const tries = { for: 10_000, every: 200 };

/** The bars of the tabs with the names that they gave, by the name of their submission.
 * @type {Map<string, {port: chrome.runtime.Port, token: string}>} */
const bars = new Map();
/** Submissions whose answer is being saved.
 * @type {Set<string>} */
const busy = new Set();

/** What a bar or the popup shows. A guess is named only where it was asked about.
 * @param {{origin: string, user?: string, isGuess?: boolean, question?: Question}} submission */
export function describe({ origin, user, isGuess = false, question: asked }) {
  const named = isGuess && !asked ? undefined : user;
  return {
    site: sites.shownHost(origin), user: asked?.savedFor ?? named ?? "", isGuess, users: asked?.users ?? [], isChange: asked?.isChange ?? false,
    result: asked?.result, canUndo: asked?.result === "never" || asked?.undo !== undefined, reasons: asked?.reasons,
  };
}

/** A question that nothing is known for, of a submission that the user decides before its site has.
 * @returns {Question} */
export function unanswered() {
  return { users: [], isChange: false, until: Date.now() + shownFor.question };
}

/** The user names at the site of a submission that this browser may see; undefined where it may see none.
 * @param {Submission} submission */
async function usersAt(submission) {
  return (await accounts(submission))?.map(({ user }) => user);
}

/** Asks about a submission that was accepted.
 * @param {Submission} submission @param {import("./host.js").Reason[]} [reasons] why it could not be saved before */
export async function ask(submission, reasons) {
  const users = (await usersAt(submission)) ?? [];
  if (submissions.get(submission.id) !== submission) return;
  if (users.length === 1 && !submission.user) [submission.user, submission.isGuess] = [users[0], true];
  // It may be another's: the user names it. What was typed on the page before it is shown.
  else if (submission.isGuess && !submission.isTyped && users.some((user) => user !== submission.user)) submission.user = undefined;
  submission.question = { users, isChange: submission.shape.kind === "change", until: Date.now() + shownFor.question, reasons: reasons && unique(reasons) };
  submission.state = "asked";
  await store();
  show(submission);
}

/** @param {Submission} submission @param {Choice} choice @param {string} [user] as the user has changed it
 * @param {boolean} [replaces] whether the user was shown that it takes the place of something */
export async function answer(submission, choice, user, replaces = false) {
  const { question } = submission;
  if (!question || busy.has(submission.id)) return;
  busy.add(submission.id);
  bars.get(submission.id)?.port.postMessage({ type: "busy" });
  question.reasons = undefined;
  try {
    if (choice === "later") drop(submission);
    else if (choice === "never") await never(submission, question);
    else if (choice === "undo") await undo(submission, question);
    else if (!question.result) await keep(submission, question, user?.trim() || (submission.isGuess ? undefined : submission.user), replaces);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    question.reasons = unique(error.reasons);
    // Without a daemon or with a locked vault it waits for the next try.
    [submission.state, question.until] = ["asked", Date.now() + shownFor.question];
  } finally {
    busy.delete(submission.id);
  }
  await store();
  if (submissions.has(submission.id)) renew(submission);
}

/** @param {Submission} submission @param {Question} question */
async function never(submission, question) {
  await sites.set(submission.origin, { neverSave: true });
  conclude(submission, question, "never");
}

/** @param {Submission} submission @param {Question} question @param {string | undefined} user @param {boolean} replaces */
async function keep(submission, question, user, replaces) {
  if (state.vault === "locked") await call("unlock", {}, {});
  const users = (await usersAt(submission)) ?? question.users;
  // It would replace what the user was not shown: it is asked again, in the right words.
  if (user && users.includes(user) && !replaces) {
    question.users = users;
    return;
  }
  const { result, undo } = await save(submission, users, user);
  [question.undo, question.savedFor] = [undo, user];
  if (user) submission.user = user;
  if (submission.isAccepted) noteSignedIn(submission);
  conclude(submission, question, result);
}

/** What was decided is shown for a while, and can be undone as long.
 * @param {Submission} submission @param {Question} question @param {Result} result */
function conclude(submission, question, result) {
  [submission.state, question.result, question.until] = ["asked", result, Date.now() + shownFor.result];
  // The password is saved, or not wanted; to undo the latter it is needed again.
  sent.withdraw(submission);
  if (result !== "never") [submission.password, submission.form] = ["", { ...submission.form, fields: [] }];
  setTimeout(() => expire(submission), shownFor.result);
}

/** @param {Submission} submission @param {Question} question */
async function undo(submission, question) {
  if (question.result === "never") {
    await sites.set(submission.origin, { neverSave: false });
    [question.result, question.until] = [undefined, Date.now() + shownFor.question];
    return;
  }
  if (!question.undo) return;
  await revert(submission, question.undo);
  question.undo = undefined;
  conclude(submission, question, "undone");
}

/** Forgets a submission, and removes its bar.
 * @param {Submission} submission */
export function drop(submission) {
  submissions.delete(submission.id);
  sent.withdraw(submission);
  if (submission.state === "asked") hide(submission);
}

/** The question waits until the vault is open. A password that its site has not accepted is forgotten, but for one that was offered.
 * @param {Submission} submission */
export function suspend(submission) {
  if (busy.has(submission.id)) return;
  if (!submission.isAccepted && !submission.offer) return drop(submission);
  [submission.state, submission.isOver] = ["pending", true];
  hide(submission);
  submission.question = undefined;
}

/** Shows on the toolbar's button how many questions of a tab are open.
 * @param {number} tab */
function badge(tab) {
  const open = [...submissions.values()].filter((one) => one.tab === tab && one.state === "asked" && !one.question?.result);
  chrome.action.setBadgeText({ tabId: tab, text: open.length > 0 ? String(open.length) : "" }).catch(() => {});
}

/** Removes the bar of a submission, where it has it.
 * @param {Submission} submission */
function hide({ id, tab, question }) {
  bars.delete(id);
  badge(tab);
  if (question?.token) chrome.tabs.sendMessage(tab, { type: "bar", token: null }, { frameId: 0 }).catch(() => {});
}

/** @param {Submission} submission */
function expire(submission) {
  const { question } = submission;
  if (submissions.get(submission.id) !== submission || !question?.result || Date.now() < question.until - 100) return;
  drop(submission);
  store();
}

// ---------------------------------------------------------------- the bar

/** The question that a tab shows: the last one.
 * @param {number} tab */
function shown(tab) {
  return [...submissions.values()].filter((one) => one.tab === tab && one.state === "asked" && (one.question?.until ?? 0) > Date.now()).at(-1);
}

/** Shows a question in the document that its tab has, or the next one that it gets.
 * @param {Submission} submission */
async function show(submission) {
  const until = Date.now() + tries.for;
  badge(submission.tab);
  if ((await settings()).ask !== "bar") return;
  while (Date.now() < until && submission.question && shown(submission.tab) === submission) {
    try {
      const { token } = await chrome.tabs.sendMessage(submission.tab, { type: "bar", token: crypto.randomUUID() }, { frameId: 0 });
      submission.question.token = token;
      // A bar that is there gets the new question in place of its own.
      for (const { id, tab, question } of submissions.values()) {
        if (question && tab === submission.tab && id !== submission.id) question.token = undefined;
      }
      for (const [id, { port, token: name }] of bars) {
        if (name !== token || id === submission.id) continue;
        bars.delete(id);
        early.set(port, name);
      }
      await store();
      // The bar's page may have asked before its name was known here.
      for (const [port, name] of early) if (name === token) attach(port, token);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, tries.every)); // loading, or a page that cannot hold it
    }
  }
}

/** Shows what has changed of a question.
 * @param {Submission} submission */
function renew(submission) {
  const bar = bars.get(submission.id);
  if (bar) send(bar.port, submission);
  else show(submission);
}

/** @param {chrome.runtime.Port} port @param {Submission} submission */
function send(port, submission) {
  port.postMessage({ type: "question", id: submission.id, ...describe(submission) });
}

/** Bars whose name no question has yet.
 * @type {Map<chrome.runtime.Port, string>} */
const early = new Map();

/** A bar's page gets the question of its name; a page in another tab, or a second one, gets nothing.
 * @param {chrome.runtime.Port} port @param {string} token @returns {Submission | undefined} */
function attach(port, token) {
  const submission = [...submissions.values()].find((one) => one.question?.token === token);
  const before = submission && bars.get(submission.id);
  if (!submission || submission.tab !== port.sender?.tab?.id || before?.token === token) return undefined;
  before?.port.disconnect();
  early.delete(port);
  bars.set(submission.id, { port, token });
  send(port, submission);
  return submission;
}

/** @param {chrome.runtime.Port} port */
export function serveBar(port) {
  const tab = port.sender?.tab?.id ?? -1;
  const own = () => [...submissions.values()].find((one) => bars.get(one.id)?.port === port);
  port.onMessage.addListener(async (message) => {
    await restored;
    if (message.type === "token") {
      if (!attach(port, String(message.token))) early.set(port, String(message.token));
      return;
    }
    const submission = own();
    if (!submission) return;
    if (message.type === "height") await chrome.tabs.sendMessage(tab, { type: "barHeight", height: message.height }, { frameId: 0 }).catch(() => {});
    // A click on a question that was replaced by another one meanwhile answers neither.
    if (message.type !== "answer" || message.id !== submission.id) return;
    // The document sees at once what a browser reports to the bar's page only after a while.
    const seen = await chrome.tabs.sendMessage(tab, { type: "barUnobscured" }, { frameId: 0 }).catch(() => "no");
    if (seen === "yes" || seen === "unsure" && message.isSure === true) {
      await answer(submission, message.choice, typeof message.user === "string" ? message.user : undefined, message.replaces === true);
    } else port.postMessage({ type: seen === "no" ? "wait" : "toolbar" });
  });
  port.onDisconnect.addListener(() => {
    early.delete(port);
    // Its submission may be forgotten already.
    for (const [id, bar] of bars) if (bar.port === port) bars.delete(id);
  });
}

chrome.tabs.onUpdated.addListener(async (tab, { status }) => {
  if (status !== "loading" && status !== "complete") return;
  await restored;
  const submission = shown(tab);
  if (submission) show(submission);
  // A browser removes the badge with the page.
  else if ([...submissions.values()].some((one) => one.tab === tab && one.state === "asked")) badge(tab);
});
restored.then(() => {
  for (const one of submissions.values()) if (one.question?.result) setTimeout(() => expire(one), Math.max(0, one.question.until - Date.now()));
});
