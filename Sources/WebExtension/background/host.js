// SPDX-License-Identifier: Apache-2.0
/**
 * The connection to the daemon: one port to the native messaging host, opened on first use.
 *
 * @typedef {{reason: string, message: string, fix: string, retry?: string, audience?: string, details?: string}} Reason
 * @typedef {{origin?: string, topOrigin?: string, document?: string}} Sender the browser's data about a page
 */

const NAME = "org.autofilld.browser";
/** Bytes of a message that the host accepts (NativeFraming.maximumLength). */
const longest = 1024 * 1024;

/** A refusal, with every reason of the daemon. */
export class Refused extends Error {
  /** @param {string} message @param {Reason[]} reasons */
  constructor(message, reasons) {
    super(message);
    this.reasons = reasons;
  }
}

/** @type {chrome.runtime.Port | null} */
let port = null;
let last = 0;
/** @type {Map<number, {resolve: (result: any) => void, reject: (error: Refused) => void}>} */
const waiting = new Map();

/** The state of the daemon's vault: "unlocked", "locked", "missing"; or why the daemon is not available. */
export const state = { vault: /** @type {string | null} */ (null), absence: /** @type {Reason | null} */ (null) };

/** Called each time that `state` may have changed.
 * @type {(() => void)[]} */
export const observers = [];
/** Handlers of the daemon's events, by type; "connected" is called at each new connection.
 * @type {Map<string, (event: any) => void>} */
export const events = new Map();
const changed = () => observers.forEach((observer) => observer());

function missing(detail) {
  return {
    reason: "host-missing",
    message: chrome.i18n.getMessage("hostMissing"),
    fix: chrome.i18n.getMessage("hostMissingFix", [`autofillctl browser status${detail ? ` (${detail})` : ""}`]),
  };
}

function connect() {
  const opened = chrome.runtime.connectNative(NAME);
  opened.onMessage.addListener(receive);
  opened.onDisconnect.addListener((ended) => {
    if (port !== opened) return;
    port = null;
    const detail = (ended && "error" in ended && ended.error && ended.error.message) || chrome.runtime.lastError?.message;
    state.vault = null;
    state.absence = missing(detail);
    const refused = new Refused(state.absence.message, [state.absence]);
    for (const { reject } of waiting.values()) reject(refused);
    waiting.clear();
    changed();
  });
  return opened;
}

function receive(message) {
  if (message.connected) {
    state.absence = null;
    state.vault = message.connected.vault ?? null;
    changed();
    events.get("connected")?.(message.connected);
  } else if (message.event) {
    if (message.event.type === "vaultLocked") state.vault = "locked";
    if (message.event.type === "vaultUnlocked") state.vault = "unlocked";
    changed();
    events.get(message.event.type)?.(message.event);
  } else {
    const call = waiting.get(message.id);
    if (!call) return;
    waiting.delete(message.id);
    if (message.result) return call.resolve(message.result);
    const reasons = message.error?.reasons ?? [];
    // An absent daemon is reported by the names of the clients, which are not in the daemon's table of reasons.
    if (reasons[0] && /^(not[A-Z]|no[A-Z]|pathTooLong)/.test(reasons[0].reason)) {
      state.absence = reasons[0];
      state.vault = null;
      changed();
    }
    call.reject(new Refused(reasons[0]?.message ?? "Refused", reasons));
  }
}

/**
 * Sends a request to the daemon.
 *
 * @param {string} method one of those that the host passes on
 * @param {Sender} sender
 * @param {object} [params]
 * @param {AbortSignal} [signal] cancels the request
 * @returns {Promise<any>} the result; rejects with Refused
 */
export function call(method, sender, params = {}, signal) {
  const id = ++last;
  const message = { id, method, ...sender, params };
  return new Promise((resolve, reject) => {
    // The host's own refusal of one has no id. A character has three bytes at most.
    const text = JSON.stringify(message);
    if (text.length * 3 > longest && new TextEncoder().encode(text).length > longest) {
      const tooLong = { reason: "message-too-long", message: chrome.i18n.getMessage("tooLong"), fix: "" };
      return reject(new Refused(tooLong.message, [tooLong]));
    }
    waiting.set(id, { resolve, reject });
    try {
      port ??= connect();
      port.postMessage(message);
    } catch (error) {
      waiting.delete(id);
      return reject(new Refused("Not sent", [missing(String(error))]));
    }
    signal?.addEventListener("abort", () => {
      if (waiting.has(id)) port?.postMessage({ id: ++last, method: "cancel", params: { id } });
    });
  });
}
