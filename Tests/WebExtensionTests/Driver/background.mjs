// SPDX-License-Identifier: Apache-2.0
/**
 * A daemon and a browser for the extension's own background, which is loaded from the folder of the first argument; and tabs in which forms are
 * sent. For the programs beside it.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

const event = () => ({ addListener(listener) { this.fire = listener; } });
export const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
export const until = async (isSo) => {
  for (const end = Date.now() + 30_000; !isSo(); await sleep(10)) assert.ok(Date.now() < end, `never so: ${isSo}`);
};

// ---------------------------------------------------------------- the daemon
/** What is saved at an origin, and the passwords that were offered there; the daemon may be refusing all with a reason. */
export class Site {
  static all = new Map();
  static at(origin) {
    if (!this.all.has(origin)) this.all.set(origin, new Site());
    return this.all.get(origin);
  }
  saved = {};
  offered = [];
  writes = [];
  refusal = null;
  /** The user name of a first page of two, in any tab. */
  typed = undefined;
  /** What the user answers to the daemon's prompts; without them it writes all that is allowed. */
  prompts = null;

  write(user, password) {
    const outcome = !(user in this.saved) ? "saved" : this.saved[user] === password ? "unchanged" : "updated";
    this.saved[user] = password;
    if (outcome !== "unchanged") this.writes.push([user, password]);
    return { outcome, credential: user, changed: outcome !== "unchanged" };
  }

  answer(method, params) {
    if (method === "unlock") {
      this.refusal = null;
      return {};
    }
    if (method === "withdraw") withdrawn.push(params.submission);
    const refuse = (reason) => { throw { reasons: [{ reason, message: reason, fix: "" }] }; };
    if (this.refusal) refuse(this.refusal);
    if (method === "list") return { credentials: Object.keys(this.saved).map((user) => ({ user, credential: user, version: "1", created: "1", modified: "1" })) };
    if (method === "save") return this.prompts ? refuse("interaction-required") : this.write(params.user, params.password);
    if (method === "submit") {
      sent.push(params.form.fields);
      return { submission: String(sent.length - 1) };
    }
    if (method !== "confirm") return {};
    const fields = sent[Number(params.submission)];
    const [current, password = current] = fields.filter(({ type, value }) => type === "password" && value).slice(-2).map(({ value }) => value);
    const isChange = fields.some(({ autocomplete }) => autocomplete === "current-password");
    const former = isChange ? Object.keys(this.saved).find((user) => this.saved[user] === current) : this.typed;
    const user = fields.find(({ type, value }) => type !== "password" && value)?.value ?? former;
    if (!user) return { outcome: "nothing" };
    if (this.saved[user] === password) return this.write(user, password);
    if (this.offered.includes(password)) return this.write(user, password);
    if (params.interaction !== "allow") refuse("interaction-required");
    return this.prompts?.shift() === "deny" ? refuse("consent-denied") : this.write(user, password);
  }
}
/** The forms that the daemon got, and the numbers of those that were withdrawn. */
const sent = [];
export const withdrawn = [];
let native;

function connectNative() {
  native = { onMessage: event(), onDisconnect: event() };
  native.postMessage = ({ id, method, origin, params }) => {
    let answer;
    try {
      answer = { id, result: Site.at(origin).answer(method, params) };
    } catch (error) {
      if (!error.reasons) throw error;
      answer = { id, error };
    }
    setTimeout(() => native.onMessage.fire(answer), 1);
  };
  return native;
}

// ---------------------------------------------------------------- the browser
/** What the document of each tab reports, and the names of the bars that documents show. */
export const documents = new Map();
export const bars = new Map();
/** What is in the browser's memory. */
export const memory = {};
const area = (kept) => ({ get: async () => ({}), set: async (values) => void Object.assign(kept, values) });
export const [updated, removed] = [event(), event()].map((one) => ({ listeners: [], addListener(listener) { this.listeners.push(listener); }, fire(...values) { this.listeners.forEach((listener) => listener(...values)); } }));
globalThis.chrome = {
  runtime: { connectNative, getURL: (path) => `chrome-extension://test/${path}`, id: "test", onMessage: event(), onConnect: event() },
  storage: { session: area(memory), local: area({}), onChanged: event() },
  tabs: { onUpdated: updated, onRemoved: removed, sendMessage: async (tab, { type, token }, { frameId }) => {
    if (!documents.has(tab)) throw new Error("no document");
    // A tab whose frames are gone has a document of its own alone.
    if (type === "outcome" && documents.get(tab).top) return frameId === 0 ? documents.get(tab).top : undefined;
    if (type === "outcome") return documents.get(tab);
    if (type === "barUnobscured") return "yes";
    if (type !== "bar") return undefined;
    if (token && !bars.has(tab)) bars.set(tab, token);
    return token ? { token: bars.get(tab) } : void bars.delete(tab);
  }, get: async (tab) => {
    if (Tab.closed.has(tab)) throw new Error("no tab");
    return { id: tab };
  } },
  webRequest: { onBeforeRequest: event(), onBeforeRedirect: event() },
  action: { setBadgeText: async () => {}, setTitle: async () => {} },
  i18n: { getMessage: (name) => name, getUILanguage: () => "en" },
};
const background = pathToFileURL(`${process.argv[2]}/`).href;
export const outcome = await import(`${background}outcome.js`);
export const { firstPages, submissions } = await import(`${background}submissions.js`);
export const { events } = await import(`${background}host.js`);
const { describe, serveBar } = await import(`${background}question.js`);
vm.runInThisContext(readFileSync(`${process.argv[2]}/../bar/texts.js`, "utf8"));

/** The user's answer in the popup, with what it shows then. */
export function decide(id, choice, user = "") {
  const one = submissions.get(id);
  return outcome.decide(id, choice, user, globalThis.replacesAt(describe(one), user));
}

/** The page of the bar that a tab shows, with what it gets. */
export function openBar(tab) {
  const port = { sender: { tab: { id: tab } }, questions: [], onMessage: event(), onDisconnect: event(), disconnect() {} };
  port.postMessage = (message) => void (message.type === "question" && port.questions.push(message));
  serveBar(port);
  port.onMessage.fire({ type: "token", token: bars.get(tab) });
  return port;
}

/** What a page reports that shows nothing of note. */
export const plain = { actedAt: 0, began: 0, isReady: true, isShownAgain: false, isOpened: false, status: 200, shapes: [], asksUser: false, isBusy: false, hasError: false, isMarked: false, isConfirmed: false, hasSignOut: false, successes: [], sending: null, path: "/home" };
let count = 0;

export class Tab {
  static last = 0;
  static closed = new Set();
  /** @param {string} origin */
  constructor(origin) {
    [this.origin, this.id] = [origin, ++Tab.last];
  }

  /** A document of an origin requests a page for the tab; none where the user opens it. `via`: the origin that redirects it to there, where a
   * service worker answers. */
  request(by, to, via) {
    const details = { tabId: this.id, url: `${via ?? to}/`, timeStamp: Date.now(), ...(this.id % 2 ? { initiator: by } : { originUrl: by && `${by}/form` }) };
    chrome.webRequest.onBeforeRequest.fire(details);
    if (via) chrome.webRequest.onBeforeRedirect.fire({ ...details, redirectUrl: `${to}/` });
  }

  /** Sends a form; its site answers with a page. `fields`: roles and values; `others`: further fields before them, with their roles; `isSameDocument`:
   * whether the bar stays; `requests`: see `request`, before the form is known, or where `isLate` after it. */
  async send(formKind, fields, { offer, answer = {}, successes = [], others = [], isClassified = true, address = `${this.origin}/form`, isSameDocument = false, isLate = false, requests = [[this.origin, answer.origin ?? this.origin]] } = {}) {
    const name = `form${++count}`, { origin } = this;
    const page = { tab: this.id, frame: 0, isPrivate: false, origin, topOrigin: origin, pageAddress: address };
    const own = Object.entries(fields).map(([role, value]) => ({ id: role, name: role, type: role === "username" ? "text" : "password", value }));
    const described = [...others.map(({ role, ...field }) => field), ...own];
    const roles = [...others.map(({ id, role }) => ({ field: id, role })), ...Object.keys(fields).map((role) => ({ field: role, role }))];
    const state = isClassified ? { form: { id: name }, answer: { formKind, roles }, used: offer && { offer } } : undefined;
    const kind = { signIn: "signIn", signUp: "new", changePassword: "change" }[formKind];
    const form = { id: name, fields: described };
    documents.delete(this.id);
    if (!isSameDocument) bars.delete(this.id);
    // What it requests is later.
    const at = Date.now() - 1, request = () => requests.forEach((one) => this.request(...one));
    if (!isLate) request();
    await outcome.begin(page, state, form, { id: `sent${count}`, token: `${name} page`, address: page.pageAddress, at, successes, shape: { kind, names: described.map((one) => one.name) } });
    if (isLate) request();
    const shapes = answer.isAgain ? [{ kind, names: described.map((one) => one.name) }] : answer.shapes ?? [];
    documents.set(this.id, { ...plain, token: `${name} answer`, origin, ...answer, shapes });
    updated.fire(this.id, { status: "complete" });
    if (!answer.isAgain) await until(() => !this.one({ state: "waiting" }) && !this.one({ state: "saving" }));
    return { page, form };
  }

  signIn(username, password, how) { return this.send("signIn", { username, password }, how); }
  signUp(username, newPassword, how) { return this.send("signUp", { username, newPassword }, how); }
  change(password, newPassword, how) { return this.send("changePassword", { password, newPassword }, how); }
  confirm(password, how) { return this.send("signIn", { password }, how); }
  reset(newPassword, how) { return this.send("signUp", { newPassword }, how); }

  all() { return [...submissions.values()].filter(({ tab }) => tab === this.id); }
  one(wanted) { return this.all().find((one) => Object.entries(wanted).every(([name, value]) => one[name] === value)); }
  close() {
    Tab.closed.add(this.id);
    removed.fire(this.id);
  }
}

// ---------------------------------------------------------------- the cases
/** Runs cases at once, those that lock the vault, which is one for all sites, one after the other at last; writes each that ends wrongly. What
 * one leaves counts for no other. */
export async function runAll(cases) {
  let wrong = 0;
  const isShared = ([name]) => name.includes("vault is locked");
  const run = ([name, act], origin) => act(origin).catch((error) => {
    wrong += 1;
    console.log(`${name}: ${error.message}`);
  }).finally(() => {
    for (const one of submissions.values()) if (one.origin.includes(new URL(origin).host.slice("shop".length))) submissions.delete(one.id);
  });
  const numbered = Object.entries(cases).map((one, index) => ({ one, origin: `https://shop.case${index}.example` }));
  await Promise.all(numbered.filter(({ one }) => !isShared(one)).map(({ one, origin }) => run(one, origin)));
  for (const { one, origin } of numbered.filter(({ one }) => isShared(one))) await run(one, origin);
  console.log(`${numbered.length} cases, ${wrong} wrong`);
  process.exit(wrong > 0 ? 1 : 0);
}
