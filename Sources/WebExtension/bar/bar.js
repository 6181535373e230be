// SPDX-License-Identifier: Apache-2.0
/**
 * The bar: asks whether a password that the site has accepted is saved. It has no password. It accepts a trusted click or key only, after it
 * was unobscured, and the pointer on it, for half a second.
 */
"use strict";

/** @template {HTMLElement} Kind @param {string} id */
const part = (id) => /** @type {any} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ (part("bar"));
const user = /** @type {HTMLInputElement} */ (part("user"));
const line = /** @type {HTMLElement} */ (part("status"));
/** @type {chrome.runtime.Port | null} */
let port = null;
/** What is asked, as the background describes it. */
let question = { id: "", site: "", user: "", users: /** @type {string[]} */ ([]), isChange: false, result: /** @type {string | undefined} */ (undefined), canUndo: false, reasons: /** @type {any[] | undefined} */ (undefined) };

document.documentElement.lang = chrome.i18n.getUILanguage();
document.documentElement.dir = chrome.i18n.getMessage("@@bidi_dir");
document.title = say("title");
/** @type {HTMLElement} */ (document.querySelector("#who span")).textContent = say("userName");
for (const name of ["later", "never", "undo"]) part(name).textContent = say(`bar_${name}`);

function showTitle() {
  const text = say(...titleOfQuestion(question, user.value));
  if (part("title").textContent !== text) part("title").textContent = text;
  part("save").textContent = say(replacesAt(question, user.value) ? "bar_updateNow" : "bar_saveNow");
}

function show() {
  const { result, canUndo, reasons } = question;
  Guard.restart();
  form.hidden = false;
  for (const name of ["who", "save", "later", "never"]) part(name).hidden = result !== undefined;
  part("undo").hidden = !canUndo;
  part("why").hidden = !reasons?.length;
  part("why").textContent = (reasons ?? []).map(({ message, fix }) => [message, fix].filter(Boolean).join(". ")).join(" ");
  showTitle();
  showStatus("");
}

/** @param {string} text @param {number} [time] how long it is shown, in milliseconds */
function showStatus(text, time) {
  line.textContent = text;
  line.hidden = !text;
  if (time) setTimeout(() => { if (line.textContent === text) showStatus(""); }, time);
}

/** An answer, with the question that it is for, and what that has said.
 * @param {"save" | "later" | "never" | "undo"} choice */
const answerOf = (choice) => ({ type: "answer", id: question.id, choice, user: user.value, replaces: replacesAt(question, user.value), isSure: canObserve });

/** @param {Event} event @param {"save" | "later" | "never" | "undo"} choice */
function choose(event, choice) {
  event.preventDefault();
  if (!event.isTrusted) return;
  if (!Guard.isClickable(Guard.by)) return showStatus(say("wait"), 1000);
  connect();
  port?.postMessage(answerOf(choice));
}

form.addEventListener("submit", (event) => choose(event, "save"));
for (const name of /** @type {const} */ (["later", "never", "undo"])) part(name).addEventListener("click", (event) => choose(event, name));
user.addEventListener("input", showTitle);
setInterval(() => form.classList.toggle("waits", Guard.isWaiting(form)), 100);

/** Reports its height. */
new ResizeObserver(() => {
  if (!form.hidden) port?.postMessage({ type: "height", height: Math.ceil(document.body.getBoundingClientRect().height) });
}).observe(document.body);

function receive(message) {
  switch (message.type) {
    case "question": {
      // What was typed belongs to its own question.
      const isNew = question.id !== message.id || question.user !== message.user || form.hidden;
      question = message;
      if (isNew) user.value = message.user;
      part("users").replaceChildren(...message.users.map((/** @type {string} */ name) => Object.assign(document.createElement("option"), { value: name })));
      show();
      return port?.postMessage({ type: "height", height: Math.ceil(document.body.getBoundingClientRect().height) });
    }
    case "wait": return showStatus(say("covered"), 1500);
    case "busy": return showStatus(say("asking"));
    case "toolbar": return showStatus(say("useToolbar"));
  }
}

/** Sends its name, from the fragment of its address; again if the background has ended since. */
function connect() {
  const token = location.hash.slice(1);
  if (!token || port) return;
  port = chrome.runtime.connect({ name: "bar" });
  port.onMessage.addListener(receive);
  port.onDisconnect.addListener(() => { port = null; });
  port.postMessage({ type: "token", token });
}
connect();
