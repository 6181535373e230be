// SPDX-License-Identifier: Apache-2.0
/**
 * The menu under a field: a page of this extension in a frame. It fills on a trusted click or key alone, once it stood
 * unobscured for half a second.
 */
"use strict";

/** Milliseconds that it must stand before it can be clicked. */
const standing = 500;
const menu = /** @type {HTMLElement} */ (document.getElementById("menu"));
const line = /** @type {HTMLElement} */ (document.getElementById("status"));
/** To the background, once this menu has a name.
 * @type {chrome.runtime.Port | null} */
let port = null;

/** Whether this browser tells a frame if it is drawn over, made transparent or moved, by whatever page is around it. */
const canTell = "IntersectionObserverEntry" in window && "isVisible" in IntersectionObserverEntry.prototype;
let stoodSince = Infinity;
let began = performance.now();
if (canTell) {
  new IntersectionObserver((entries) => {
    const { isVisible, intersectionRatio } = entries[entries.length - 1];
    if (!isVisible || intersectionRatio < 0.99) stoodSince = Infinity;
    else if (stoodSince === Infinity) stoodSince = performance.now();
  }, { threshold: [0.5, 0.99, 1], trackVisibility: true, delay: 100 }).observe(document.documentElement);
}

const texts = {
  account: (item) => [item.user, item.site],
  passwords: (item) => [`Passwords for ${item.site}…`, "You are asked which"],
  strong: (item) => ["Use Strong Password", `${item.length} characters, ${Math.floor(Number(item.bits))} bits, saved at once`],
  another: (item) => ["Use Another", `${Math.floor(Number(item.bits))} bits`],
  own: () => ["Choose My Own Password", "The strong one is put aside"],
  code: (item) => ["Fill Code", item.user ?? "Just came in"],
  codes: (item) => [`Codes for ${item.site}…`, "You are asked"],
  unlock: () => ["Unlock Passwords…", "The vault is locked"],
  why: () => ["Why not?", ""],
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
  say("");
}

function say(text) {
  line.textContent = text;
  line.hidden = !text;
}

/** As high as what it shows. It may be loaded, and told what to show, before it is opened. */
let isShown = false;
new ResizeObserver(() => {
  const wasShown = isShown;
  isShown = innerWidth > 0;
  if (!isShown) return;
  if (!wasShown) began = performance.now();
  connect();
  if (items.length > 0) port?.postMessage({ type: "height", height: Math.ceil(document.body.getBoundingClientRect().height) });
}).observe(document.body);

/** In a frame the page around can move all of it under the pointer, and nobody is told: since when the pointer is here. */
const isInFrame = window.parent !== window.top;
let pointerSince = Infinity;
document.addEventListener("pointerover", () => { if (pointerSince === Infinity) pointerSince = performance.now(); });
document.documentElement.addEventListener("pointerleave", () => { pointerSince = Infinity; });

/** Whether it stood long enough, as far as this page can tell.
 * @param {boolean} [isPointed] whether the pointer has to have been here */
function stands(isPointed = false) {
  const now = performance.now();
  return now - began >= standing && (!canTell || now - stoodSince >= standing) && (!isPointed || !isInFrame || now - pointerSince >= standing);
}
setInterval(() => {
  const waits = !stands();
  for (const button of menu.querySelectorAll("button")) button.classList.toggle("waits", waits);
}, 100);

function choose(event, index) {
  if (!event.isTrusted) return;
  if (items[index].type === "why") {
    const why = /** @type {HTMLElement} */ (menu.querySelector(".reasons"));
    why.hidden = !why.hidden;
    event.currentTarget.setAttribute("aria-expanded", String(!why.hidden));
    return;
  }
  // By keyboard a click has no place.
  if (stands(event.detail > 0)) port?.postMessage({ type: "choose", index, isSure: canTell });
  else say("Wait a moment");
}

menu.addEventListener("keydown", (event) => {
  const buttons = [...menu.querySelectorAll("button")];
  const place = buttons.indexOf(/** @type {any} */ (document.activeElement));
  const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: buttons.length - 1 }[event.key];
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
      began = performance.now();
      return show(message.items);
    case "enter": return menu.querySelector("button")?.focus();
    case "moved":
      began = performance.now();
      return;
    case "wait": return say("Something lies over this menu. Wait a moment");
    case "busy": return say("Asking…");
    case "toolbar": return say("This page keeps the menu from being seen for sure: use the Passwords button in the toolbar");
  }
}

/** Says its name, in the fragment of its address; again when it is shown and the background has ended meanwhile. */
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
