// SPDX-License-Identifier: Apache-2.0
/**
 * The extension's own pages and its content script, each by itself, in a browser of this file: node pages.mjs BACKGROUND, a folder of ES modules
 * beside the extension's other folders. Writes each case that ends wrongly.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

const folder = process.argv[2];
/** The text of a script that is no module. */
const script = (path) => readFileSync(`${folder}/../${path}`, "utf8");
const event = () => ({ addListener(listener) { this.fire = listener; } });
/** A port that keeps what is sent. */
const port = (sender) => ({
  sender, sent: [], onMessage: event(), onDisconnect: event(), disconnect() {}, postMessage(message) { this.sent.push(message); },
});
const area = () => ({ get: async () => ({}), set: async () => {} });
globalThis.chrome = {
  runtime: { getURL: (path) => `chrome-extension://test/${path}`, id: "test", onInstalled: event(), onStartup: event() },
  storage: { session: area(), local: area(), onChanged: event() },
  tabs: { onUpdated: event(), onRemoved: event() }, webRequest: { onBeforeRequest: event() }, commands: { onCommand: event() },
  action: { setBadgeText: async () => {}, setTitle: async () => {} }, contextMenus: { create() {}, onClicked: event() },
  i18n: { getMessage: (name, values = []) => [name, ...[values].flat()].join(" "), getUILanguage: () => "en" },
};

/** An element with what the bar and the popup use of it. */
class Element {
  value = "";
  textContent = "";
  classList = { toggle() {} };
  style = { setProperty() {} };
  dataset = {};
  children = [];
  listeners = new Map();
  addEventListener(name, listener) { this.listeners.set(name, listener); }
  append(...children) { this.children.push(...children.map((one) => (typeof one === "string" ? { textContent: one, children: [] } : one))); }
  replaceChildren(...children) { this.children = children; }
  /** All that are in it. */
  get parts() { return this.children.flatMap((one) => [one, ...(one.parts ?? [])]); }
  querySelector() { return null; }
  querySelectorAll() { return []; }
  focus() {}
  getBoundingClientRect() { return { height: 100 }; }
}

const cases = {
  async "a menu's page that is loaded again can be chosen from when the menu is opened again"() {
    const { Page } = await import(`${pathToFileURL(folder).href}/page.js`);
    const tab = { id: 1 }, [first, second] = [port({ tab }), port({ tab })];
    const page = new Page(port({ tab, frameId: 0 }));
    page.menu = { token: "name", form: "form", items: [{ type: "account" }] };
    assert.ok(page.attach(first, "name"));
    page.opened("name");
    assert.equal(page.attach(second, "name"), false);
    page.forgetPort(first);
    assert.ok(page.attach(second, "name"));
    await page.choose(0, true);
    assert.deepEqual(second.sent.map(({ type }) => type), ["items", "wait"]);
    page.opened("name");
    await page.choose(0, true);
    assert.deepEqual(second.sent.map(({ type }) => type), ["items", "wait", "moved"]);
  },
  async "a user name that was typed in the bar is not that of the next question"() {
    const elements = new Map(), background = port();
    const part = (id) => elements.get(id) ?? elements.set(id, new Element()).get(id);
    const document = { documentElement: {}, body: part("body"), getElementById: part, querySelector: part, createElement: () => new Element() };
    vm.runInNewContext(`${script("bar/texts.js")}; ${script("bar/bar.js")}`, {
      document, location: { hash: "#name" }, canObserve: true, say: chrome.i18n.getMessage, setInterval() {}, setTimeout() {},
      Guard: { restart() {}, isClickable: () => true }, ResizeObserver: class { observe() {} },
      chrome: { ...chrome, runtime: { connect: () => background } },
    });
    part("bar").hidden = true;
    const ask = (id, user = "") => background.onMessage.fire({ type: "question", id, site: "shop.example", user, users: [], isChange: true, canUndo: false });
    ask("of ann");
    part("user").value = "ann";
    // The same question again, as after an answer that was refused.
    ask("of ann");
    assert.equal(part("user").value, "ann");
    ask("of eve");
    assert.equal(part("user").value, "");
    // An answer states which question it is for, and what that has said.
    part("bar").listeners.get("submit")({ isTrusted: true, detail: 0, preventDefault() {} });
    assert.deepEqual({ ...background.sent.at(-1) }, { type: "answer", id: "of eve", choice: "save", user: "", replaces: true, isSure: true });
  },
  async "the popup states what is saved for the name that is typed, and sends that with the answer"() {
    const elements = new Map(), background = port();
    const part = (id) => elements.get(id) ?? elements.set(id, new Element()).get(id);
    const create = () => new Element();
    Object.assign(globalThis, {
      location: { search: "?tab=1" }, close() {}, addEventListener() {},
      document: {
        documentElement: create(), body: create(), getElementById: part, querySelectorAll: () => [], querySelector: () => null, addEventListener() {},
        createElement: (name) => Object.assign(create(), { name }), createElementNS: create,
      },
    });
    globalThis.window = globalThis;
    chrome.runtime.connect = () => background;
    vm.runInThisContext(script("bar/texts.js"));
    const undecided = [{ id: "of ann", site: "shop.example", user: "ann", users: ["eve"], isChange: false, isAsked: true }];
    // Everything is answered.
    background.postMessage = function (message) {
      this.sent.push(message);
      const state = { origin: "https://shop.example", site: "shop.example", vault: "locked", choice: {}, undecided, reasons: [] };
      setTimeout(() => this.onMessage.fire({ id: message.id, result: message.type === "state" ? state : null }));
    };
    await import(`${pathToFileURL(folder).href}/../popup/popup.js`);
    const parts = () => part("main").parts, find = (wanted) => parts().find((one) => Object.entries(wanted).every(([name, value]) => one[name] === value));
    const shown = () => [find({ name: "h2" }), find({ id: "save" })].map(({ textContent }) => textContent.replace(/[\u2068\u2069]/g, ""));
    assert.deepEqual(shown(), ["bar_saveFor ann shop.example", "bar_saveNow"]);
    const field = find({ name: "input", type: "text" });
    field.value = "eve";
    field.oninput();
    assert.deepEqual(shown(), ["bar_updateOf eve shop.example", "bar_updateNow"]);
    await find({ id: "save" }).onclick();
    assert.deepEqual(background.sent.filter(({ type }) => type === "decide").map(({ id, ...rest }) => rest), [{ type: "decide", outcome: "of ann", choice: "save", user: "eve", replaces: true }]);
    // Where it is asked again, what was typed stays.
    assert.deepEqual([find({ name: "input", type: "text" }).value, ...shown()], ["eve", "bar_updateOf eve shop.example", "bar_updateNow"]);
    // An empty field means the name of the question.
    const meant = (users, typed) => [globalThis.replacesAt({ ...undecided[0], users }, typed), globalThis.titleOfQuestion({ ...undecided[0], users }, typed)[0]];
    assert.deepEqual([meant(["ann"], " "), meant([], ""), meant(["ann"], "eve")], [[true, "bar_updateOf"], [false, "bar_saveFor"], [false, "bar_saveFor"]]);
    // Where it may be another's it means nobody.
    undecided[0].isGuess = true;
    assert.deepEqual([meant(["ann"], " "), meant(["ann"], "ann"), meant([], "")], [[false, "bar_save"], [true, "bar_updateOf"], [false, "bar_save"]]);
  },
  async "a strong password that the page has shortened is one, where nobody has typed since"() {
    class HTMLInputElement extends Element {
      style = { setProperty() {} };
      getAttribute() { return null; }
      removeAttribute() {}
    }
    const [field, other] = [new HTMLInputElement(), new HTMLInputElement()];
    const byName = new Map(Object.entries({ field, other }).map(([name, one]) => [name, { deref: () => one }]));
    const scope = vm.createContext({ HTMLInputElement, autofillNames: { byName } });
    vm.runInContext(`${script("content/fill.js")}; Object.assign(globalThis, { isOfStrong, markStrong });`, scope);
    const filled = new Set(["Xyz-0123456789-abcdef"]);
    const isStrong = (id, value) => scope.isOfStrong({ id, value }, filled);
    scope.markStrong(field);
    assert.deepEqual([isStrong("field", "Xyz-0123456789-a"), isStrong("other", "Xyz-0123456789-a")], [true, false]);
    assert.deepEqual([isStrong("other", "Xyz-0123456789-abcdef"), isStrong("gone", "Xyz-0123456789-abcdef")], [true, true]);
    assert.deepEqual([isStrong("field", ""), isStrong("field", undefined), isStrong("field", "another"), isStrong(undefined, "X")], [false, false, false, false]);
    // The user's own key removes the mark.
    field.listeners.get("input")({ isTrusted: true });
    assert.equal(isStrong("field", "Xyz-0123456789-a"), false);
  },
};

let wrong = 0;
for (const [name, act] of Object.entries(cases)) {
  await act().catch((error) => {
    wrong += 1;
    console.log(`${name}: ${error.message}`);
  });
}
console.log(`${Object.keys(cases).length} cases, ${wrong} wrong`);
process.exit(wrong > 0 ? 1 : 0);
