// SPDX-License-Identifier: Apache-2.0
/**
 * Forms that sites accept or refuse, in the extension's own background: whose account a password without a user name is, and what becomes
 * of questions and passwords meanwhile; with a daemon and a browser of this file: node owners.mjs BACKGROUND, a folder of ES modules. Each case
 * has an origin and tabs of its own, and all run at once. Writes each that ends wrongly.
 */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const event = () => ({ addListener(listener) { this.fire = listener; } });
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
const until = async (isSo) => {
  for (const end = Date.now() + 30_000; !isSo(); await sleep(10)) assert.ok(Date.now() < end, `never so: ${isSo}`);
};

// ---------------------------------------------------------------- the daemon
/** What is saved at an origin, and the passwords that were offered there; the daemon may be refusing all with a reason. */
class Site {
  static all = new Map();
  static at(origin) {
    if (!this.all.has(origin)) this.all.set(origin, new Site());
    return this.all.get(origin);
  }
  saved = {};
  offered = [];
  writes = [];
  refusal = null;

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
    if (this.refusal) throw { reasons: [{ reason: this.refusal, message: this.refusal, fix: "" }] };
    const needsUser = () => { throw { reasons: [{ reason: "interaction-required", message: "", fix: "" }] }; };
    if (method === "list") return { credentials: Object.keys(this.saved).map((user) => ({ user, credential: user, version: "1", created: "1", modified: "1" })) };
    if (method === "save") return this.write(params.user, params.password);
    if (method === "submit") {
      sent.push(params.form.fields);
      return { submission: String(sent.length - 1) };
    }
    if (method !== "confirm") return {};
    const fields = sent[Number(params.submission)];
    const user = fields.find(({ type, value }) => type !== "password" && value)?.value;
    const password = fields.filter(({ type, value }) => type === "password" && value).at(-1).value;
    if (!user) return { outcome: "nothing" };
    if (this.saved[user] === password) return this.write(user, password);
    return this.offered.includes(password) || params.interaction === "allow" ? this.write(user, password) : needsUser();
  }
}
const sent = [];
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
/** What the document of each tab reports. */
const documents = new Map();
const area = () => ({ get: async () => ({}), set: async () => {} });
const [updated, removed] = [event(), event()].map((one) => ({ listeners: [], addListener(listener) { this.listeners.push(listener); }, fire(...values) { this.listeners.forEach((listener) => listener(...values)); } }));
globalThis.chrome = {
  runtime: { connectNative, getURL: (path) => `chrome-extension://test/${path}`, id: "test", onMessage: event(), onConnect: event() },
  storage: { session: area(), local: area(), onChanged: event() },
  tabs: { onUpdated: updated, onRemoved: removed, sendMessage: async (tab, { type }) => {
    if (type === "outcome" && documents.has(tab)) return documents.get(tab);
    throw new Error("no document");
  } },
  webRequest: { onBeforeRequest: event() },
  action: { setBadgeText: async () => {}, setTitle: async () => {} },
  i18n: { getMessage: (name) => name, getUILanguage: () => "en" },
};
const background = pathToFileURL(`${process.argv[2]}/`).href;
const { begin, decide, nameOf, saveAccepted, wasSent } = await import(`${background}outcome.js`);
const { submissions } = await import(`${background}submissions.js`);
const { events } = await import(`${background}host.js`);

/** What a page reports that shows nothing of note. */
const plain = { actedAt: 0, began: 0, isReady: true, isShownAgain: false, status: 200, shapes: [], asksUser: false, isBusy: false, hasError: false, isMarked: false, isConfirmed: false, hasSignOut: false, successes: [], sending: null, path: "/home" };
let count = 0;

class Tab {
  static last = 0;
  /** @param {string} origin */
  constructor(origin) {
    [this.origin, this.id] = [origin, ++Tab.last];
  }

  /** Sends a form; its site answers with a page. `fields`: roles and values. */
  async send(formKind, fields, { offer, answer = {}, successes = [] } = {}) {
    const name = `form${++count}`, { origin } = this;
    const page = { tab: this.id, frame: 0, isPrivate: false, origin, topOrigin: origin, pageAddress: `${origin}/form` };
    const described = Object.entries(fields).map(([role, value]) => ({ id: role, name: role, type: role === "username" ? "text" : "password", value }));
    const state = { form: { id: name }, answer: { formKind, roles: Object.keys(fields).map((role) => ({ field: role, role })) }, used: offer && { offer } };
    const kind = { signIn: "signIn", signUp: "new", changePassword: "change" }[formKind];
    const form = { id: name, fields: described };
    documents.delete(this.id);
    await begin(page, state, form, { id: `sent${count}`, token: `${name} page`, address: page.pageAddress, at: Date.now(), successes, shape: { kind, names: described.map((one) => one.name) } });
    const shapes = answer.isAgain ? [{ kind, names: described.map((one) => one.name) }] : [];
    documents.set(this.id, { ...plain, token: `${name} answer`, origin, ...answer, shapes });
    updated.fire(this.id, { status: "complete" });
    if (!answer.isAgain) await until(() => !this.one({ state: "waiting" }) && !this.one({ state: "saving" }));
    return { page, form };
  }

  signIn(username, password, how) { return this.send("signIn", { username, password }, how); }
  signUp(username, newPassword, how) { return this.send("signUp", { username, newPassword }, how); }
  change(password, newPassword, how) { return this.send("changePassword", { password, newPassword }, how); }
  reset(newPassword, how) { return this.send("signUp", { newPassword }, how); }

  all() { return [...submissions.values()].filter(({ tab }) => tab === this.id); }
  one(wanted) { return this.all().find((one) => Object.entries(wanted).every(([name, value]) => one[name] === value)); }
  close() { removed.fire(this.id); }
}

// ---------------------------------------------------------------- the cases
const cases = {
  "a change is asked about after another user's sign-in in a tab that is closed, or at another origin of the site": async (origin) => {
    for (const other of [origin, origin.replace("//shop.", "//login.")]) {
      const site = Site.at(origin), [tab, second] = [new Tab(origin), new Tab(other)];
      Object.assign(site, { saved: { ann: "of ann", eve: "of eve" }, offered: ["strong"], writes: [] });
      await tab.signIn("ann", "of ann");
      await second.signIn("eve", "of eve");
      second.close();
      await tab.change("of eve", "strong", { offer: "1" });
      assert.deepEqual(site.writes, []);
      assert.ok(tab.one({ state: "asked", password: "strong", isGuess: true }));
    }
  },
  "a question about an account that was made stays beside a guess that names it": async (origin) => {
    const tab = new Tab(origin);
    Site.at(origin).saved = { eve: "of eve" };
    await tab.signIn("eve", "of eve");
    await tab.signUp("ann", "of ann");
    await tab.change("of eve", "new of eve");
    assert.ok(tab.one({ state: "asked", password: "of ann", user: "ann" }));
    assert.ok(tab.one({ state: "asked", password: "new of eve", isGuess: true }));
  },
  "a guess that may be another account's names nobody, and is saved for the one that the user names": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    Object.assign(site, { saved: { ann: "of ann", eve: "of eve" } });
    await tab.signIn("eve", "of eve");
    await tab.signIn("ann", "wrong", { answer: { isAgain: true, hasError: true, path: "/form" } });
    await tab.change("of eve", "new of eve");
    const one = tab.one({ state: "asked", password: "new of eve" });
    assert.deepEqual([one.user, one.question.users], [undefined, ["ann", "eve"]]);
    await decide(one.id, "save", "");
    assert.deepEqual(site.saved, { ann: "of ann", eve: "of eve" });
    await decide(one.id, "save", "eve");
    assert.deepEqual(site.saved, { ann: "of ann", eve: "new of eve" });
  },
  "a user name that was corrected in the question is the one of a later change": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    site.offered = ["strong"];
    await tab.signIn("12345", "first");
    await decide(tab.one({ state: "asked" }).id, "save", "bob");
    await tab.change("first", "strong", { offer: "2" });
    assert.deepEqual(site.saved, { bob: "strong" });
  },
  "two resets without a user name are two questions, and the second form gets an offer of its own": async (origin) => {
    const tab = new Tab(origin);
    Site.at(origin).saved = { ann: "of ann", bob: "of bob" };
    const { page, form } = await tab.reset("first", { offer: "3" });
    assert.equal(await nameOf(page, { ...form, id: "next" }), "next");
    assert.ok(wasSent("3"));
    await tab.reset("second", { offer: "4" });
    assert.deepEqual(tab.all().map(({ password, state }) => [password, state]), [["first", "asked"], ["second", "asked"]]);
  },
  "a change that is shown again is accepted by a success that is new there, and by no other": async (origin) => {
    for (const [answer, isAccepted, isKept = isAccepted] of [[{ successes: ["Saved items"] }, false], [{ successes: ["Password changed"], isMarked: true }, false, true], [{ successes: ["Saved items", "Password changed"] }, true]]) {
      const tab = new Tab(origin), site = Site.at(origin);
      Object.assign(site, { saved: { ann: "of ann" }, offered: ["strong"] });
      await tab.signIn("ann", "of ann");
      await tab.change("of ann", "strong", { offer: "5", successes: ["Saved items"], answer: { ...answer, path: "/form", isAgain: true } });
      await sleep(1500);
      assert.equal(site.saved.ann, isAccepted ? "strong" : "of ann", JSON.stringify(answer));
      // What shows both is not known.
      if (isKept && !isAccepted) assert.ok(tab.one({ state: "waiting", password: "strong" }));
    }
  },
  "what is saved in the popup while the vault is locked is saved once, with the user name that is there": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    Object.assign(site, { offered: ["strong"], refusal: "vault-locked" });
    await tab.signUp("ann", "strong", { offer: "6" });
    const one = tab.one({ state: "pending", isAccepted: true });
    const decided = decide(one.id, "save", "bob");
    site.refusal = null;
    await Promise.all([decided, saveAccepted()]);
    assert.deepEqual(site.saved, { bob: "strong" });
    assert.equal(one.question.result, "saved");
  },
  "a question waits while the vault is locked": async (origin) => {
    const tab = new Tab(origin);
    await tab.signIn("ann", "typed");
    assert.ok(tab.one({ state: "asked" }));
    await events.get("vaultLocked")();
    assert.ok(tab.one({ state: "pending", isAccepted: true, password: "typed" }));
    await saveAccepted();
    assert.ok(tab.one({ state: "asked", password: "typed" }));
  },
  "a question that said Save does not replace": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    await tab.signIn("ann", "old");
    site.saved = { ann: "new" };
    const { id } = tab.one({ state: "asked" });
    await decide(id, "save", "ann");
    assert.deepEqual(site.saved, { ann: "new" });
    assert.deepEqual(tab.one({ state: "asked" }).question.users, ["ann"]);
    await decide(id, "save", "ann");
    assert.deepEqual(site.saved, { ann: "old" });
  },
  "what cannot be written is asked about with the reason, and the user's refusal ends it": async (origin) => {
    for (const [reason, isAsked] of [["internal", true], ["storage-full", true], ["vault-corrupt", true], ["grant-denied", false], ["save-disabled", false], ["vault-missing", false]]) {
      const tab = new Tab(origin);
      Site.at(origin).refusal = reason;
      await tab.signUp("ann", "typed");
      assert.deepEqual(tab.all().map(({ state, question }) => [state, question?.reasons?.[0].reason]), isAsked ? [["asked", reason]] : [], reason);
    }
  },
  "a site that sends many forms loses its own, and no other's": async (origin) => {
    const [tab, other] = [new Tab(origin), new Tab(`${origin}.net`)];
    await tab.signIn("ann", "typed");
    for (let number = 0; number < 40; number++) {
      await other.send("signIn", { username: "eve", [`password${number}`]: `wrong ${number}` }, { answer: { path: "/form", isAgain: true } });
    }
    assert.ok(tab.one({ state: "asked", password: "typed" }));
    assert.ok(other.all().length <= 6, String(other.all().length));
    assert.ok(other.one({ password: "wrong 39" }));
  },
  "what a site has accepted is not forgotten for its later forms, while the vault is locked or nobody answers": async (origin) => {
    for (const refusal of ["vault-locked", null]) {
      const tab = new Tab(origin), users = Array.from({ length: 8 }, (_, number) => `user${number}`);
      Site.at(origin).refusal = refusal;
      for (const user of users) await tab.signUp(user, `of ${user}`);
      assert.deepEqual(tab.all().map(({ user, isAccepted }) => [user, isAccepted]), users.map((user) => [user, true]));
    }
  },
  "a private tab that is closed leaves only what was offered, which is in the vault": async (origin) => {
    const tab = new Tab(origin);
    await tab.signUp("ann", "strong", { offer: "8", answer: { path: "/form", isAgain: true } });
    await tab.signIn("bob", "typed", { answer: { path: "/form", isAgain: true } });
    for (const one of tab.all()) one.isPrivate = true;
    tab.close();
    await until(() => !tab.one({ password: "typed" }));
    assert.ok(tab.one({ password: "strong" }));
  },
  "what the user decides while the site's answer is awaited counts": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    await tab.change("of ann", "typed", { answer: { path: "/form", isAgain: true } });
    const one = tab.one({ password: "typed", state: "waiting" });
    await decide(one.id, "save", "ann");
    documents.set(tab.id, { ...plain, token: "the account", origin });
    updated.fire(tab.id, { status: "complete" });
    await sleep(1000);
    assert.deepEqual([one.state, one.question.result, site.writes], ["asked", "saved", [["ann", "typed"]]]);
  },
  "another site's sign-in in between does not end what is pending": async (origin) => {
    const tab = new Tab(origin), other = new Tab(`${origin}.net`);
    other.id = tab.id;
    await tab.change("of ann", "pending", { answer: { path: "/form", isAgain: true } });
    const one = tab.one({ password: "pending" });
    one.until = 0;
    await until(() => one.state !== "waiting");
    await other.signIn("bob", "of bob");
    documents.set(tab.id, { ...plain, token: "the account", origin });
    updated.fire(tab.id, { status: "complete" });
    await until(() => one.state === "asked");
  },
  "an earlier form is not decided by the page that answers a later one": async (origin) => {
    const tab = new Tab(origin);
    Site.at(origin).saved = { ann: "of ann" };
    await tab.signIn("ann", "of ann");
    await tab.change("of ann", "first", { answer: { path: "/form", isAgain: true } });
    const first = tab.one({ password: "first" });
    first.until = 0;
    await until(() => first.state !== "waiting");
    await tab.change("of ann", "second", { answer: { path: "/form", isAgain: true, successes: ["Password changed"] } });
    await until(() => tab.one({ password: "second", state: "asked" }));
    assert.equal(first.state, "pending");
  },
};

let wrong = 0;
/** Those that lock the vault, which is one for all sites, come last. */
const isShared = (name) => name.includes("vault is locked");
const run = ([name, act], index) => act(`https://shop.case${index}.example`).catch((error) => {
  wrong += 1;
  console.log(`${name}: ${error.message}`);
});
const numbered = Object.entries(cases).map((one, index) => ({ one, index }));
await Promise.all(numbered.filter(({ one: [name] }) => !isShared(name)).map(({ one, index }) => run(one, index)));
for (const { one, index } of numbered.filter(({ one: [name] }) => isShared(name))) await run(one, index);
console.log(`${numbered.length} cases, ${wrong} wrong`);
process.exit(wrong > 0 ? 1 : 0);
