// SPDX-License-Identifier: Apache-2.0
/**
 * One document with forms, for the lifetime of its content script's port. The port belongs to the document: a message sent to it
 * after a navigation is dropped.
 *
 * @typedef {{id: string, fields: {id: string}[], heading?: string, submitLabels?: string[], action?: string}} Form
 * @typedef {import("./items.js").Item} Item
 * @typedef {{form: string, number: number, token: string}} Asked a request of a document: its form, and the name of its menu
 */
import { act, latest } from "./act.js";
import { take } from "./commands.js";
import { Refused, call } from "./host.js";
import { forReader, items, nothing, off } from "./items.js";
import { originOf, originOfURL } from "./origin.js";
import { begin, disturb, end, leave, nameOf, pass, wasSent } from "./outcome.js";
import { settings } from "./settings.js";
import * as sites from "./sites.js";
import { withUserName } from "./username.js";

/** The pages of menus that are loaded, by their names: also those that are not opened yet, and get the items of one request after another.
 * @type {Map<string, chrome.runtime.Port>} */
export const ready = new Map();

/** The offers that were made in a tab and not filled, the oldest first. A page can ask for as many as it has forms.
 * @type {Map<number, {page: Page, offer: string}[]>} */
const unused = new Map();
/** How many of them a tab may have. */
const mostUnused = 8;
/** For how many milliseconds nothing is chosen from a menu that has moved, as in its own page (`menu/guard.js`). */
const clickDelay = 500;

export class Page {
  /** @param {chrome.runtime.Port} port */
  constructor(port) {
    const { sender } = port;
    this.port = port;
    this.tab = sender?.tab?.id ?? -1;
    this.frame = sender?.frameId ?? 0;
    this.origin = originOf(sender);
    // Without the address of a page around it, as of file: and about:blank, a frame would be taken for the whole page.
    this.topOrigin = this.frame === 0 ? this.origin : originOfURL(sender?.tab?.url) ?? "null";
    /** The address of the whole page. */
    this.pageAddress = sender?.tab?.url;
    /** The direction of the text in the field with the focus. */
    this.isRightToLeft = false;
    /** Whether it is in a private window. */
    this.isPrivate = sender?.tab?.incognito === true;
    /** The browser's name of the document, which answers contain. */
    this.document = sender?.documentId ?? `${this.tab}:${this.frame}`;
    /** The state of each form, by its name.
     * @type {Map<string, {form: Form, answer: any, used?: {offer: string, bits: string}, own?: boolean}>} */
    this.forms = new Map();
    /** The number of the last request. */
    this.number = 0;
    /** The menu that was made for it. Its page may be loaded before it is opened, where the surrounding page could show it.
     * @type {{token: string, form: string, items: Item[], port?: chrome.runtime.Port, isOpen?: boolean, isBusy?: boolean, movedAt?: number} | null} */
    this.menu = null;
    /** The account that the user chose last, until its password was filled.
     * @type {{credential: string, at: number} | undefined} */
    this.chosen = undefined;
    /** Why nothing was offered here.
     * @type {import("./host.js").Reason[]} */
    this.reasons = [];
  }

  get sender() {
    return { origin: this.origin, topOrigin: this.topOrigin, document: this.document };
  }

  get site() {
    return sites.hostOf(this.origin);
  }

  /** Whether an item is the account that was filled last in this tab, for this origin, or its code: the second step of a sign-in. */
  latest() {
    const credential = latest(this.tab, this.origin);
    return (/** @type {Item} */ item) => credential !== undefined && (item.type === "account" || item.type === "code") && item.credential === credential;
  }

  /** @param {any} message of the content script */
  async receive(message) {
    switch (message.type) {
      case "focus": return this.focus(message);
      case "submitted": return this.submitted(message);
      case "acted": return message.report ? leave(this.tab, this.frame, message.report) : disturb(this.tab);
      case "ended": return end(this.tab, this.frame, message.report);
      case "unobscured": return this.receiveUnobscured?.(message);
      case "described": return this.receiveForm?.(message);
      case "appeared": return this.appeared(message.form);
      case "opened": return this.opened(message.token);
      case "closed": return this.closeMenu(message.token);
      case "moved": return this.moved();
      case "enter": return this.menu?.port?.postMessage({ type: "enter" });
      case "blocked": return this.confirmInToolbar();
      case "lostFocus": return this.refocus(message.since);
    }
  }

  /** The field in this frame has lost the focus: it gets it back where nothing in the whole page has it.
   * @param {number} since when it got it */
  async refocus(since) {
    const { isFree } = (await chrome.tabs.sendMessage(this.tab, { type: "isFree", since }, { frameId: 0 }).catch(() => null)) ?? {};
    if (isFree === true) this.port.postMessage({ type: "refocus" });
  }

  /** A field has the focus: shows what can be filled into it as a menu, or performs the user's command. */
  async focus({ form, focus, number, token, isApart, isEmptied, isRightToLeft, command }) {
    const asked = { form: form.id, number, token: String(token) };
    this.number = number;
    if (isApart) this.origin = "null";
    this.isRightToLeft = isRightToLeft === true;
    const wanted = take(command, this.tab);
    // Both at once, here: what is awaited later for some requests alone would change the order of their menus.
    const [choice, { isManual }] = await Promise.all([sites.choice(this.origin), settings()]);
    if (choice.off) return wanted ? this.show(asked, [off], { isAsked: true }) : this.showNothing(asked, true);
    const before = this.forms.get(form.id);
    // A form that the site has refused gets the same offer again.
    const named = { ...withUserName(form), id: before?.form.id ?? (await nameOf(this, withUserName(form))) };
    let answer;
    try {
      answer = await call("suggest", this.sender, { form: { ...named, focus } });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // Without a daemon nothing classifies the form: the menu reports that where a password is asked for.
      this.reasons = error.reasons;
      const isAbsent = error.reasons.some(({ reason }) => /^(host-missing|not[A-Z]|no[A-Z])/.test(reason));
      if (!wanted && isAbsent && !form.fields.some(({ type, hidden }) => type === "password" && !hidden)) return this.showNothing(asked);
      this.reasons = error.reasons.map(forReader);
      return this.show(asked, [{ type: "why", reasons: this.reasons }], { isAsked: wanted !== undefined });
    }
    // A form has another offer than the one that was filled where that was accepted since.
    const offered = answer.suggestions.find(({ type }) => type === "strongPassword")?.offer;
    const used = !isEmptied && [undefined, before?.used?.offer].includes(offered) ? before?.used : undefined;
    const state = { form: named, answer, used, own: before?.own };
    this.forms.set(form.id, state);
    let list = items(answer, sites.shownHost(this.origin));
    for (const item of list) if (item.type === "strong" && item.offer !== state.used?.offer && !wasSent(item.offer)) this.noteUnused(item.offer);
    // The answer to a later request is shown already, or comes.
    if (!wanted && number < this.number) return;
    this.reasons = list.flatMap((item) => (item.type === "why" ? item.reasons : []));
    if (state.used && answer.suggestions.some(({ type }) => type === "strongPassword")) {
      list = list.map((item) => (item.type === "strong" ? { type: "another", bits: item.bits } : item));
      list.splice(1, 0, { type: "own" });
    }
    if (state.own) list = list.filter(({ type }) => type !== "own");
    const isLatest = this.latest();
    list.sort((a, b) => Number(isLatest(b)) - Number(isLatest(a)));
    if (wanted) return this.obey(wanted, asked, list, answer.formKind);
    this.show(asked, list, { formKind: answer.formKind, isManual });
  }

  /** An offer was made that nobody has used yet; the oldest of too many is declined.
   * @param {string} offer */
  noteUnused(offer) {
    const all = (unused.get(this.tab) ?? []).filter((one) => one.offer !== offer);
    all.push({ page: this, offer });
    unused.set(this.tab, all.slice(-mostUnused));
    for (const one of all.slice(0, -mostUnused)) call("decline", {}, { offer: one.offer }).catch(() => {});
  }

  /** An offer was filled, or is a form's that was sent.
   * @param {string} offer */
  noteUsed(offer) {
    unused.set(this.tab, (unused.get(this.tab) ?? []).filter((one) => one.offer !== offer));
  }

  /** Answers that there is nothing to show, and where the site is switched off, that nothing will come.
   * @param {Asked} asked @param {boolean} [isOff] */
  showNothing({ form, number }, isOff = false) {
    if (number === this.number) this.port.postMessage({ type: "menu", number, form, formKind: "other", count: 0, isOff });
  }

  /** Makes the menu for a request; its page gets it at once if it is loaded.
   * @param {Asked} asked @param {Item[]} list @param {{formKind?: string, isAsked?: boolean, isQuiet?: boolean, isManual?: boolean}} [how] */
  show({ form, number, token }, list, how = {}) {
    const { formKind = "other", isAsked = false, isQuiet = false, isManual = false } = how;
    const details = this.reasons.flatMap(({ message, details }) => (details ? [`[AutoFill] ${message}. ${details}`] : []));
    if (details.length > 0) this.port.postMessage({ type: "console", details });
    this.menu = list.length > 0 ? { token, form, items: list } : null;
    const loaded = ready.get(token);
    if (loaded) this.attach(loaded, token);
    this.port.postMessage({
      type: "menu", number, form, formKind, token: this.menu?.token, count: list.length, isAsked, isManual,
      isQuiet: isQuiet || list.every(({ type }) => type === "why" || type === "strong" && this.forms.get(form)?.own),
    });
  }

  /** The item that a command means, where only one can be meant.
   * @param {import("./commands.js").Command} command @param {Item[]} list */
  meant(command, list) {
    if (command === "strong") return list.find(({ type }) => type === "strong");
    if (command !== "fill") return undefined;
    const same = list.find(this.latest());
    const [first, second] = list.filter(({ type }) => ["account", "code"].includes(type));
    if (same || second) return same;
    return first ?? list.find(({ type }) => ["passwords", "codes"].includes(type));
  }

  /** Performs a command of the user's: at once where only one item can be meant, else by the menu.
   * @param {import("./commands.js").Command} command @param {Asked} asked @param {Item[]} list @param {string} formKind */
  async obey(command, asked, list, formKind) {
    const item = this.meant(command, list);
    if (!item) {
      const reasons = list.filter(({ type }) => type === "why");
      const shown = command === "why" || command === "strong" && reasons.length > 0 ? reasons : list;
      return this.show(asked, shown.length > 0 ? shown : [nothing], { formKind, isAsked: true });
    }
    this.show(asked, list, { formKind, isQuiet: true });
    if (this.menu) await this.perform(this.menu, item);
  }

  /** The menu's page has connected. A page in another tab, or a second one, gets nothing. */
  attach(port, token) {
    if (!this.menu || this.menu.token !== token || this.menu.port || port.sender?.tab?.id !== this.tab) return false;
    this.menu.port = port;
    port.postMessage({ type: "items", items: this.menu.items, isRightToLeft: this.isRightToLeft });
    return true;
  }

  /** The menu's page is gone. Another one may come, as the page around it can load the frame again: nothing is chosen from it before the
   * content script opens the menu again.
   * @param {chrome.runtime.Port} port */
  forgetPort(port) {
    for (const menu of [this.menu, this.pending?.menu]) if (menu?.port === port) [menu.port, menu.isOpen] = [undefined, false];
  }

  /** The content script has opened the menu: its delay begins. */
  opened(token) {
    const { menu } = this;
    if (!menu || menu.token !== token) return;
    menu.isOpen = true;
    menu.port?.postMessage({ type: "moved" });
  }

  /** Something else may be seen where the menu was: its delay begins again. */
  moved() {
    if (!this.menu) return;
    this.menu.movedAt = performance.now();
    this.menu.port?.postMessage({ type: "moved" });
  }

  closeMenu(token) {
    if (this.menu && (!token || this.menu.token === token)) {
      this.menu = null;
      this.reasons = this.reasons.slice();
    }
  }

  /** Asks the content script whether the menu was unobscured, for browsers in which its page cannot determine it. */
  askUnobscured() {
    return new Promise((resolve) => {
      this.receiveUnobscured = (message) => resolve(message.answer);
      this.port.postMessage({ type: "unobscured?" });
    });
  }

  /** Reads the form again: fields may have come, or been replaced, since the menu was made.
   * @param {any} state */
  async readAgain(state) {
    /** @type {any} */
    const { form } = await new Promise((resolve) => {
      this.receiveForm = resolve;
      this.port.postMessage({ type: "describe" });
    });
    if (form) state.form = { ...withUserName(form), id: state.form.id };
  }

  /** A password field has come after the user chose an account: it is the next step of that sign-in.
   * @param {any} form */
  async appeared(form) {
    const { chosen } = this;
    this.chosen = undefined;
    if (!chosen || Date.now() - chosen.at > 60_000) return;
    try {
      const { values } = await call("fill", this.sender, { credential: chosen.credential, form, interaction: "forbid" });
      this.port.postMessage({ type: "fill", values, isMore: true });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** The user has chosen an item.
   * @param {number} index @param {boolean} isSure whether the menu's page has determined that it was unobscured */
  async choose(index, isSure) {
    const menu = this.menu;
    const item = menu?.items[index];
    if (!menu || !item || menu.isBusy) return;
    if (item.type === "why") return;
    // A click that came before the menu's page was notified that it has moved is too early, too.
    if (!menu.isOpen || performance.now() - (menu.movedAt ?? -Infinity) < clickDelay) return menu.port?.postMessage({ type: "wait" });
    if (!isSure) {
      const answer = await this.askUnobscured();
      if (answer === "no") return menu.port?.postMessage({ type: "wait" });
      if (answer !== "yes") return this.confirmInToolbar(index);
    }
    await this.perform(menu, item);
  }

  /** Asks for a confirmation in the toolbar, which no page can cover. */
  confirmInToolbar(index) {
    if (!this.menu) return;
    this.pending = { menu: this.menu, index };
    this.menu.port?.postMessage({ type: "toolbar" });
    chrome.action.setBadgeText({ tabId: this.tab, text: "?" });
  }

  async confirm(index) {
    const pending = this.pending;
    const item = pending?.menu.items[pending.index ?? index];
    if (!pending || !item) return;
    this.pending = undefined;
    chrome.action.setBadgeText({ tabId: this.tab, text: "" });
    await this.perform(pending.menu, item);
  }

  async perform(menu, item) {
    const state = this.forms.get(menu.form);
    if (!state && item.type !== "unlock") return;
    menu.isBusy = true;
    menu.port?.postMessage({ type: "busy" });
    try {
      if (state && item.type !== "unlock") await this.readAgain(state);
      await act(this, item, state);
    } catch (error) {
      menu.isBusy = false;
      if (!(error instanceof Refused)) throw error;
      this.reasons = error.reasons;
      menu.items = [{ type: "why", reasons: error.reasons }];
      if (menu.port) menu.port.postMessage({ type: "items", items: menu.items, isRightToLeft: this.isRightToLeft });
      else this.port.postMessage({ type: "open" });
    }
  }

  /** The form was sent, with the typed values. Its password is saved when the site has accepted it. */
  async submitted({ form, sending, isStrong, isApart }) {
    if (isApart) this.origin = "null";
    const state = this.forms.get(form.id);
    const choice = await sites.choice(this.origin);
    // Nothing that the user types in a private window is saved.
    const isUnasked = choice.neverSave || this.isPrivate || (await settings()).ask === "never";
    if (choice.off) return;
    if (isUnasked && !isStrong) return pass(this, state, withUserName(form));
    if (state?.used) this.noteUsed(state.used.offer);
    if (this.origin !== "null" && (await begin(this, state, withUserName(form), sending))) return;
    // The first page of two: the daemon keeps the user name for the second.
    try {
      await call("submit", this.sender, { form, interaction: "forbid" });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.reasons = error.reasons;
    }
  }

  /** The document was unloaded. Declines the offers that were not filled; filled ones stay until they are accepted or expire. */
  end() {
    const all = unused.get(this.tab) ?? [];
    for (const { page, offer } of all) if (page === this) call("decline", {}, { offer }).catch(() => {});
    const left = all.filter(({ page }) => page !== this);
    if (left.length > 0) unused.set(this.tab, left);
    else unused.delete(this.tab);
    this.menu = null;
  }
}
