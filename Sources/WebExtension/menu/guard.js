// SPDX-License-Identifier: Apache-2.0
/** Whether the user has seen a page of this extension in a frame long enough: it accepts a trusted click or key only after that. */
"use strict";

/** Milliseconds that it must be unobscured before it can be clicked, that the pointer must be on it, and that it must have the keyboard again: no
 * double click or double key that began in another window ends here. */
const clickDelay = 500;
/** How far, in pixels, and for how many milliseconds a pointer has moved on a whole page's menu that is aimed: one that had another window under
 * it until now rests. */
const aim = { distance: 12, time: 200 };
/** Whether this browser reports to a frame if any page around it covers, fades or moves it. */
const canObserve = "IntersectionObserverEntry" in window && "isVisible" in IntersectionObserverEntry.prototype;
/** In a frame, the page around can move this one under a finger without an event: a tap counts half a second after a first one, for three
 * seconds. */
const isInFrame = window.parent !== window.top;
const tapsTogether = 3000;

const Guard = {
  unobscuredSince: Infinity,
  /** Since when a pointer that hovers is here, and how far it has moved since, in pixels. No other window reports to this one that it was closed under
   * the pointer. A pen hovers where it has moved without touching.
   * @type {Record<string, {since: number, travelled: number}>} */
  pointers: { mouse: { since: Infinity, travelled: 0 }, pen: { since: Infinity, travelled: 0 } },
  /** When a finger or a pen first touched this. It may leave with each tap. */
  touchedAt: Infinity,
  /** When this page has got the keyboard back. */
  returnedAt: -Infinity,
  began: performance.now(),
  /** What the click that is handled now is of, or the form that it sends: "keys", or a kind of pointer. */
  by: "keys",

  /** What is shown has changed, or has moved: the delay begins again. */
  restart() {
    this.began = performance.now();
    this.touchedAt = Infinity;
  },

  /** Whether it was unobscured long enough, as far as this page can determine; and where that is a click, whether it may be one for this page.
   * @param {string} [by] what it is of */
  isClickable(by) {
    const now = performance.now();
    if (now - this.began < clickDelay || canObserve && now - this.unobscuredSince < clickDelay) return false;
    if (by === undefined) return true;
    if (by === "keys") return now - this.returnedAt >= clickDelay;
    if (by !== "mouse" && now - this.touchedAt >= clickDelay) return true;
    if (by === "mouse" || !isInFrame && by === "pen" && this.pointers.pen.since < Infinity) return this.hasStayed(by);
    return !isInFrame;
  },

  /** Whether a pointer that hovers was here long enough.
   * @param {string} kind */
  hasStayed(kind) {
    const { since, travelled } = this.pointers[kind];
    return performance.now() - since >= (isInFrame || travelled < aim.distance ? clickDelay : aim.time);
  },

  /** Whether a click on an element would be too early, for a pointer that is on it.
   * @param {Element} element */
  isWaiting(element) {
    // In a frame a pen waits for its first tap.
    const by = ["mouse", ...(isInFrame ? [] : ["pen"])].find((kind) => this.pointers[kind].since < Infinity);
    return !this.isClickable() || by !== undefined && element.matches(":hover") && !this.hasStayed(by);
  },

  /** A pointer that hovers is here.
   * @param {string} kind */
  come(kind) {
    if (this.pointers[kind].since === Infinity) this.pointers[kind] = { since: performance.now(), travelled: 0 };
  },
};

if (canObserve) {
  new IntersectionObserver((entries) => {
    const { isVisible, intersectionRatio } = entries[entries.length - 1];
    if (!isVisible || intersectionRatio < 0.99) Guard.unobscuredSince = Infinity;
    else if (Guard.unobscuredSince === Infinity) Guard.unobscuredSince = performance.now();
  }, { threshold: [0.5, 0.99, 1], trackVisibility: true, delay: 100 }).observe(document.documentElement);
}

document.addEventListener("pointerover", ({ pointerType }) => { if (pointerType === "mouse") Guard.come("mouse"); });
document.addEventListener("pointermove", ({ pointerType, buttons, movementX, movementY }) => {
  if (pointerType === "pen" && buttons === 0) Guard.come("pen");
  if (pointerType === "mouse" || pointerType === "pen" && buttons === 0) Guard.pointers[pointerType].travelled += Math.hypot(movementX, movementY);
});
document.documentElement.addEventListener("pointerleave", ({ pointerType }) => { if (Guard.pointers[pointerType]) Guard.pointers[pointerType].since = Infinity; });
let pressed = "mouse";
document.addEventListener("pointerdown", ({ pointerType }) => {
  pressed = pointerType;
  const now = performance.now();
  if (pointerType !== "mouse" && (Guard.touchedAt === Infinity || now - Guard.touchedAt > tapsTogether)) Guard.touchedAt = now;
}, true);
// A click by keyboard has no position. The key that sends a form clicks its button. Firefox's click of a screen reader is of no device.
document.addEventListener("click", ({ detail, mozInputSource }) => { Guard.by = detail > 0 && mozInputSource !== 0 ? pressed : "keys"; }, true);

document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") Guard.restart(); });
let wasLeft = false;
addEventListener("blur", () => { wasLeft = true; });
addEventListener("focus", () => { if (wasLeft) Guard.returnedAt = performance.now(); });
