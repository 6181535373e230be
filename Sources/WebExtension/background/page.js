// SPDX-License-Identifier: Apache-2.0
/**
 * One document with forms, for as long as its content script's port lives. The port is the document's: what is sent to it
 * after a navigation goes nowhere.
 *
 * @typedef {{form: string, fields: {id: string}[], heading?: string, submitLabels?: string[], action?: string}} Form
 * @typedef {import("./items.js").Item} Item
 * @typedef {{form: string, number: number, token: string}} Asked what a document asked for: of which form, and how its menu is called
 */
import { act, latest } from "./act.js";
import { take } from "./commands.js";
import { Refused, call } from "./host.js";
import { items, nothing, off } from "./items.js";
import { originOf, originOfURL } from "./origin.js";
import * as sites from "./sites.js";

/** Menus' pages that have come before they are needed, by their names.
 * @type {Map<string, chrome.runtime.Port>} */
export const ready = new Map();

export class Page {
  /** @param {chrome.runtime.Port} port */
  constructor(port) {
    const { sender } = port;
    this.port = port;
    this.tab = sender?.tab?.id ?? -1;
    this.frame = sender?.frameId ?? 0;
    this.origin = originOf(sender);
    this.topOrigin = this.frame === 0 ? this.origin : originOfURL(sender?.tab?.url);
    /** Whether it is in a private window. */
    this.isPrivate = sender?.tab?.incognito === true;
    /** The browser's name of the document, with which answers come back. */
    this.document = sender?.documentId ?? `${this.tab}:${this.frame}`;
    /** What was said of each form, by its name.
     * @type {Map<string, {form: Form, answer: any, used?: {offer: string, bits: string}, own?: boolean}>} */
    this.forms = new Map();
    /** Offers that were made and not given out.
     * @type {Set<string>} */
    this.unused = new Set();
    /** The menu that was made for it. Its page may be there before it is opened, where the page around it could show it.
     * @type {{token: string, form: string, items: Item[], port?: chrome.runtime.Port, isOpen?: boolean, isBusy?: boolean} | null} */
    this.menu = null;
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

  /** Whether an item is the account that was filled last in this tab, for this origin. */
  latest() {
    const credential = latest(this.tab, this.origin);
    return (/** @type {Item} */ item) => item.type === "account" && item.credential === credential;
  }

  /** @param {any} message of the content script */
  async receive(message) {
    switch (message.type) {
      case "focus": return this.focus(message);
      case "submitted": return this.submitted(message);
      case "stood": return this.stood?.(message);
      case "opened": return this.opened(message.token);
      case "closed": return this.closeMenu(message.token);
      case "moved": return this.menu?.port?.postMessage({ type: "moved" });
      case "enter": return this.menu?.port?.postMessage({ type: "enter" });
      case "blocked": return this.confirmInToolbar();
    }
  }

  /** A field has the focus: what can be filled into it, as a menu; or what the person has just asked for by the browser's own means. */
  async focus({ form, focus, number, token, isApart, command }) {
    const asked = { form: form.form, number, token: String(token) };
    if (isApart) this.origin = "null";
    const wanted = take(command, this.tab);
    const choice = await sites.choice(this.origin);
    if (choice.off) return wanted && this.show(asked, [off], { isAsked: true });
    const before = this.forms.get(form.form);
    let answer;
    try {
      answer = await call("suggest", this.sender, { ...form, focus });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // A daemon or a host that is not there is told once, by the toolbar: pages work as ever.
      this.reasons = error.reasons;
      if (!wanted && error.reasons.some(({ reason }) => /^(host-missing|not[A-Z]|no[A-Z])/.test(reason))) return;
      return this.show(asked, [{ type: "why", reasons: error.reasons }], { isAsked: wanted !== undefined });
    }
    const known = { form, answer, used: before?.used, own: before?.own };
    this.forms.set(form.form, known);
    let list = items(answer, this.site);
    for (const item of list) if (item.type === "strong") this.unused.add(item.offer);
    this.reasons = list.flatMap((item) => (item.type === "why" ? item.reasons : []));
    if (known.used && answer.suggestions.some(({ type }) => type === "strongPassword")) {
      list = list.map((item) => (item.type === "strong" ? { type: "another", bits: item.bits } : item));
      list.splice(1, 0, { type: "own" });
    }
    if (known.own) list = list.filter(({ type }) => type !== "own");
    const isLatest = this.latest();
    list.sort((a, b) => Number(isLatest(b)) - Number(isLatest(a)));
    if (wanted) return this.obey(wanted, asked, list, answer.formKind);
    this.show(asked, list, { formKind: answer.formKind });
  }

  /** Makes the menu of what was asked for; its own page, where it is there already, has it at once.
   * @param {Asked} asked @param {Item[]} list @param {{formKind?: string, isAsked?: boolean, isQuiet?: boolean}} [how] */
  show({ form, number, token }, list, how = {}) {
    const { formKind = "other", isAsked = false, isQuiet = false } = how;
    const there = ready.get(token) ?? (this.menu?.token === token ? this.menu.port : undefined);
    this.menu = list.length > 0 ? { token, form, items: list } : null;
    if (there && this.attach(there, token)) ready.delete(token);
    this.port.postMessage({
      type: "menu", number, form, formKind, token: this.menu?.token, count: list.length, isAsked,
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

  /** Does what the person asked for in the context menu or by a key: at once where it is clear what that is, else by the menu.
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

  /** The menu's own page has come. It may be that of another tab, or come again: then it gets nothing. */
  attach(port, token) {
    if (!this.menu || this.menu.token !== token || this.menu.port || port.sender?.tab?.id !== this.tab) return false;
    this.menu.port = port;
    port.postMessage({ type: "items", items: this.menu.items, site: this.site });
    return true;
  }

  /** The content script has opened the menu: it stands from now on. */
  opened(token) {
    const { menu } = this;
    if (!menu || menu.token !== token) return;
    menu.isOpen = true;
    menu.port?.postMessage({ type: "moved" });
  }

  closeMenu(token) {
    if (this.menu && (!token || this.menu.token === token)) {
      this.menu = null;
      this.reasons = this.reasons.slice();
    }
  }

  /** Asks the content script whether the menu stood unobscured: for browsers in which its page cannot tell. */
  stoodUnobscured() {
    return new Promise((resolve) => {
      this.stood = (message) => resolve(message.answer);
      this.port.postMessage({ type: "stood?" });
    });
  }

  /** The person has chosen an item.
   * @param {number} index @param {boolean} isSure whether the menu's page knows that it stood unobscured */
  async choose(index, isSure) {
    const menu = this.menu;
    const item = menu?.items[index];
    if (!menu || !item || menu.isBusy) return;
    if (item.type === "why") return;
    if (!menu.isOpen) return menu.port?.postMessage({ type: "wait" });
    if (!isSure) {
      const stood = await this.stoodUnobscured();
      if (stood === "no") return menu.port?.postMessage({ type: "wait" });
      if (stood !== "yes") return this.confirmInToolbar(index);
    }
    await this.perform(menu, item);
  }

  /** What the toolbar confirms: it is no page's. */
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
    const known = this.forms.get(menu.form);
    if (!known && item.type !== "unlock") return;
    menu.isBusy = true;
    menu.port?.postMessage({ type: "busy" });
    try {
      await act(this, item, known);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      menu.isBusy = false;
      this.reasons = error.reasons;
      menu.items = [{ type: "why", reasons: error.reasons }];
      if (menu.port) menu.port.postMessage({ type: "items", items: menu.items, site: this.site });
      else this.port.postMessage({ type: "open" });
    }
  }

  /** The form is on its way to the site, with what was typed. */
  async submitted({ form, isApart }) {
    if (isApart) this.origin = "null";
    const known = this.forms.get(form.form);
    const choice = await sites.choice(this.origin);
    // In a private window nothing is remembered of what the person types.
    if (choice.off || ((choice.neverSave || this.isPrivate) && !known?.used)) return;
    if (known?.used) this.unused.delete(known.used.offer);
    try {
      await call("submitted", this.sender, { form: form.form, fields: form.fields });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.reasons = error.reasons;
    }
  }

  /** The document has gone. What was offered and never given out is nobody's; what was filled stays until it is accepted or expires. */
  end() {
    for (const offer of this.unused) call("decline", {}, { offer }).catch(() => {});
    this.menu = null;
  }
}
