// SPDX-License-Identifier: Apache-2.0
/** The page of an account in the toolbar's popup: its password, code, notes and former passwords. Each secret is requested when it is asked for. */
import { ask, element, icon, say } from "./connection.js";
import { ring } from "./ring.js";
import { why, withCommands } from "./text.js";
import { copy } from "./tools.js";

/** @typedef {{credential: string, user: string, version: string, modified: string, lastUsed?: string, services: {value: string}[]}} Account */

const hidden = "••••••••••";
/** @param {string} instant */
const day = (instant) => new Date(instant).toLocaleDateString(chrome.i18n.getUILanguage(), { dateStyle: "medium" });

/** @param {string} className @param {string} name of its text @param {() => void} onclick @param {string} [what] it is for, where its text does not say that */
const button = (className, name, onclick, what) => element("button", { className, onclick, ...(what ? { ariaLabel: `${say(name)}: ${what}` } : {}) }, say(name));

/** @param {string} name of its text @param {(Node | string)[]} content */
const row = (name, ...content) => element("div", { className: "detail" }, element("h3", {}, say(name)), ...content);

/**
 * @param {number} tab whose page the account is for @param {Account} account @param {() => void} back
 * @returns {HTMLElement}
 */
export function itemPage(tab, account, back) {
  const { credential } = account;
  /** What was revealed of it.
   * @type {any} */
  let revealed = null;
  const more = element("div", { className: "more", role: "status" });
  const page = element("section", { id: "item" });
  const refuse = (reasons) => more.replaceChildren(...why(reasons ?? []));
  /** What Escape does: from the fields back to the account. */
  let leave = back;
  page.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    leave();
  });

  async function reveal() {
    const { result, reasons } = await ask("password", { tab, credential });
    if (!result) return refuse(reasons);
    revealed = result;
    show();
  }

  function show() {
    leave = back;
    const { user, services, modified, lastUsed } = revealed ?? account;
    const title = element("h2", { tabIndex: -1 }, user);
    page.replaceChildren(
      element("div", { className: "title" }, element("button", { className: "back", ariaLabel: say("back"), onclick: back }), icon(user), title),
      row("userName", element("span", {}, user), button("copyUser", "copyUser", () => copy(user))),
      row("password", revealed ? element("output", { className: "password" }, revealed.password) : element("span", {}, hidden),
        revealed ? button("hide", "hide", () => { revealed = null; show(); }, say("password")) : button("show", "show", reveal, say("password")),
        button("copyPassword", "copyPassword", () => copy(() => ask("password", { tab, credential })))),
      code(), row("sitesTitle", element("span", {}, services.map(({ value }) => value).join(", "))),
      ...(revealed?.customFields ?? []).map(({ name, value }) => element("div", { className: "detail" }, element("h3", {}, name), element("output", {}, value))),
      ...(revealed?.notes ? [row("notes", element("output", { className: "notes" }, revealed.notes))] : []),
      element("p", { className: "soft" }, [say("changedOn", day(modified)), lastUsed && say("filledOn", day(lastUsed))].filter(Boolean).join(" · ")),
      element("div", { className: "row" },
        button("edit", "edit", async () => { if (!revealed) await reveal(); if (revealed) edit(); }),
        button("change", "changePassword", async () => { await ask("change", { tab, credential }); window.close(); }),
        button("previous", "previous", previous), button("delete", "delete", remove)),
      more);
    return title;
  }

  function code() {
    const place = row("code");
    const start = button("showCode", "show", draw, say("code"));
    async function draw() {
      const { result, reasons } = await ask("code", { tab, credential });
      if (!result) return place.replaceChildren(place.firstChild ?? "", element("span", { className: "soft" }, reasons?.[0]?.message ?? ""));
      const half = Math.ceil(result.code.length / 2);
      place.replaceChildren(place.firstChild ?? "", element("output", { className: "code" }, `${result.code.slice(0, half)} ${result.code.slice(half)}`),
        ...(result.expires ? [ring(result.expires, draw)] : []), button("copyCode", "copy", () => copy(result.code)));
    }
    place.append(element("span", {}, hidden.slice(0, 6)), start);
    return place;
  }

  /** Changes the user name and the notes. */
  function edit() {
    const user = element("input", { type: "text", value: revealed.user, ariaLabel: say("userName"), autocomplete: "off", spellcheck: false });
    const notes = element("textarea", { value: revealed.notes ?? "", ariaLabel: say("notes"), rows: 4, spellcheck: false });
    const save = async () => {
      const name = user.value.trim();
      const { result, reasons } = await ask("update", {
        credential, notes: notes.value === (revealed.notes ?? "") ? undefined : notes.value, newUser: name && name !== revealed.user ? name : undefined, ifVersion: revealed.version,
      });
      if (!result) return refuse(reasons);
      await reveal();
      Object.assign(account, { user: revealed.user });
      more.replaceChildren(element("p", { className: "soft" }, say("changesSaved")));
    };
    page.replaceChildren(element("div", { className: "title" }, element("button", { className: "back", ariaLabel: say("back"), onclick: show }), icon(revealed.user), element("h2", {}, revealed.user)),
      row("userName", user), row("notes", notes), element("div", { className: "row" }, button("main", "bar_saveNow", save), button("cancel", "cancel", show)), more);
    more.replaceChildren();
    leave = () => show().focus();
    user.focus();
  }

  /** Lists the former passwords, by when they were replaced: the daemon asks the user first. */
  async function previous() {
    const { result, reasons } = await ask("history", { tab, credential });
    if (!result) return refuse(reasons);
    if (result.length === 0) return more.replaceChildren(element("p", { className: "soft" }, say("noFormer")));
    more.replaceChildren(...result.map((replaced) => element("div", { className: "row" },
      element("span", { className: "soft" }, say("replacedOn", new Date(replaced).toLocaleString(chrome.i18n.getUILanguage(), { dateStyle: "medium", timeStyle: "short" }))),
      button("restore", "restore", async () => {
        const { reasons } = await ask("restore", { tab, credential, replaced });
        if (reasons) return refuse(reasons);
        revealed = null;
        show();
        more.replaceChildren(element("p", { className: "soft" }, say("restored", account.user)));
      }))));
  }

  /** Deletes it, after a second click. */
  function remove() {
    more.replaceChildren(element("p", {}, say("deleteSure", account.user)), element("div", { className: "row" },
      button("main", "delete", async () => {
        const { result, reasons } = await ask("delete", { credential });
        if (!result) return refuse(reasons);
        page.replaceChildren(element("div", { className: "title" }, element("button", { className: "back", ariaLabel: say("back"), onclick: back }), element("h2", {}, account.user)),
          element("p", { className: "soft", id: "deleted" }, ...withCommands(say("deleted", `autofillctl undelete ${credential}`))));
      }), button("cancel", "cancel", () => more.replaceChildren())));
  }

  const title = show();
  queueMicrotask(() => title.focus());
  return page;
}
