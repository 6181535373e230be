// SPDX-License-Identifier: Apache-2.0
/**
 * Saves and undoes in the extension's own background, for every combination of what is saved before, what the browser may read, and
 * what others change meanwhile, with a daemon and a browser of this file: node undo.mjs BACKGROUND, a folder of ES modules. Writes
 * each combination in which an undo removes or replaces more than its own save made.
 */
import { pathToFileURL } from "node:url";

const event = () => ({ addListener() {} });
/** The daemon: accounts by user name, and what it refuses. */
const daemon = {
  accounts: new Map(), version: 0, now: 0, isListed: true, deletions: 0, sent: new Map(),
  reset() {
    Object.assign(this, { accounts: new Map(), isListed: true, deletions: 0, sent: new Map() });
  },
  write(user, password) {
    const old = this.accounts.get(user);
    this.now += 1;
    if (old?.password === password) return { credential: old.id, changed: false, isNew: false };
    const id = old?.id ?? `id${++this.version}`;
    const history = old ? [{ password: old.password, replaced: String(this.now) }, ...old.history] : [];
    this.accounts.set(user, { id, password, history, version: String(++this.version), created: old?.created ?? this.now, modified: this.now });
    return { credential: id, changed: true, isNew: !old };
  },
  refuse(reason) {
    throw { reasons: [{ reason, message: reason, fix: "" }] };
  },
  found(id) {
    return [...this.accounts].find(([, { id: other }]) => other === id) ?? this.refuse("credential-not-found");
  },
  answer(method, params) {
    switch (method) {
      case "list":
        if (!this.isListed) this.refuse("interaction-required");
        return { credentials: [...this.accounts].filter(([user]) => user !== this.unseen)
          .map(([user, { id, version, created, modified }]) => ({ credential: id, user, version, created: String(created), modified: String(modified) })) };
      case "save": {
        if (this.needsForm && params.interaction === "forbid") this.refuse("grant-missing");
        const { credential, changed } = this.write(params.user, params.password);
        this.unseen = undefined; // it is the browser's own now
        return { credential, changed };
      }
      case "submit": {
        const name = `s${this.sent.size}`;
        this.sent.set(name, params.form);
        return { submission: name };
      }
      case "confirm": {
        const { fields } = this.sent.get(params.submission) ?? this.refuse("submission-not-found");
        const valueOf = (wanted) => fields.find(({ id }) => id === wanted)?.value;
        const { credential, changed, isNew } = this.write(valueOf("user"), valueOf("password"));
        this.unseen = undefined;
        return { outcome: isNew ? "saved" : changed ? "updated" : "unchanged", credential, changed };
      }
      case "history": {
        const [user, { password, history, version }] = this.found(params.credential);
        return { user, password, history, version };
      }
      case "delete": {
        const [user, { version }] = this.found(params.credential);
        if (params.ifVersion !== undefined && params.ifVersion !== version) this.refuse("version-mismatch");
        this.accounts.delete(user);
        this.deletions += 1;
        return { changed: true };
      }
      default: return {};
    }
  },
};

function connectNative() {
  const listeners = [];
  return {
    onMessage: { addListener: (listener) => listeners.push(listener) }, onDisconnect: event(),
    postMessage({ id, method, params }) {
      let answer;
      try {
        answer = { id, result: daemon.answer(method, params) };
      } catch (error) {
        if (!error.reasons) throw error;
        answer = { id, error };
      }
      queueMicrotask(() => listeners.forEach((listener) => listener(answer)));
    },
  };
}

const area = () => ({ get: async () => ({}), set: async () => {} });
globalThis.chrome = {
  runtime: { connectNative, getURL: (path) => `chrome-extension://test/${path}`, id: "test", onMessage: event(), onConnect: event() },
  storage: { session: area(), local: area(), onChanged: event() },
  tabs: { onUpdated: event(), onRemoved: event(), sendMessage: async () => { throw new Error("no document"); } },
  action: { setBadgeText: async () => {}, setTitle: async () => {} },
  i18n: { getMessage: (name) => name, getUILanguage: () => "en" },
};
const background = pathToFileURL(`${process.argv[2]}/`).href;
const question = await import(`${background}question.js`);
const { submissions } = await import(`${background}submissions.js`);

/** All combinations of one value of each list. */
function combinations(lists) {
  return Object.entries(lists).reduce((all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))), [{}]);
}

const passwords = () => JSON.stringify([...daemon.accounts].map(([user, { password }]) => [user, password]).sort());
let [wrong, undone, offered] = [0, 0, 0];
for (const one of combinations({
  before: [undefined, "another", "the same"], isUnseen: [false, true], isListedBefore: [true, false], isListedAfter: [true, false],
  isByForm: [false, true], isReplacedSince: [false, true], hasHistory: [false, true],
})) {
  daemon.reset();
  const user = "ann@example.com";
  daemon.write("bob@example.com", "of bob");
  if (one.before && one.hasHistory) daemon.write(user, "the first");
  if (one.before) daemon.write(user, one.before);
  daemon.unseen = one.isUnseen ? user : undefined;
  daemon.needsForm = one.isByForm;
  daemon.isListed = one.isListedBefore;
  const before = passwords();
  const form = { id: "form", fields: [{ id: "user", type: "text", value: user }, { id: "password", type: "password", value: "the same" }] };
  const submission = { id: "1", tab: 1, frame: 0, origin: "https://shop.example.com", at: Date.now(), until: 0, shape: { kind: "signIn" }, form, key: "", user, password: "the same", state: "waiting" };
  submissions.clear();
  submissions.set(submission.id, submission);
  await question.ask(submission);
  daemon.isListed = one.isListedAfter;
  // As the bar shows it.
  const save = () => question.answer(submission, "save", user, submission.question.users.includes(user));
  await save();
  // What the question did not say that it replaces is asked about again.
  const isAskedAgain = submission.question.result === undefined;
  if (isAskedAgain) await save();
  const described = question.describe(submission);
  const after = passwords();
  if (one.isReplacedSince) daemon.write(user, "of the user since");
  const expected = one.isReplacedSince ? passwords() : before;
  const whole = passwords();
  await question.answer(submission, "undo");
  const now = passwords();
  const isUndone = submission.question?.result === "undone";
  undone += Number(isUndone);
  offered += Number(described.canUndo === true);
  // Either exactly what was there before, or what is there is left as it is.
  const problems = [];
  if (now !== (isUndone ? expected : whole)) problems.push(`${whole} became ${now}`);
  if (isUndone && one.isReplacedSince) problems.push("undid what was changed since");
  if (one.before && daemon.deletions > 0) problems.push("deleted what existed before");
  if (described.canUndo && !isUndone && !one.isReplacedSince) problems.push("offers an undo, and does nothing");
  if (!described.canUndo && isUndone) problems.push("undoes what it does not offer");
  if (one.before !== "the same" && one.isListedAfter && !described.canUndo) problems.push("offers no undo");
  const isNews = one.before !== undefined && !one.isUnseen && !one.isListedBefore && one.isListedAfter;
  if (isAskedAgain !== isNews) problems.push(isNews ? "replaced what it had not named" : "asked twice");
  if (one.before === "the same" && after !== before) problems.push("this test is wrong");
  if (problems.length > 0) console.log(JSON.stringify(one), problems.join("; "));
  wrong += Number(problems.length > 0);
}
console.log(`${undone} undone, ${offered} offered, ${wrong} wrong`);
process.exit(wrong > 0 || undone < 20 ? 1 : 0);
