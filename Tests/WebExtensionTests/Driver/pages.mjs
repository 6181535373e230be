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
  tabs: { onUpdated: event(), onRemoved: event() }, webRequest: { onBeforeRequest: event(), onBeforeRedirect: event() }, commands: { onCommand: event() },
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
  const background = port(), timers = new Map(), observers = [], opened = [], clock = { now: 0 };
  let last = 0;
  const document = target({ activeElement: null, focus: null, readyState: "complete", hasFocus: () => false });
  const scope = vm.createContext({
    document, HTMLInputElement, console, performance: { now: () => clock.now }, chrome: { runtime: { id: "test", onMessage: event(), connect: () => background } },
    window: {}, addEventListener() {}, clearTimeout: (number) => timers.delete(number), setTimeout: (act) => timers.set(++last, act) && last,
    MutationObserver: class { isOn = true; constructor() { observers.push(this); } observe() {} disconnect() { this.isOn = false; } },
    Watch: class { follow() {} }, Overlay: class { isOpen = false; frame = { focus() {} }; mark = {}; menu = null; announce() {} markStrong() {} open(...values) { opened.push(values); } remove() {} close() {} }, Outcome: { begin() {} }, Focus: {}, Bar: {},
    shadowOf: (element) => element?.root ?? null, contains: (outer, inner) => outer.inside?.includes(inner), focusedField: () => document.focus,
    isText: () => true, isSeen: ({ isSeen }) => isSeen, isDrawn: () => true, formOf: () => document, allRoots: () => [document], marked: new Map(), getComputedStyle: () => ({}),
    hitAt: (page, x, y, wanted) => (x < 120 ? wanted : null), focusedElement: () => document.activeElement,
    nextMenu: () => "name", startMenu() {}, dropMenu() {}, dropSpare() {}, fieldName: () => "field", describeForm: () => ({ fields: [] }), say: String,
  });
  vm.runInContext(`${script("content/main.js")}; globalThis.Autofill = Autofill;`, scope);
  vm.runInContext("prepareSoon = () => {}", scope);
  const path = (field, more) => ({ isTrusted: true, target: field, composedPath: () => [field], ...more });
  return {
    Autofill: scope.Autofill, scope, clock, opened, document, background, observers, target, path, field: () => new HTMLInputElement(),
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
  async "hosts are of one site where one is below the other or is for signing in, and not where anyone can have a host beside"() {
    const { isNear, isOfSite } = await import(`${pathToFileURL(folder).href}/origin.js`);
    const relation = (one, other) => {
      const [first, second] = [one, other].map((text) => (text.includes("://") ? text : `https://${text}`));
      assert.equal(isOfSite(first, second), isOfSite(second, first));
      return isOfSite(first, second) ? "same" : isNear(first, second) ? "near" : "other";
    };
    for (const [expected, ...pairs] of [
      ["same", "a.example a.example", "a.example a.example:8443", "example.com shop.example.com", "example.com a.b.example.com", "accounts.example.com www.example.com",
        "accounts.example.com mail.example.com", "login.shop.co.uk www.shop.co.uk", "gmx.de login.gmx.de", "ann.github.io www.ann.github.io",
        "www.dkb.de login.dkb.de", "passport.example.com mail.example.com", "idp.example.edu moodle.example.edu", "[::1]:3000 [::1]:8000", "localhost:3000 localhost:8000"],
      ["near", "shop.example.com pay.example.com", "www.a.example.com www.b.example.com", "ann.github.io eve.github.io", "ann.github.io login.github.io", "ann.blogspot.com www.blogspot.com",
        "web.app eve.web.app", "ann.s3.amazonaws.com s3.amazonaws.com", "ann.s3.eu-west-1.amazonaws.com www.s3.eu-west-1.amazonaws.com", "http://shop.example.com https://shop.example.com",
        "www.tumblr.com eve.tumblr.com", "neocities.org eve.neocities.org", "ann.a.run.app login.a.run.app", "ann.uk.com login.uk.com", "ann.info.pl login.info.pl",
        "ann.xn--55qx5d.xn--j6w193g login.xn--55qx5d.xn--j6w193g"],
      ["other", "example.com example.net", "shop.co.uk login.co.uk", "notexample.com example.com", "ann.com.de login.com.de", "www.co.uk shop.co.uk", "localhost app.localhost", "10.0.0.1 10.0.0.2", "[fe80::1] [fe80::2]"],
    ]) for (const pair of pairs) assert.equal(relation(...pair.split(" ")), expected, pair);
    assert.equal(isOfSite("https://a.example", undefined), false);
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
    // What it was asked about is answered, and filled.
    Autofill.dismiss();
    press(host);
    assert.equal(asked(), 4);
    // Where a mark is in it, a click opens its menu.
    late.isConnected = true;
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
  async "a report of what became of a form searches for shadow trees once, however slow that is, and what reads one does not wait longer than a second"() {
    let [now, count] = [1000, 0];
    const none = [], target = { querySelector: () => null, querySelectorAll: () => none };
    const scope = vm.createContext({
      document: { ...target, documentElement: {}, readyState: "complete" }, self: {}, window: { opener: null }, location: { pathname: "/", href: "" }, addEventListener() {}, randomName: String, isSeen() {}, formOf() {},
      performance: { now: () => now, timeOrigin: 0, getEntriesByType: () => [] }, walk() { count += 1; now += 100; },
    });
    vm.runInContext(`${script("content/guarded.js")}; ${script("content/outcome.js")}; Object.assign(globalThis, { Outcome, allRoots });`, scope);
    const searches = (act) => {
      const before = count;
      act();
      return count - before;
    };
    const report = () => scope.Outcome.report("id");
    assert.deepEqual([searches(report), searches(report), searches(scope.allRoots)], [1, 1, 0]);
    now += 1000;
    assert.deepEqual([searches(() => scope.allRoots(true)), searches(scope.allRoots)], [0, 1]);
  },
  async "a menu that the page has scaled is put back, in its size"() {
    const scope = vm.createContext({});
    vm.runInContext(`${script("content/guarded.js")}; Object.assign(globalThis, { GuardedFrame, hostStyle });`, scope);
    const box = { x: 40, y: 64, width: 300, height: 44 };
    const guarded = Object.assign(Object.create(scope.GuardedFrame.prototype), {
      left: 40, top: 64, frame: { style: { width: "300px", height: "44px" }, getBoundingClientRect: () => box },
    });
    const isIn = (change) => {
      const before = { ...box };
      Object.assign(box, change);
      const is = guarded.isAtSetPosition();
      Object.assign(box, before);
      return is;
    };
    assert.deepEqual([isIn({}), isIn({ x: 42 }), isIn({ y: 62 }), isIn({ width: 6, height: 0.88 }), isIn({ width: 600 }), isIn({ height: 88 }), isIn({ height: 44.4 })],
      [true, false, false, false, false, false, true]);
    for (const name of ["transform", "scale", "translate", "rotate", "perspective"]) assert.equal(scope.hostStyle[name], "none", name);
  },
  async "what is around a frame with a zoom decides nothing, and what fades it decides"() {
    const scope = vm.createContext({ window: {}, IntersectionObserver: class {} });
    vm.runInContext(`${script("content/ancestors.js")}; Object.assign(globalThis, { howDrawn });`, scope);
    const plain = { opacity: "1", mixBlendMode: "normal", visibility: "visible", clip: "auto", zoom: "1", transform: "none" };
    const drawn = (frame, outer) => {
      const ownerDocument = { visibilityState: "visible", documentElement: { matches: () => false }, defaultView: { getComputedStyle: ({ style }) => ({ ...plain, ...style }) } };
      return scope.howDrawn({ ownerDocument, style: frame, parentElement: { ownerDocument, style: outer, getRootNode: () => ({}) } });
    };
    assert.deepEqual([drawn({}, {}), drawn({ zoom: "1.5" }, {}), drawn({}, { zoom: "0.5" }), drawn({ zoom: "1.5" }, { opacity: "0.01" }), drawn({}, { transform: "scale(2)" })],
      ["yes", "unsure", "unsure", "no", "no"]);
  },
  async "a menu is added to the modal dialog of its field, and its page is loaded while the daemon is asked"() {
    let name = 0;
    const made = [], root = new Element(), dialog = new Element(), other = new Element();
    for (const element of [root, dialog, other]) {
      element.append = (host) => { Object.assign(host, { parentNode: element }).frame.isConnected = true; };
      element.matches = (selector) => element !== root && selector === "dialog:modal";
    }
    const create = () => {
      const frame = Object.assign(new Element(), { setAttribute() {}, removeAttribute() {}, isConnected: false });
      made.push(frame);
      return frame;
    };
    const document = { documentElement: root, readyState: "loading", createElement: create, querySelector: () => null };
    const scope = vm.createContext({ document, window: {}, reportsVisibility: true, chrome: { runtime: { id: "test", getURL: String } }, say: String, dress() {}, randomName: () => String(++name),
      addEventListener() {}, requestIdleCallback() {}, around: ({ parent }) => parent ?? null });
    scope.window.top = scope.window;
    vm.runInContext(`${script("content/guarded.js").replace("function makeHost(", "function made(").replace("function dress(", "function dressed(")}
      function makeHost() { const host = {}; return { host, shadow: { append: (frame) => { host.frame = frame; host.remove = () => { frame.isConnected = false; }; } } }; }
      ${script("content/spare.js")}; Object.assign(globalThis, { holderOf, nextMenu, startMenu, takeMenu, prepareMenu });`, scope);
    const field = (parent, type = "text") => ({ type, parent });
    const { nextMenu, startMenu, takeMenu } = scope;
    assert.deepEqual([scope.holderOf(field(root)), scope.holderOf(field({ parent: dialog, matches: () => false }))], [root, dialog]);
    // A text field of a page without a form for credentials: nothing is loaded.
    startMenu("a", field(root));
    assert.equal(made.length, 0);
    document.querySelector = () => ({});
    startMenu("a", field(root));
    assert.deepEqual([made.length, nextMenu(field(root))], [1, "a"]);
    startMenu("b", field(root, "password"));
    assert.equal(made.length, 1);
    // A frame cannot be moved by this browser: another one is loaded in the dialog, with the name that was asked for.
    const token = nextMenu(field(dialog));
    assert.notEqual(token, "a");
    startMenu(token, field(dialog));
    assert.deepEqual([made.length, made.map(({ isConnected }) => isConnected)], [2, [false, true]]);
    const menu = takeMenu(token, dialog);
    assert.deepEqual([menu.token, menu.frame === made[1], menu.host.parentNode === dialog], [token, true, true]);
    // It can in this one.
    scope.prepareMenu();
    const spare = nextMenu(field(root));
    assert.deepEqual([made.length, nextMenu(field(dialog)) === spare], [3, false]);
    dialog.moveBefore = (host, before) => { host.parentNode = before ?? dialog; };
    startMenu(spare, field(dialog, "password"));
    assert.deepEqual([made.length, nextMenu(field(dialog))], [3, spare]);
    const moved = takeMenu(spare, dialog);
    assert.deepEqual([moved.frame === made[2], moved.frame.isConnected, moved.host.parentNode === dialog], [true, true, true]);
    // Where that fails, a new one is loaded.
    scope.prepareMenu();
    const last = nextMenu(field(dialog));
    dialog.moveBefore = () => { throw new Error("HierarchyRequestError"); };
    const loaded = takeMenu(last, dialog);
    assert.deepEqual([loaded.token, loaded.frame === made[4], made[3].isConnected, loaded.host.parentNode === dialog], [last, true, false, true]);
  },
  async "a menu opens before the place of the mark is searched"() {
    const frames = [], done = [];
    const part = () => Object.assign(new Element(), { setAttribute() {}, getAttribute: () => null, offsetWidth: 20, isConnected: true });
    const document = { createElement: part, createElementNS: part, elementsFromPoint: () => (done.push("mark"), []), hasFocus: () => true };
    const scope = vm.createContext({
      document, innerWidth: 900, innerHeight: 640, getComputedStyle: () => ({ direction: "ltr" }), say: String, moveHost() {}, dress() {}, raiseHost() {}, takeMenu() {}, ownHosts: new Set(),
      makeHost: () => ({ host: part(), shadow: part() }), holderOf: () => part(), requestAnimationFrame: (act) => frames.push(act),
      GuardedFrame: class { isAtSetPosition() { return true; } put() { done.push("menu"); } check() {} },
    });
    vm.runInContext(`${script("content/overlay.js")}; globalThis.Overlay = Overlay;`, scope);
    const field = Object.assign(part(), { getBoundingClientRect: () => ({ left: 40, top: 40, width: 200, height: 20, right: 240, bottom: 60 }) });
    const overlay = new scope.Overlay(field, { onMark() {}, onMoved() {}, onGone: () => null });
    overlay.open("name");
    assert.deepEqual(done, ["menu"]);
    frames.shift()();
    assert.deepEqual([done[0], done.filter((one) => one === "menu").length, done.includes("mark"), frames.length], ["menu", 1, true, 1]);
  },
  async "what a click is on is the innermost element at its place"() {
    class HTMLElement { constructor(values) { Object.assign(this, values); } }
    const scope = vm.createContext({ HTMLElement });
    vm.runInContext(`${script("content/describe.js")}; Object.assign(globalThis, { hitAt });`, scope);
    const [field, eye] = [new HTMLElement(), new HTMLElement()];
    const page = (innermost) => {
      const host = new HTMLElement(), root = { elementFromPoint: () => innermost ?? host };
      host.openOrClosedShadowRoot = root;
      return { elementFromPoint: () => host, host };
    };
    assert.deepEqual([scope.hitAt(page(field), 1, 1, field) === field, scope.hitAt(page(eye), 1, 1, field) === eye], [true, true]);
    // What is inside the element that is expected does not matter, and nothing is below a tree's own host.
    const own = page(eye), empty = page(null);
    assert.deepEqual([scope.hitAt(own, 1, 1, own.host) === own.host, scope.hitAt(empty, 1, 1, field) === empty.host], [true, true]);
    assert.equal(scope.hitAt({ elementFromPoint: () => null }, 1, 1, field), null);
  },
  async "a click in a field that is asked about, or for which there was nothing, does not ask again at once"() {
    const { Autofill, document, field, asked, press, clock } = contentScript();
    const answer = (count) => Autofill.receive({ type: "menu", number: Autofill.number, token: "name", count, formKind: "other" });
    const one = document.focus = Object.assign(field(), { isConnected: true });
    const after = (time) => {
      clock.now += time;
      press(one);
      return asked();
    };
    assert.deepEqual([after(0), after(0), after(60_000)], [1, 1, 1]);
    answer(0);
    assert.deepEqual([after(0), after(4999), after(1), after(60_000)], [1, 1, 2, 2]);
    // The page has removed the mark.
    answer(1);
    Autofill.overlay.isGone = true;
    assert.equal(after(0), 3);
  },
  async "the arrow key that comes before the answer enters the menu, if it was the last thing that the user did in its field"() {
    const key = (name, more) => ({ isTrusted: true, key: name, stopPropagation() {}, preventDefault() {}, ...more });
    for (const [isEntered, act, answer] of [
      [true, ({ down }) => down("ArrowDown")], [true, ({ down }) => { down("ArrowDown"); down("ArrowDown", { repeat: true }); }], [true, ({ type, down }) => { type(); down("ArrowDown"); }],
      [true, ({ down, Autofill, document }) => { down("ArrowDown"); Autofill.focus(document.focus, true); }],
      [true, ({ down }) => down("ArrowDown"), { isQuiet: true }], [false, ({ down }) => down("ArrowDown"), { count: 0 }],
      [false, () => {}], [false, ({ down }) => down("ArrowDown", { isTrusted: false })], [false, ({ down }) => down("ArrowDown", { altKey: true })], [false, ({ down }) => down("ArrowDown", { isComposing: true })],
      [false, ({ down }) => { down("ArrowDown"); down("Tab"); }], [false, ({ down, type }) => { down("ArrowDown"); type(); }],
      [false, ({ down, press, document }) => { down("ArrowDown"); press(document.focus); }], [false, ({ down, document, field }) => { down("ArrowDown"); document.focus = field(); }],
      [false, ({ down, document, field, Autofill }) => { down("ArrowDown"); Autofill.focus(document.focus = Object.assign(field(), { isConnected: true })); }],
    ]) {
      const content = contentScript(), { Autofill, document, background, opened, field } = content;
      document.focus = Object.assign(field(), { isConnected: true });
      Autofill.focus(document.focus);
      act({ ...content, down: (name, more) => document.listeners.get("keydown")(key(name, more)), type: () => document.listeners.get("input")({ isTrusted: true }) });
      Autofill.receive({ type: "menu", number: Autofill.number, token: "name", count: 1, formKind: "signIn", ...answer });
      const entered = background.sent.filter(({ type }) => type === "enter").length;
      assert.deepEqual([entered > 0, Autofill.wantsFocus], [isEntered, isEntered], String(act));
      if (isEntered) assert.equal(opened.length, 1);
      // It counts for one answer.
      Autofill.focus(document.focus, true);
      Autofill.receive({ type: "menu", number: Autofill.number, token: "name", count: 1, formKind: "signIn" });
      assert.equal(background.sent.filter(({ type }) => type === "enter").length, entered);
    }
  },
  async "the daemon is asked first, and a menu that closed by itself does not open the next one"() {
    const { Autofill, document, scope, background, opened, field } = contentScript();
    const before = [];
    scope.allRoots = () => (before.push(background.sent.length), [document]);
    const answer = (more) => Autofill.receive({ type: "menu", number: Autofill.number, token: "name", count: 1, formKind: "signIn", isQuiet: true, ...more });
    const [one, other] = [field(), field()].map((made) => Object.assign(made, { isConnected: true }));
    Autofill.focus(one);
    assert.ok(before.length > 0 && before.every((count) => count === 1), String(before));
    answer({ isQuiet: false });
    assert.deepEqual(opened, [["name"]]);
    // It is replaced, and nothing is there any more.
    Autofill.overlay.isOpen = true;
    Autofill.refresh();
    answer({ count: 0 });
    Autofill.focus(other);
    answer();
    assert.equal(opened.length, 1);
    // The mark opens it, each time.
    Autofill.toggle();
    Autofill.toggle();
    answer();
    assert.equal(opened.length, 3);
  },
  async "a field is not tried again after its form was sent, and what a script writes is not typed"() {
    for (const [act, expected] of [["dismiss", 0], ["connectAgain", 0], ["submitted", 0], ["script", 1], ["type", 1]]) {
      const { Autofill, document, field, asked, wait, clock } = contentScript();
      const late = document.focus = Object.assign(field(), { readOnly: true });
      Autofill.focus(late);
      late.readOnly = false;
      clock.now += 100;
      if (act === "script") late.value = "ann";
      else if (act === "type") document.listeners.get("input")({ isTrusted: true });
      else Autofill[act]({ fields: [] }, {});
      wait();
      assert.deepEqual([asked(), Autofill.current?.isTyped === true], [expected, act === "type"], act);
    }
  },
  async "a page where it is switched off, or without a daemon, is told that nothing comes"() {
    const { Page } = await import(`${pathToFileURL(folder).href}/page.js`);
    const { set } = await import(`${pathToFileURL(folder).href}/sites.js`);
    const connect = chrome.runtime.connectNative;
    chrome.runtime.connectNative = () => { throw new Error("no host"); };
    const ask = async (origin) => {
      const page = new Page(port({ tab: { id: 1, url: origin }, frameId: 0, origin }));
      await page.focus({ form: { id: "form", fields: [{ id: "field", type: "text" }] }, focus: "field", number: 1, token: "name" });
      return page.port.sent.map(({ type, count, isOff }) => ({ type, count, isOff }));
    };
    try {
      await set("https://off.example", { off: true });
      assert.deepEqual(await ask("https://off.example"), [{ type: "menu", count: 0, isOff: true }]);
      assert.deepEqual(await ask("https://shop.example"), [{ type: "menu", count: 0, isOff: false }]);
    } finally {
      await set("https://off.example", { off: false });
      chrome.runtime.connectNative = connect;
    }
    // There it does not search what comes, even in a page with a password field.
    const { Autofill, document, observers, field } = contentScript();
    document.querySelector = () => ({});
    Autofill.focus(document.focus = field());
    Autofill.receive({ type: "menu", number: Autofill.number, count: 0, formKind: "other", isOff: true });
    assert.deepEqual(observers.map(({ isOn }) => isOn), [false]);
  },
  async "the window for HTTP authentication is closed when its request is over, and none opens for one that is"() {
    const closed = [], opened = [], native = port();
    let isSlow = false;
    native.postMessage = function ({ id }) {
      if (isSlow) return void this.sent.push(id);
      setTimeout(() => this.onMessage.fire({ id, result: { credentials: [{}] } }));
    };
    const saved = { ...chrome }, connect = chrome.runtime.connectNative;
    const web = Object.fromEntries(["onBeforeRequest", "onCompleted", "onErrorOccurred", "onAuthRequired"].map((name) => [name, event()]));
    Object.assign(chrome, { webRequest: web, windows: {
      create: async ({ url }) => ({ id: opened.push(url) }), remove: async (id) => void closed.push(id), onRemoved: event(),
    } });
    chrome.runtime.connectNative = () => native;
    try {
      const { serveSignIn } = await import(`${pathToFileURL(folder).href}/signin.js`);
      const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
      const request = (requestId, tabId) => new Promise((resolve) => {
        web.onAuthRequired.fire({ requestId, tabId, type: "main_frame", url: "https://shop.example/a", challenger: { host: "shop.example" } }, resolve);
      });
      const first = request("1", 1);
      await soon();
      assert.deepEqual([opened.length, closed], [1, []]);
      const name = opened[0].split("#")[1];
      assert.deepEqual(await serveSignIn({ name, step: "site" }), { origin: "https://shop.example" });
      web.onErrorOccurred.fire({ requestId: "another" });
      assert.deepEqual(closed, []);
      web.onErrorOccurred.fire({ requestId: "1" });
      assert.deepEqual(closed, [1]);
      assert.deepEqual([await first, await serveSignIn({ name, step: "site" })], [{}, null]);
      isSlow = true;
      const second = request("2", 1);
      await soon();
      web.onCompleted.fire({ requestId: "2" });
      native.onMessage.fire({ id: native.sent[0], result: { credentials: [{}] } });
      assert.deepEqual([await second, opened.length], [{}, 1]);
    } finally {
      native.onDisconnect.fire();
      Object.assign(chrome, saved);
      delete chrome.windows;
      chrome.runtime.connectNative = connect;
    }
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
    // In a frame that is hardly higher than the field it covers the field.
    Object.assign(scope, { innerWidth: 300, innerHeight: 60 });
    Object.assign(field, { top: 10, bottom: 40 });
    overlay.updatePosition();
    assert.deepEqual(drawn(), [4, 16, 292, 40]);
    Object.assign(scope, { innerWidth: 5, innerHeight: 6 });
    overlay.updatePosition();
    assert.deepEqual(drawn(), [4, 4, 0, 0]);
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
  async "what the extension stores is read once, and follows what its other pages store"() {
    const reads = [], listeners = [], { storage } = chrome;
    try {
      const local = { get: async (names) => (reads.push(names), { sites: { "a.example": { off: true } } }), set: async () => {} };
      chrome.storage = { ...storage, local, onChanged: { addListener: (listener) => listeners.push(listener) } };
      const { store, stored } = await import(`${pathToFileURL(`${process.argv[2]}/`).href}stored.js?once`);
      const first = stored();
      listeners[0]({ settings: { newValue: { ask: "never" } }, other: { newValue: 1 } }, "local");
      listeners[0]({ sites: { newValue: {} } }, "session");
      assert.deepEqual([await first, await stored()], [{ sites: { "a.example": { off: true } } }, { sites: { "a.example": { off: true } }, settings: { ask: "never" } }]);
      await store({ sites: {} });
      assert.deepEqual([await stored(), reads.length], [{ sites: {}, settings: { ask: "never" } }, 1]);
    } finally {
      chrome.storage = storage;
    }
  },
  async "a menu takes a click of a pointer that was on it, a tap, and a key, each half a second after what may belong to another window"() {
    let now = 0;
    const guard = (isInFrame) => {
      const listeners = { document: new Map(), root: new Map(), window: new Map() };
      const target = (map) => (name, listener) => map.set(name, listener);
      const document = { addEventListener: target(listeners.document), documentElement: { addEventListener: target(listeners.root) }, visibilityState: "visible" };
      const window = { parent: isInFrame ? {} : "top", top: "top" };
      now = 0;
      const scope = vm.createContext({ window, document, performance: { now: () => now }, addEventListener: target(listeners.window) });
      vm.runInContext(`${script("menu/guard.js")}; globalThis.Guard = Guard;`, scope);
      const fire = (name, values = {}, at = "document") => listeners[at].get(name)?.(values);
      const come = (pointerType) => fire("pointerover", { pointerType }), leave = (pointerType) => fire("pointerleave", { pointerType }, "root");
      const click = (pointerType) => {
        if (pointerType !== "keys") fire("pointerdown", { pointerType });
        // A finger leaves before its click.
        if (pointerType === "touch") leave(pointerType);
        fire("click", { detail: pointerType === "keys" ? 0 : 1 });
        return scope.Guard.isClickable(scope.Guard.by);
      };
      return { Guard: scope.Guard, fire, come, leave, click };
    };
    for (const isInFrame of [false, true]) {
      const { Guard, fire, come, leave, click } = guard(isInFrame);
      // A window above it is closed by the first of two clicks: the pointer comes with the second.
      now = 5000;
      come("mouse");
      assert.deepEqual([click("mouse"), click("keys"), (now = 5499, click("mouse")), (now = 5500, click("mouse"))], [false, true, false, true]);
      leave("mouse");
      assert.equal(click("mouse"), false);
      // Its buttons are drawn so.
      const [under, beside] = [true, false].map((isUnder) => ({ matches: () => isUnder }));
      come("mouse");
      assert.deepEqual([Guard.isWaiting(under), Guard.isWaiting(beside), (now = 6000, Guard.isWaiting(under))], [true, false, false]);
      // The window comes back, or another tab was in front.
      fire("visibilitychange");
      assert.deepEqual([click("mouse"), (now = 6499, click("keys")), (now = 6500, click("mouse"))], [false, false, true]);
      fire("focus", {}, "window");
      assert.equal(click("keys"), true, "the user has entered it");
      fire("blur", {}, "window");
      fire("focus", {}, "window");
      assert.deepEqual([click("keys"), click("mouse"), (now = 7000, click("keys"))], [false, true, true]);
    }
    // In a whole page one that has moved on it is aimed: there are no double clicks across 12 pixels.
    for (const isInFrame of [false, true]) {
      const { fire, come, leave, click } = guard(isInFrame);
      const move = (movementX) => fire("pointermove", { pointerType: "mouse", movementX, movementY: 0 });
      now = 5000;
      come("mouse");
      move(-11);
      now = 5200;
      const rested = click("mouse");
      move(1);
      const aimed = [click("mouse"), (now = 5199, click("mouse"))];
      leave("mouse");
      come("mouse");
      assert.deepEqual([rested, aimed, (now = 5400, click("mouse"))], [false, [!isInFrame, false], false]);
    }
    // The page around a frame may have moved it under the finger, for the first tap.
    for (const [isInFrame, expected] of [[false, [false, true, true, true]], [true, [false, false, false, true]]]) {
      const { come, click } = guard(isInFrame);
      const tap = (at) => {
        now = at;
        come("touch");
        return click("touch");
      };
      const [early, first] = [isInFrame ? false : tap(499), tap(500)];
      assert.deepEqual([early, first, tap(999), tap(1000)], expected, String(isInFrame));
      // A finger is no pointer that stays.
      assert.equal((now = 5000, click("mouse")), false);
    }
    // A pen that hovers is a pointer in a whole page, and one that is only seen where it touches a finger. It may leave after each tap.
    for (const isInFrame of [false, true]) {
      const { Guard, fire, come, leave, click } = guard(isInFrame);
      const hover = (movementX) => fire("pointermove", { pointerType: "pen", buttons: 0, movementX, movementY: 0 });
      const under = { matches: () => true };
      now = 5000;
      come("pen");
      assert.deepEqual([click("pen"), (leave("pen"), now = 10_000, hover(1), Guard.isWaiting(under))], [!isInFrame, !isInFrame]);
      now = 10_200;
      fire("pointermove", { pointerType: "pen", buttons: 1, movementX: 20, movementY: 0 });
      const rested = click("pen");
      hover(11);
      assert.deepEqual([rested, click("pen"), Guard.isWaiting(under)], [false, !isInFrame, false]);
      leave("pen");
      now = 20_000;
      hover(0);
      const first = click("pen");
      leave("pen");
      now = 20_499;
      hover(0);
      assert.deepEqual([first, click("pen"), (now = 20_500, click("pen"))], [false, false, true]);
      leave("pen");
      now = 30_000;
      hover(0);
      assert.deepEqual([(now = 30_500, click("pen"))], [!isInFrame]);
    }
  },
  async "a click that comes before the menu's page was notified that it has moved chooses nothing"() {
    const { Page } = await import(`${pathToFileURL(folder).href}/page.js`);
    const tab = { id: 1 }, menu = port({ tab }), page = new Page(port({ tab, frameId: 0 }));
    page.menu = { token: "name", form: "form", items: [{ type: "unlock" }] };
    page.perform = async () => void menu.postMessage({ type: "performed" });
    let now = 1000;
    performance.now = () => now;
    try {
      page.attach(menu, "name");
      page.opened("name");
      await page.receive({ type: "moved" });
      for (now of [1000, 1499, 1500]) await page.choose(0, true);
      assert.deepEqual(menu.sent.map(({ type }) => type), ["items", "moved", "moved", "wait", "wait", "performed"]);
    } finally {
      delete performance.now;
    }
  },
  async "a menu for the next field is loaded after the page, whose load event it would delay"() {
    const listeners = new Map(), idle = [];
    const document = { readyState: "interactive", querySelector: () => null };
    const scope = vm.createContext({ document, window: {}, reportsVisibility: true, addEventListener: (name, listener) => listeners.set(listener, name), requestIdleCallback: (act) => idle.push(act) });
    vm.runInContext(`${script("content/spare.js")}; Object.assign(globalThis, { prepareSoon, prepareMenu });`, scope);
    scope.prepareSoon();
    scope.prepareSoon();
    assert.deepEqual([idle.length, listeners.get(scope.prepareSoon)], [0, "load"]);
    document.readyState = "complete";
    scope.prepareSoon();
    assert.deepEqual(idle, [scope.prepareMenu]);
  },
  async "the bar is in the modal dialog that the user is in, and leaves it when that is closed or removed"() {
    const root = { name: "root", isConnected: true }, modals = [], raised = [], frames = [];
    let focused = null;
    const dialog = (name, parent = root) => ({ name, parent, isConnected: true, matches: (selector) => selector === "dialog:modal" });
    const popover = { parent: root, matches: () => false };
    const host = { get isConnected() { return this.parent?.isConnected === true; }, get at() { return this.parent?.name; } };
    const part = () => ({ style: { width: "380px", height: "60px" }, append() {} });
    const scope = vm.createContext({
      document: { documentElement: Object.assign(root, { clientWidth: 900 }), createElement: part }, chrome: { runtime: { getURL: String }, i18n: { getMessage: () => "ltr" } }, frameStyle: {}, say: String, dress() {},
      addEventListener() {}, setTimeout() {}, requestAnimationFrame: (act) => frames.push(act), makeHost: () => ({ host, shadow: part() }),
      topLayer: () => new Set([popover, ...modals]), focusedElement: () => focused,
      contains: (outer, inner) => { for (let one = inner; one; one = one.parent) if (one === outer) return true; return false; },
      GuardedFrame: class { constructor(made) { Object.assign(this, made); } isAtSetPosition() { return true; } put() {} check() {} raise() { raised.push(host.at); } remove() { host.parent = null; } },
    });
    vm.runInContext(`${script("content/bar.js")}; globalThis.Bar = Bar;`, scope);
    const first = dialog("first"), second = dialog("second");
    for (const holder of [root, first, second]) holder.append = (one) => { one.parent = holder; };
    for (const holder of [root, first]) holder.moveBefore = (one) => { assert.ok(one.isConnected); one.parent = holder; };
    const draw = () => (frames.shift()?.(), host.at);
    const { token } = scope.Bar.receive({ type: "bar", token: "name" });
    assert.deepEqual([token, draw(), raised.length], ["name", "root", 0]);
    modals.push(first);
    assert.deepEqual([draw(), draw(), raised], ["first", "first", ["first"]]);
    // A second one, over it, has the focus, and has had it; this browser cannot move a frame.
    modals.unshift(second);
    assert.equal(draw(), "first");
    focused = { parent: second };
    assert.equal(draw(), "second");
    focused = null;
    assert.equal(draw(), "second");
    modals.length = 0;
    assert.equal(draw(), "root");
    // One is removed with all that is in it.
    modals.push(first);
    draw();
    modals.length = 0;
    first.isConnected = false;
    assert.deepEqual([draw(), scope.Bar.shown !== null], ["root", true]);
    // One replaces what it contains: it is not entered again.
    const third = dialog("third");
    third.append = third.moveBefore = (one) => { one.parent = third; };
    modals.push(third);
    assert.equal(draw(), "third");
    host.parent = null;
    assert.deepEqual([draw(), draw(), scope.Bar.shown !== null], ["root", "root", true]);
    // The page removes it.
    host.parent = null;
    assert.deepEqual([draw(), scope.Bar.shown, frames.length], [undefined, null, 0]);
  },
  async "only a modal dialog around a menu is certainly below it: a popover is raised again without a trace"() {
    const scope = vm.createContext({ contains: (outer, inner) => outer.inside.includes(inner) });
    vm.runInContext(`${script("content/guarded.js").replace("function contains(", "function contained(")}; Object.assign(globalThis, { GuardedFrame });`, scope);
    const host = {}, menu = Object.assign(Object.create(scope.GuardedFrame.prototype), { host });
    const isBelow = (kind, inside) => menu.isBelow({ inside, matches: (selector) => selector === kind });
    assert.deepEqual([isBelow("dialog:modal", [host]), isBelow("dialog:modal", []), isBelow(":popover-open", [host])], [true, false, false]);
  },
  async "a form with a field that is named as a property of forms is sent by the browser"() {
    const wait = [], target = { addEventListener() {} };
    class HTMLFormElement {
      method = "post";
      /** A field of this name. */
      target = {};
      constructor(target) { this.getAttribute = () => target; }
    }
    const scope = vm.createContext({
      document: target, HTMLFormElement, MutationObserver: class {}, addEventListener() {}, setTimeout: (act) => wait.push(act), fieldsOf: () => [{ type: "password" }],
      describeForm: () => ({ fields: [] }), Outcome: { prepare: () => ({}) },
    });
    vm.runInContext(`${script("content/watch.js")}; globalThis.Watch = Watch;`, scope);
    const sent = [null, "_self", "_blank"].map((name) => {
      const watch = new scope.Watch(() => {}, () => {});
      let sending;
      watch.send = (_, values) => { sending = values; };
      watch.submit(new HTMLFormElement(name), { defaultPrevented: false });
      wait.pop()();
      return sending.isNative;
    });
    assert.deepEqual(sent, [true, true, false]);
  },
  async "a click on the bar's button that saves is one of the pointer, and Enter in its field one of the keyboard"() {
    const elements = new Map(), background = port(), kinds = [];
    const part = (id) => elements.get(id) ?? elements.set(id, new Element()).get(id);
    const document = { documentElement: {}, body: part("body"), getElementById: part, querySelector: part, createElement: () => new Element() };
    const Guard = { by: "keys", restart() {}, isWaiting: () => false, isClickable: (by) => kinds.push(by) > 1 };
    vm.runInNewContext(`${script("bar/texts.js")}; ${script("bar/bar.js")}`, {
      document, location: { hash: "#name" }, canObserve: true, say: chrome.i18n.getMessage, setInterval() {}, setTimeout() {}, Guard,
      ResizeObserver: class { observe() {} }, chrome: { ...chrome, runtime: { connect: () => background } },
    });
    // The event of a form does not tell by what its button was clicked.
    for (Guard.by of ["mouse", "keys"]) part("bar").listeners.get("submit")({ isTrusted: true, preventDefault() {} });
    assert.deepEqual([kinds, background.sent.filter(({ type }) => type === "answer").length], [["mouse", "keys"], 1]);
  },
  async "the menu's delay begins again when its window has the focus again"() {
    const frames = [], moved = [];
    let hasFocus = true;
    const scope = vm.createContext({ document: { hasFocus: () => hasFocus }, requestAnimationFrame: (act) => frames.push(act) });
    vm.runInContext(`${script("content/overlay.js")}; globalThis.Overlay = Overlay;`, scope);
    const overlay = Object.assign(Object.create(scope.Overlay.prototype), {
      field: { isConnected: true }, mark: { host: { isConnected: true } }, handlers: { onMoved: () => moved.push(hasFocus) }, hadFocus: true,
      menu: { unobscuredSince: 1, check() {} }, updatePosition() {},
    });
    const follow = (next) => {
      hasFocus = next;
      overlay.follow();
      return [moved.length, overlay.menu.unobscuredSince];
    };
    assert.deepEqual([follow(true), follow(false), follow(true), follow(true)], [[0, 1], [0, 1], [1, Infinity], [1, Infinity]]);
  },
  async "the clipboard is emptied after a while, and again when the browser gets the focus, where it had none then"() {
    const session = {}, alarms = { created: [], create: async (...values) => void alarms.created.push(values), onAlarm: event() };
    const windows = { WINDOW_ID_NONE: -1, focused: true, getAll: async () => [{ id: 1, focused: windows.focused }], onFocusChanged: event() };
    let count = 0;
    const saved = { ...chrome };
    Object.assign(chrome, {
      alarms, windows, offscreen: { createDocument: async () => void (count += 1), closeDocument: async () => {} },
      storage: { ...chrome.storage, session: { get: async () => session, set: async (values) => void Object.assign(session, values) } },
    });
    try {
      const { emptyLater } = await import(`${pathToFileURL(folder).href}/clipboard.js`);
      const after = async (act) => (await act(), count);
      const focus = (id) => after(() => windows.onFocusChanged.fire(id)), alarm = (name) => after(() => alarms.onAlarm.fire({ name }));
      await emptyLater();
      const [[name]] = alarms.created;
      assert.deepEqual([await focus(1), await alarm("another"), await alarm(name), await focus(1)], [0, 0, 1, 1]);
      windows.focused = false;
      assert.deepEqual([await alarm(name), await focus(-1), await focus(1), await focus(1)], [2, 2, 3, 3]);
      // What is copied meanwhile has a time of its own.
      assert.equal(await alarm(name), 4);
      await emptyLater();
      assert.equal(await focus(1), 4);
    } finally {
      for (const name of ["alarms", "windows", "offscreen"]) delete chrome[name];
      Object.assign(chrome, saved);
    }
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
      assert.deepEqual([click(3999), click(4000), click(4001)], [0, 1, 1], "a second click causes no second prompt");
      // Where the background has ended.
      let isClosed = false;
      globalThis.close = () => { isClosed = true; };
      globalThis.window = globalThis;
      toolbar.postMessage = () => { throw new Error("disconnected"); };
      await part("own").listeners.get("click")().catch(() => {});
      assert.ok(isClosed);
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
