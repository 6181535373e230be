// SPDX-License-Identifier: Apache-2.0
/** The window for HTTP authentication: selects the account for the page. No page can cover it; it fills on a trusted click or key only. */
import { ask, element, say, translate } from "./connection.js";
import { why } from "./text.js";

const name = location.hash.slice(1);
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const status = /** @type {HTMLElement} */ (document.getElementById("state"));
translate("signIn");
status.textContent = say("signInAsked");
/** What has just been shown, or was raised to the front, may be clicked by accident. */
let since = performance.now();
const clickDelay = 500;

const waits = () => performance.now() - since < clickDelay;
/** The delay begins again. */
function restart() {
  since = performance.now();
  main.classList.toggle("waits", true);
}

/** @param {Node[]} parts */
function put(...parts) {
  main.replaceChildren(...parts);
  restart();
}
addEventListener("focus", restart);
setInterval(() => main.classList.toggle("waits", waits()), 100);

const step = (what, rest = {}) => ask("signIn", { name, step: what, ...rest });

/** @param {string} text @param {(event: Event) => void} act */
function choice(text, act) {
  return element("button", { className: "main", onclick: (event) => {
    if (event.isTrusted && !waits()) act(event);
  } }, text);
}

/** Whether an answer is awaited: a second click would cause a second prompt. */
let isBusy = false;

/** @param {string} [credential] its id */
async function use(credential) {
  if (isBusy) return;
  isBusy = true;
  status.textContent = say("asking");
  const { reasons } = await step("use", { credential }).finally(() => { isBusy = false; });
  if (reasons) {
    status.textContent = "";
    put(...why(reasons));
  } else {
    window.close();
  }
}

async function show() {
  const { result: site } = await step("site");
  if (!site) return window.close();
  /** @type {HTMLElement} */ (document.getElementById("site")).textContent = say("signInTo", new URL(site.origin).host);
  const { result, reasons } = await step("accounts");
  if (result) {
    put(...result.credentials.map(({ credential, user }) => choice(user, () => use(credential))));
  } else if (reasons?.some(({ reason }) => reason === "vault-locked")) {
    put(choice(say("unlock"), async () => {
      const { reasons } = await ask("unlock");
      if (reasons) put(...why(reasons));
      else await show();
    }));
  } else {
    put(choice(say("menu_passwords", new URL(site.origin).host), () => use()));
  }
}

const own = /** @type {HTMLElement} */ (document.getElementById("own"));
own.textContent = say("typeYourself");
own.addEventListener("click", async () => {
  // Without a background there is nothing to cancel.
  try {
    await step("cancel");
  } finally {
    window.close();
  }
});
await show();
