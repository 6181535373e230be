// SPDX-License-Identifier: Apache-2.0
/** Reports to the background what has become of a form that was sent: in this document, or in the one before it. */
"use strict";

/**
 * @typedef {{kind: "signIn" | "new" | "change", names: string[], action?: string}} Shape a form with a password that the user sees
 * @typedef {{id: string, form: Element, fields: HTMLInputElement[], address: string, at: number, texts: Set<string>, shape: Shape, isNative?: boolean,
 *   goneAt?: number, answeredAt?: number, worst: number}} Sending
 */

const errorMarks = "[role=alert], [aria-live=assertive], [class*=error i], [class*=invalid i], [class*=danger i], [class*=warning i], [id*=error i]";
const errorText = /wrong|incorrect|invalid|fail|denied|error|match|exist|already|taken|try again|locked|too (short|weak|common|many)|not |n't|falsch|ungültig|fehl|bereits|vergeben|nicht|salah|gagal|sudah|tidak/i;
const signOut = ["logout", "log-out", "log_out", "signout", "sign-out", "sign_out", "logoff"]
  .flatMap((word) => [`a[href*="${word}" i]`, `form[action*="${word}" i]`]).join(", ");
const successText = /success|changed|updated|saved|geändert|gespeichert|aktualisiert|erfolg|berhasil|diubah|disimpan/i;
const busyText = /(…|\.\.\.)$|loading|please wait|one moment|moment|bitte warten|mohon tunggu/i;

const Outcome = {
  /** The name of this document. */
  token: randomName(),
  /** When the user last clicked something other than a field and the button of a form that was sent. */
  actedAt: 0,
  /** When this document was last shown again by the history. */
  shownAgainAt: 0,
  /** @type {Sending | null} */
  sending: null,

  /** Remembers what is visible around a form that may be sent.
   * @param {Element} form @returns {Sending} */
  prepare(form) {
    const fields = fieldsOf(form);
    return { id: randomName(), form, fields, address: location.href, at: Date.now(), texts: new Set(visibleTexts()), shape: shapeOf(form, fields.filter(isSeen)), worst: 0 };
  },

  /** The form was sent: records the answers to requests of scripts from now on.
   * @param {Sending} sending */
  begin(sending) {
    this.sending = sending;
    const since = sending.at - performance.timeOrigin;
    this.requests?.disconnect();
    this.requests = new PerformanceObserver((list) => {
      for (const entry of /** @type {PerformanceResourceTiming[]} */ (list.getEntries())) {
        if (entry.startTime < since - 100 || !["fetch", "xmlhttprequest"].includes(entry.initiatorType) || !isNearHost(entry.name)) continue;
        sending.answeredAt = Date.now();
        sending.worst = Math.max(sending.worst, entry.responseStatus ?? 0);
      }
    });
    this.requests.observe({ type: "resource", buffered: true });
    const successes = [...sending.texts].filter(isSuccess).slice(0, 20);
    return { id: sending.id, token: this.token, address: sending.address, at: sending.at, shape: sending.shape, successes };
  },

  /** What the background needs to know.
   * @param {string} id of the form that was sent */
  report(id) {
    shadowRoots(0); // once: an old one may lack the answer
    const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    const texts = visibleTexts();
    const own = this.sending?.id === id ? this.sending : null;
    const marked = messages();
    return {
      token: this.token, began: performance.timeOrigin + (navigation?.responseStart ?? 0), origin: self.origin, path: location.pathname.slice(0, 2048), address: location.href, actedAt: this.actedAt, isReady: document.readyState === "complete",
      // In the document of the form, what was before the form was sent does not count.
      isShownAgain: own ? this.shownAgainAt > own.at : this.isFromHistory(),
      isOpened: window.opener !== null, status: navigation?.responseStatus ?? 0,
      shapes: shapes(), asksUser: asksUser(), isBusy: isBusy(own, texts),
      hasError: marked.some((text) => errorText.test(text)), isMarked: isMarked(),
      isConfirmed: allRoots().some((root) => [...root.querySelectorAll("[class*=success i]")].slice(0, 100).some(isConfirmation)),
      hasSignOut: allRoots().some((root) => root.querySelector(signOut) !== null),
      successes: texts.filter(isSuccess).slice(0, 20),
      sending: own && this.ownReport(own, texts, marked),
    };
  },

  /** The same for a page that asks for a password, and that the user leaves soon after it was loaded: it may be a refusal that was not
   * asked about yet. */
  reportLeft() {
    if (performance.now() > 20_000 || this.isFromHistory()) return undefined;
    // A page without a field is not searched for shadow trees, unless some are known.
    const mayAsk = document.querySelector("input[type=password]") !== null || shadows.roots.length > 0;
    return mayAsk && shapes().length > 0 ? this.report("") : undefined;
  },

  /** Whether the user has opened this document again. */
  isFromHistory() {
    const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    return this.shownAgainAt > 0 || ["reload", "back_forward"].includes(navigation?.type);
  },

  /** @param {Sending} own @param {string[]} texts @param {string[]} marked */
  ownReport(own, texts, marked) {
    const now = Date.now();
    const isGone = own.fields.every((field) => !field.isConnected || !isSeen(field));
    if (!isGone) own.goneAt = undefined;
    else own.goneAt ??= now;
    const news = texts.filter((text) => !own.texts.has(text));
    const container = own.form.parentElement ?? own.form;
    const isBeside = (text) => !isGone && own.form !== document.documentElement && (container.textContent ?? "").replace(/\s+/g, " ").includes(text);
    return {
      isGone, isNative: own.isNative === true, goneFor: own.goneAt === undefined ? 0 : now - own.goneAt, worst: own.worst,
      answeredFor: own.answeredAt === undefined ? null : now - own.answeredAt,
      isMoved: location.href.split("#")[0] !== own.address.split("#")[0],
      hasError: news.some((text) => (marked.includes(text) || errorText.test(text) || isBeside(text)) && !successText.test(text) && !busyText.test(text))
        || !isGone && own.fields.some((field) => field.isConnected && field.getAttribute("aria-invalid") === "true"),
      hasSuccess: news.some(isSuccess),
    };
  },
};

/** Whether an address is one of this page's site, as far as its name shows.
 * @param {string} url */
function isNearHost(url) {
  const end = (/** @type {string} */ host) => host.split(".").slice(-2).join(".");
  return end(new URL(url, location.href).hostname) === end(location.hostname);
}

/** @param {Element} element */
function isDrawn(element) {
  return element.checkVisibility ? element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) : element.getClientRects().length > 0;
}

/** The document and its shadow trees.
 * @param {boolean} [isFrequent] whether it is asked after each change @returns {(Document | ShadowRoot)[]} */
function allRoots(isFrequent = false) {
  return [document, .../** @type {ShadowRoot[]} */ (shadowRoots(1000, isFrequent ? 20 : 0))];
}

/** The visible texts of the page, without those of buttons, of its first few thousand nodes. */
function visibleTexts() {
  const found = [];
  for (const root of [document.body, ...allRoots().slice(1)]) {
    if (!root) continue;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(), count = 0; node && count < 4000; node = walker.nextNode(), count++) {
      const [text, parent] = [cut(node.nodeValue, 512), node.parentElement];
      if (text && parent && !parent.closest("button, [role=button], script, style, noscript, template, option") && isDrawn(parent)) found.push(text);
    }
  }
  return found;
}

/** The visible texts of elements that are marked as errors. */
function messages() {
  return allRoots().flatMap((root) => [...root.querySelectorAll(errorMarks)].slice(0, 100))
    .filter((element) => !element.matches("html, body, form, input, select, textarea, label, main") && isDrawn(element))
    .flatMap((element) => cut(element.textContent, 512) ?? []);
}

/** Whether a text says that something succeeded.
 * @param {string} text */
function isSuccess(text) {
  return successText.test(text) && !errorText.test(text);
}

/** Whether an element that the user sees says that something succeeded.
 * @param {Element} element */
function isConfirmation(element) {
  const text = cut(element.textContent, 512) ?? "";
  return isDrawn(element) && isSuccess(text);
}

/** Whether a form with a password is marked as wrong, whatever the words. */
function isMarked() {
  const passwords = allRoots().flatMap((root) => [.../** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll("input[type=password]"))]).filter(isSeen);
  if (passwords.some((field) => field.getAttribute("aria-invalid") === "true")) return true;
  return [...new Set(passwords.map(formOf))].some((form) => form !== document.documentElement
    && [...form.querySelectorAll("[role=alert], [class*=error i], [class*=invalid i]")].slice(0, 100)
      .some((element) => isDrawn(element) && cut(element.textContent, 512) && !isConfirmation(element)));
}

/** Whether the page shows that it waits for an answer.
 * @param {Sending | null} own @param {string[]} texts */
function isBusy(own, texts) {
  const bars = [...document.querySelectorAll("[aria-busy=true], [role=progressbar], progress, [class*=spinner i], [class*=loading i]")];
  if (bars.slice(0, 50).some((bar) => !bar.matches("html, body") && isDrawn(bar))) return true;
  const fields = own?.fields.filter((field) => field.isConnected && isSeen(field)) ?? [];
  return fields.length > 0 && fields.every((field) => field.disabled) || texts.some((text) => !own?.texts.has(text) && busyText.test(text));
}

/** Whether the page asks for a user name or a password: a sign-in of its own.*/
function asksUser() {
  return allRoots().some((root) => [...root.querySelectorAll("input[type=password], input[type=email], input[autocomplete~=username i], input[name*=user i], input[name*=login i]")]
    .some(isSeen));
}

/** The forms with a password that the user sees. */
function shapes() {
  /** @type {Map<Element, HTMLInputElement[]>} */
  const forms = new Map();
  for (const root of allRoots()) {
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll("input[type=password]"))) {
      if (isSeen(field)) forms.set(formOf(field), []);
    }
  }
  return [...forms.keys()].slice(0, 8).map((form) => shapeOf(form, fieldsOf(form).filter(isSeen)));
}

/** @param {Element} form @param {HTMLInputElement[]} fields those that are visible @returns {Shape} */
function shapeOf(form, fields) {
  const passwords = fields.filter((field) => field.type === "password");
  const text = (/** @type {HTMLInputElement} */ field) => `${field.autocomplete} ${field.name} ${field.id}`;
  const isNew = passwords.length > 1 || passwords.some((field) => /new|confirm|again|repeat|verif/i.test(text(field)));
  const isOld = passwords.length > 2 || passwords.length > 1 && passwords.some((field) => /current|old/i.test(text(field)));
  return {
    kind: isOld ? "change" : isNew ? "new" : "signIn", names: fields.slice(0, 64).map((field) => (field.name || field.id || field.type).slice(0, 256)),
    action: form instanceof HTMLFormElement && form.getAttribute("action") ? new URL(String(form.getAttribute("action")), document.baseURI).pathname.slice(0, 2048) : undefined,
  };
}

addEventListener("pageshow", (event) => { if (event.persisted) Outcome.shownAgainAt = Date.now(); });
