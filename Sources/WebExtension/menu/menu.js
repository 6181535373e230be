// SPDX-License-Identifier: Apache-2.0
/**
 * The menu under a field: a page of this extension in a frame. It fills on a trusted click or key only, after it was unobscured, and the
 * pointer on it, for half a second.
 */
"use strict";

const menu = /** @type {HTMLElement} */ (document.getElementById("menu"));
const line = /** @type {HTMLElement} */ (document.getElementById("status"));
/** The port to the background, once this menu has a name.
 * @type {chrome.runtime.Port | null} */
let port = null;

document.documentElement.lang = chrome.i18n.getUILanguage();
document.title = say("title");
menu.ariaLabel = say("title");

/** The strength of a password, by the number of guesses.
 * @param {string} bits */
const strength = (bits) => say(`strength_${[36, 48, 64].filter((least) => Number(bits) >= least).length}`);

const texts = {
  account: (item) => [item.user, item.site],
  passwords: (item) => [item.isOther ? say("menu_others") : say("menu_passwords", item.site), ""],
  strong: (item) => [say("menu_strong"), say("menu_strongUnder", String(item.length), strength(item.bits))],
  another: (item) => [say("menu_another"), strength(item.bits)],
  own: () => [say("menu_own"), say("menu_ownUnder")],
  code: (item) => [say("menu_code"), item.user ?? say("menu_codeUnder")],
  codes: (item) => [say("menu_codes", item.site), ""],
  unlock: () => [say("menu_unlock"), say("menu_unlockUnder")],
  why: () => [say("menu_why"), ""],
};

let items = [];
function show(list) {
  items = list;
  menu.replaceChildren(...list.flatMap((item, index) => {
    const button = document.createElement("button");
    button.setAttribute("role", "menuitem");
    button.tabIndex = index === 0 ? 0 : -1;
    button.className = `${item.type} waits`;
    const [over, under] = texts[item.type](item);
    button.append(...[["over", over], ["under", under]].filter(([, text]) => text).map(([name, text]) => {
      const span = document.createElement("span");
      span.className = name;
      span.textContent = text;
      return span;
    }));
    button.addEventListener("click", (event) => choose(event, index));
    if (item.type !== "why") return [button];
    const why = document.createElement("div");
    why.className = "reasons";
    why.hidden = list.length > 1;
    why.append(...item.reasons.flatMap(({ message, fix }) => [["", message], ["fix", fix]]).map(([name, text]) => {
      const paragraph = document.createElement("p");
      paragraph.className = name;
      paragraph.textContent = text;
      return paragraph;
    }));
    button.setAttribute("aria-expanded", String(!why.hidden));
    return [button, why];
  }));
  showStatus("");
}

function showStatus(text) {
  line.textContent = text;
  line.hidden = !text;
}

/** Reports its height. It may be loaded, and get its items, before it is opened. */
let isShown = false;
new ResizeObserver(() => {
  const wasShown = isShown;
  isShown = innerWidth > 0;
  if (!isShown) return;
  if (!wasShown) Guard.restart();
  connect();
  if (items.length > 0) port?.postMessage({ type: "height", height: Math.ceil(document.body.getBoundingClientRect().height) });
}).observe(document.body);

setInterval(() => {
  for (const button of menu.querySelectorAll("button")) button.classList.toggle("waits", Guard.isWaiting(button));
}, 100);

function choose(event, index) {
  if (!event.isTrusted) return;
  if (items[index].type === "why") {
    const why = /** @type {HTMLElement} */ (menu.querySelector(".reasons"));
    why.hidden = !why.hidden;
    event.currentTarget.setAttribute("aria-expanded", String(!why.hidden));
    return;
  }
  if (Guard.isClickable(Guard.by)) port?.postMessage({ type: "choose", index, isSure: canObserve });
  else showStatus(say("wait"));
}

menu.addEventListener("keydown", (event) => {
  const buttons = [...menu.querySelectorAll("button")];
  const position = buttons.indexOf(/** @type {any} */ (document.activeElement));
  const to = { ArrowDown: position + 1, ArrowUp: position - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    if (to < 0) return port?.postMessage({ type: "close", refocus: true });
    buttons[Math.min(to, buttons.length - 1)].focus();
  } else if (event.key === "Escape" || event.key === "Tab") {
    event.preventDefault();
    port?.postMessage({ type: "close", refocus: true });
  }
});

function receive(message) {
  switch (message.type) {
    case "items":
      Guard.restart();
      document.documentElement.dir = message.isRightToLeft ? "rtl" : "ltr";
      return show(message.items);
    case "enter": return menu.querySelector("button")?.focus();
    case "moved":
      Guard.restart();
      return;
    case "wait": return showStatus(say("covered"));
    case "busy": return showStatus(say("asking"));
    case "toolbar": return showStatus(say("useToolbar"));
  }
}

/** Sends its name, from the fragment of its address; again if it is shown after the background has ended. */
function connect() {
  const token = location.hash.slice(1);
  if (!token || port) return;
  port = chrome.runtime.connect({ name: "menu" });
  port.onMessage.addListener(receive);
  port.onDisconnect.addListener(() => {
    port = null;
    show([]);
  });
  port.postMessage({ type: "token", token });
}
connect();
