// SPDX-License-Identifier: Apache-2.0
/** The toolbar's popup: the daemon's state, the saved accounts of this site, and why nothing was offered. */
import { ask, element, icon, say, translate } from "./connection.js";
import { itemPage } from "./item.js";
import { why, withCommands } from "./text.js";
import { copy, generator } from "./tools.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const status = /** @type {HTMLElement} */ (document.getElementById("state"));
const find = /** @type {HTMLInputElement} */ (document.getElementById("find"));
const lock = /** @type {HTMLButtonElement} */ (document.getElementById("lock"));
// A test opens the popup in a tab, and names the tab that it is for.
const tab = Number(new URLSearchParams(location.search).get("tab")) || ((await chrome.tabs.query({ active: true, currentWindow: true }))[0].id ?? -1);

translate("title");
find.placeholder = find.ariaLabel = say("findHint");
lock.textContent = say("lock");
/** @type {HTMLElement} */ (document.getElementById("options")).textContent = say("optionsOpen");
/** @type {HTMLElement} */ (document.getElementById("options")).addEventListener("click", async () => { await chrome.runtime.openOptionsPage(); window.close(); });
lock.addEventListener("click", async () => { await ask("lock"); await show(); });

/** What a pending item of a menu does. */
const titleOf = (item) => say(`pending_${item.type}`, item.user ?? item.site ?? "");
const canConfirm = ({ type }) => type !== "why" && type !== "unlock";

async function show() {
  const { result, reasons } = await ask("state", { tab });
  main.replaceChildren();
  lock.hidden = find.hidden = true;
  if (!result) return main.append(...why(reasons ?? []));
  const { origin, site, absence, vault, choice, pending } = result;
  const isSite = /^https?:/.test(origin ?? "");
  /** @type {HTMLElement} */ (document.getElementById("site")).textContent = isSite ? site : say("title");
  /** @type {HTMLElement} */ (document.getElementById("icon")).replaceChildren(...(isSite ? [icon(site)] : []));
  if (absence) {
    status.textContent = absence.message;
    return main.append(element("p", { className: "fix" }, ...withCommands(absence.fix)), ...result.undecided.map(undecided));
  }
  status.textContent = vault ? say(`vault_${vault}`) || vault : "";
  if (pending) {
    main.append(element("section", { id: "pending" }, element("h2", {}, say("pending_title", pending.site)), ...pending.items.filter(canConfirm).map((item, index) =>
      element("button", { className: "main", onclick: async () => { await ask("confirm", { tab, index }); window.close(); } }, titleOf(item)))));
  }
  main.append(...result.undecided.map(undecided));
  if (vault === "locked") {
    main.append(element("button", { className: "main", onclick: async () => {
      const { reasons } = await ask("unlock");
      await show();
      if (reasons) main.append(...why(reasons));
    } }, say("unlock")));
  } else if (isSite && choice.off) {
    main.append(element("p", { className: "soft" }, say("off")));
  } else if (isSite) {
    await accounts(false);
    main.append(generator(tab));
  }
  if (vault === "unlocked") {
    lock.hidden = find.hidden = false;
    filter();
    main.append(element("div", { className: "row" }, element("button", { id: "search", onclick: openSearch }, say("search"))));
  }
  if (result.reasons.length > 0) {
    const seen = new Set();
    main.append(element("section", { className: "why" }, element("h2", {}, say("menu_why")),
      ...why(result.reasons.filter(({ reason }) => !seen.has(reason) && seen.add(reason)))));
  }
  if (isSite) choices(origin, choice);
  if (document.activeElement === document.body) /** @type {HTMLElement | null} */ (find.hidden ? main.querySelector("button") : find)?.focus();
}

/** The user names that were typed for submissions, by their names.
 * @type {Map<string, string>} */
const typed = new Map();

/** A password that is not saved: the bar asks about it, or it is not known whether the site has accepted it. */
function undecided(one) {
  const decide = async (choice) => {
    typed.set(one.id, field.value);
    await ask("decide", { outcome: one.id, choice, user: field.value, replaces: replacesAt(one, field.value) });
    await show();
  };
  const button = (choice, text, className = "") => element("button", { onclick: () => decide(choice), className, id: choice }, text);
  const field = element("input", { type: "text", value: typed.get(one.id) || one.user, ariaLabel: say("userName"), autocomplete: "off", spellcheck: false, oninput: () => showTexts() });
  const [title, save] = [element("h2"), button("save", "", "main")];
  const showTexts = () => {
    title.textContent = say(...titleOfQuestion(one, field.value));
    save.textContent = say(replacesAt(one, field.value) ? "bar_updateNow" : "bar_saveNow");
  };
  showTexts();
  const section = element("section", { className: "undecided" }, title);
  if (one.result) {
    if (one.canUndo) section.append(element("div", { className: "row" }, button("undo", say("bar_undo"))));
    return section;
  }
  if (!one.isAsked) section.append(element("p", { className: "soft" }, say(one.isAccepted ? "undecided_waits" : "undecided_soft")));
  section.append(...why(one.reasons ?? []), field, element("div", { className: "row" },
    save, button("later", say("bar_later")), button("never", say("bar_never"))));
  return section;
}

/** Opens a separate window: this popup closes when the daemon's prompt gets the focus. */
async function openSearch() {
  await chrome.windows.create({ url: chrome.runtime.getURL(`popup/search.html#${encodeURIComponent(find.value)}`), type: "popup", width: 420, height: 560 });
  window.close();
}

/** The saved accounts of the site; without a grant, a button that requests one.
 * @param {boolean} mayAsk */
async function accounts(mayAsk) {
  const { result, reasons } = await ask("accounts", { tab, ask: mayAsk });
  const list = element("ul", { id: "accounts" });
  if (result) {
    list.append(...result.credentials.map(line));
    if (result.credentials.length === 0) list.append(element("li", { className: "soft" }, say("noneSaved")));
  } else if (reasons?.some(({ reason }) => ["interaction-required", "grant-missing"].includes(reason)) && !mayAsk) {
    list.append(element("li", {}, element("button", { className: "main", onclick: () => { list.remove(); accounts(true); } }, say("showSaved"))));
  } else {
    list.append(element("li", {}, element("div", { className: "why" }, ...why(reasons ?? []))));
  }
  main.append(list);
}

/** The line of an account: a click on its name fills it into the page.
 * @param {import("./item.js").Account} account */
function line(account) {
  const { user, credential } = account;
  const made = element("li", { className: "account" },
    element("button", { className: "fill", title: say("fillUser", user), onclick: async () => { await ask("fillChosen", { tab, credential }); window.close(); } }, icon(user), element("span", {}, user)),
    element("button", { className: "copyPassword", ariaLabel: say("copyPasswordOf", user), onclick: () => copy(() => ask("password", { tab, credential })) }, say("copyPassword")),
    element("button", { className: "details", ariaLabel: say("details", user), onclick: () => open(account) }));
  made.dataset.text = user.toLowerCase();
  made.dataset.credential = credential;
  return made;
}

/** Shows an account in place of all the rest.
 * @param {import("./item.js").Account} account */
function open(account) {
  find.hidden = true;
  main.replaceChildren(itemPage(tab, account, async () => {
    await show();
    const line = [...accountLines()].find(({ dataset }) => dataset.credential === account.credential);
    /** @type {HTMLElement | null | undefined} */ (line?.querySelector(".fill"))?.focus();
  }));
  /** @type {HTMLElement} */ (document.getElementById("choices")).replaceChildren();
}

// ---------------------------------------------------------------- search and keys

/** Shows the accounts of the site with the words that are typed. */
function filter() {
  const wanted = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const account of accountLines()) account.hidden = !wanted.every((term) => account.dataset.text?.includes(term));
}

/** @returns {NodeListOf<HTMLElement>} */
const accountLines = () => main.querySelectorAll("li.account");

find.addEventListener("input", filter);
find.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const first = [...accountLines()].find((account) => !account.hidden);
  if (first) /** @type {HTMLElement} */ (first.querySelector(".fill")).click();
  else openSearch();
});

/** What the arrow keys move between. */
const stops = "#find, #main button.main, #main .fill, #main .detail button, #main .row button, #generator > button, #main input[type=text], #choices input, #options";

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  // They have keys of their own.
  if (target.matches("textarea, select, input[type=range]")) return;
  const isForward = event.key === "ArrowDown" || event.key === (target.matches(":dir(rtl)") ? "ArrowLeft" : "ArrowRight");
  const all = /^Arrow(Up|Down)$/.test(event.key) ? document.querySelectorAll(stops)
    : /^Arrow(Left|Right)$/.test(event.key) ? target.closest("li.account")?.querySelectorAll("button") : undefined;
  const drawn = [...(all ?? [])].filter((one) => one.getClientRects().length > 0);
  const next = drawn[drawn.indexOf(target) + (isForward ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (next).focus();
});

/** What is done at the site: the user's choices.
 * @param {string} origin @param {{off?: boolean, neverSave?: boolean}} choice */
function choices(origin, choice) {
  const place = /** @type {HTMLElement} */ (document.getElementById("choices"));
  /** @param {"off" | "neverSave"} name @param {string} text */
  const box = (name, text) => {
    const input = element("input", { type: "checkbox", name, checked: choice[name] !== true, disabled: name === "neverSave" && choice.off === true, onchange: async () => {
      await ask("choice", { origin, change: { [name]: !input.checked } });
      await show();
      /** @type {HTMLElement | null} */ (place.querySelector(`[name=${name}]`))?.focus();
    } });
    return element("label", { className: "choice" }, input, element("span", {}, text));
  };
  place.ariaLabel = say("siteSettings");
  place.replaceChildren(box("off", say("onHere")), box("neverSave", say("saveHere")));
}

await show();
