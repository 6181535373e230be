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
/** That of the popup and of the window for HTTP authentication, which share the module that has it. */
const toolbar = port();
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

/** The content script with a document of fields; what else it calls answers as for a page with nothing special. */
function contentScript() {
  const target = (more = {}) => ({ listeners: new Map(), addEventListener(name, listener) { this.listeners.set(name, listener); }, querySelector: () => null, querySelectorAll: () => [], ...more });
  class HTMLInputElement extends Element {
    isSeen = true;
    matches() { return document.focus === this; }
    getBoundingClientRect() { return { left: 10, top: 10, right: 110, bottom: 30 }; }
  }
  const background = port(), timers = new Map(), observers = [];
  let last = 0;
  const document = target({ activeElement: null, focus: null, readyState: "complete", hasFocus: () => false });
  const scope = vm.createContext({
    document, HTMLInputElement, console, performance, chrome: { runtime: { id: "test", onMessage: event(), connect: () => background } },
    window: {}, addEventListener() {}, clearTimeout: (number) => timers.delete(number), setTimeout: (act) => timers.set(++last, act) && last,
    MutationObserver: class { isOn = true; constructor() { observers.push(this); } observe() {} disconnect() { this.isOn = false; } },
    Watch: class { follow() {} }, Overlay: class { isOpen = false; mark = {}; menu = null; announce() {} open() {} remove() {} close() {} }, Outcome: {}, Focus: {}, Bar: {},
    shadowOf: (element) => element?.root ?? null, contains: (outer, inner) => outer.inside?.includes(inner), focusedField: () => document.focus,
    isText: () => true, isSeen: ({ isSeen }) => isSeen, isDrawn: () => true, formOf: () => document, allRoots: () => [document], marked: new Map(), getComputedStyle: () => ({}),
    nextMenu: () => "name", dropMenu() {}, dropSpare() {}, fieldName: () => "field", describeForm: () => ({ fields: [] }), say: String,
  });
  vm.runInContext(`${script("content/main.js")}; globalThis.Autofill = Autofill;`, scope);
  const path = (field, more) => ({ isTrusted: true, target: field, composedPath: () => [field], ...more });
  return {
    Autofill: scope.Autofill, document, background, observers, target, path, field: () => new HTMLInputElement(),
    press: (field, more) => document.listeners.get("mousedown")(path(field, { button: 0, clientX: 20, clientY: 20, ...more })),
    /** The number of requests. */
    asked: () => background.sent.filter(({ type }) => type === "focus").length,
    /** Ends the delays. */
    wait() { for (const [number, act] of [...timers]) if (timers.delete(number)) act(); },
  };
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
    const elements = new Map();
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
    chrome.runtime.connect = () => toolbar;
    vm.runInThisContext(script("bar/texts.js"));
    const undecided = [{ id: "of ann", site: "shop.example", user: "ann", users: ["eve"], isChange: false, isAsked: true }];
    // Everything is answered.
    toolbar.postMessage = function (message) {
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
    assert.deepEqual(toolbar.sent.filter(({ type }) => type === "decide").map(({ id, ...rest }) => rest), [{ type: "decide", outcome: "of ann", choice: "save", user: "eve", replaces: true }]);
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
  async "the focus that moves inside a shadow tree is seen, and once"() {
    const { document, target, path, field, asked, background } = contentScript();
    const [first, second] = [field(), field()];
    const inner = target({ activeElement: first }), outer = target({ activeElement: { root: inner } });
    document.activeElement = { root: outer };
    document.focus = first;
    const entered = path(first);
    for (const root of [document, outer, inner]) root.listeners.get("focusin")(entered);
    assert.equal(asked(), 1);
    // The document is told nothing of this one.
    document.focus = inner.activeElement = second;
    inner.listeners.get("focusin")(path(second));
    assert.equal(asked(), 2);
    inner.listeners.get("focusin")(path(second, { isTrusted: false }));
    assert.deepEqual([asked(), background.sent.length], [2, 2]);
  },
  async "a field that cannot be filled when it gets the focus is tried once more, and asked about at a click"() {
    const { Autofill, document, path, field, asked, press, wait } = contentScript();
    const [late, other] = [field(), field()];
    const enter = (one) => { document.focus = one; document.listeners.get("focusin")(path(one)); };
    late.isSeen = false;
    enter(late);
    late.isSeen = true;
    assert.equal(asked(), 0);
    wait();
    assert.equal(asked(), 1);
    // Not after another field got the focus, and once only.
    late.readOnly = true;
    enter(late);
    enter(other);
    late.readOnly = false;
    wait();
    assert.equal(asked(), 2);
    late.isSeen = false;
    enter(late);
    wait();
    wait();
    assert.equal(asked(), 2);
    late.isSeen = true;
    // A click that gives the focus is no request: the focus is.
    press(other);
    press(late, { button: 2 });
    press(late, { isTrusted: false });
    assert.equal(asked(), 2);
    press(late);
    assert.equal(asked(), 3);
    // In a closed shadow tree the event names its host: the place decides.
    const host = { root: {}, inside: [late] };
    press(host, { clientX: 200 });
    assert.equal(asked(), 3);
    press(host);
    assert.equal(asked(), 4);
    // Where a mark is in it, a click opens its menu.
    Autofill.receive({ type: "menu", number: Autofill.number, token: "name", count: 1, formKind: "signIn" });
    press(late);
    assert.equal(asked(), 5, "a menu that was open gets another name");
  },
  async "a page with nothing to fill and no password field is not searched again after each change"() {
    for (const [answer, hasPassword, isWatched] of [[{ count: 0, formKind: "other" }, false, false], [{ count: 0, formKind: "other" }, true, true],
      [{ count: 0, formKind: "signIn" }, false, true], [{ count: 1, formKind: "other" }, false, true]]) {
      const { Autofill, document, observers, field } = contentScript();
      document.querySelector = () => (hasPassword ? {} : null);
      document.focus = field();
      document.focus.isConnected = true;
      Autofill.focus(document.focus);
      Autofill.receive({ type: "menu", number: Autofill.number, token: "name", ...answer });
      assert.deepEqual(observers.map(({ isOn }) => isOn), [isWatched], JSON.stringify([answer, hasPassword]));
    }
  },
  async "a search for shadow trees that is slow is repeated seldom, but for a click"() {
    let [now, count, takes] = [1000, 0, 1];
    const scope = vm.createContext({ document: {}, performance: { now: () => now }, walk() { count += 1; now += takes; } });
    vm.runInContext(`${script("content/guarded.js")}; Object.assign(globalThis, { shadowRoots });`, scope);
    const searches = (age, after) => {
      const before = count;
      now += after;
      scope.shadowRoots(age);
      return count - before;
    };
    assert.deepEqual([searches(250, 0), searches(250, 249), searches(250, 1)], [1, 0, 1]);
    takes = 50;
    assert.deepEqual([searches(250, 250), searches(250, 250), searches(250, 749), searches(250, 1), searches(0, 0)], [1, 0, 0, 1, 1]);
  },
  async "a menu is in the window, whatever space there is, and keeps the height that its page needs"() {
    const frame = {}, put = [];
    const scope = vm.createContext({ innerWidth: 900, innerHeight: 640, getComputedStyle: () => ({ direction: "ltr" }), moveHost() {}, dress: Object.assign });
    vm.runInContext(`${script("content/overlay.js")}; globalThis.Overlay = Overlay;`, scope);
    const field = { left: 40, top: 40, width: 200, height: 20, right: 240, bottom: 60 };
    const overlay = Object.assign(Object.create(scope.Overlay.prototype), {
      field: { getBoundingClientRect: () => field }, mark: {}, button: { offsetWidth: 20 }, endOf: () => 0, box: "", reported: 44,
      menu: { frame, isAtSetPosition: () => true, put: (left, top) => put.push([left, top]) },
    });
    const drawn = () => [...put.at(-1), ...[frame.width, frame.height].map(Number.parseFloat)];
    overlay.height(250);
    assert.deepEqual(drawn(), [40, 64, 300, 250]);
    // A window that is as high as a frame often is, and narrow.
    Object.assign(scope, { innerWidth: 260, innerHeight: 200 });
    overlay.updatePosition();
    assert.deepEqual(drawn(), [4, 64, 252, 132]);
    Object.assign(field, { top: 160, bottom: 180 });
    overlay.updatePosition();
    assert.deepEqual(drawn(), [4, 4, 252, 152]);
    // The field has moved, and the window is large again.
    Object.assign(scope, { innerWidth: 900, innerHeight: 640 });
    overlay.updatePosition();
    assert.deepEqual(drawn(), [40, 184, 300, 250]);
    overlay.height(1000);
    assert.deepEqual(drawn(), [40, 184, 300, 420]);
    const count = put.length;
    overlay.updatePosition();
    assert.equal(put.length, count, "nothing has changed");
  },
  async "a host in a document with a zoom is placed in the window, in its own size"() {
    const host = { style: new Map() };
    host.style.setProperty = (name, value) => host.style.set(name, value);
    const scope = vm.createContext({ around: ({ parent }) => parent });
    vm.runInContext(`${script("content/guarded.js")}; Object.assign(globalThis, { moveHost });`, scope);
    for (const [parent, zoom] of [[{ currentCSSZoom: 2 }, "0.5"], [{ currentCSSZoom: 1 }, "1"], [{}, "1"], [null, "1"]]) {
      scope.moveHost(Object.assign(host, { parent }), 40, 64);
      assert.deepEqual(Object.fromEntries(host.style), { zoom, left: "40px", top: "64px" });
    }
  },
  async "a frame in a page whose address the browser does not report is no whole page"() {
    const { Page } = await import(`${pathToFileURL(folder).href}/page.js`);
    const origin = "https://pay.example";
    const around = (frameId, url) => new Page(port({ tab: { id: 1, url }, frameId, origin })).sender.topOrigin;
    assert.deepEqual([around(3, undefined), around(3, "about:blank"), around(3, "data:text/html,x"), around(3, "https://shop.example/a")], ["null", "null", "null", "https://shop.example"]);
    assert.deepEqual([around(0, undefined), around(0, "https://shop.example/a")], [origin, origin]);
  },
  async "an account for HTTP authentication is taken half a second after it was drawn, or its window came to the front"() {
    const elements = new Map(), listeners = new Map();
    const part = (id) => elements.get(id) ?? elements.set(id, new Element()).get(id);
    const answers = { site: { origin: "https://shop.example" }, accounts: { credentials: [{ credential: "crd_1", user: "ann" }] } };
    let now = 0, answer = () => {}, ask = () => {};
    const slow = new Promise((resolve) => { answer = resolve; }), isAsked = new Promise((resolve) => { ask = resolve; });
    Object.assign(globalThis, {
      location: { hash: "#name" }, addEventListener: (name, listener) => listeners.set(name, listener), setInterval() {},
      document: { documentElement: {}, getElementById: part, querySelectorAll: () => [], createElement: () => new Element() },
    });
    chrome.runtime.connect = () => toolbar;
    performance.now = () => now;
    toolbar.postMessage = async function (message) {
      this.sent.push(message);
      if (message.step === "accounts") await (ask(), slow);
      this.onMessage.fire({ id: message.id, result: answers[message.step] ?? null });
    };
    try {
      const loaded = import(`${pathToFileURL(folder).href}/../popup/signin.js`);
      await isAsked;
      now = 3000;
      answer();
      await loaded;
      const [button] = part("main").children;
      const used = () => toolbar.sent.filter(({ step }) => step === "use").length;
      const click = (at) => {
        now = at;
        button.onclick({ isTrusted: true });
        return used();
      };
      assert.deepEqual([click(3001), click(3499)], [0, 0]);
      now = 3500;
      listeners.get("focus")();
      assert.deepEqual([click(3999), click(4000)], [0, 1]);
    } finally {
      delete performance.now;
    }
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
