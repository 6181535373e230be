// SPDX-License-Identifier: Apache-2.0
/** Whether the user has seen a page of this extension in a frame long enough: it accepts a trusted click or key only after that. */
"use strict";

/** Milliseconds that it must be unobscured before it can be clicked. */
const clickDelay = 500;
/** Whether this browser reports to a frame if any page around it covers, fades or moves it. */
const canObserve = "IntersectionObserverEntry" in window && "isVisible" in IntersectionObserverEntry.prototype;
/** In a frame, the page around can move this one under the pointer without an event: the time since the pointer is here. */
const isInFrame = window.parent !== window.top;

const Guard = {
  unobscuredSince: Infinity,
  pointerSince: Infinity,
  began: performance.now(),

  /** What is shown has changed, or has moved: the delay begins again. */
  restart() {
    this.began = performance.now();
  },

  /** Whether it was unobscured long enough, as far as this page can determine.
   * @param {boolean} [isPointed] whether the pointer has to have been here */
  isClickable(isPointed = false) {
    const now = performance.now();
    return now - this.began >= clickDelay && (!canObserve || now - this.unobscuredSince >= clickDelay)
      && (!isPointed || !isInFrame || now - this.pointerSince >= clickDelay);
  },
};

if (canObserve) {
  new IntersectionObserver((entries) => {
    const { isVisible, intersectionRatio } = entries[entries.length - 1];
    if (!isVisible || intersectionRatio < 0.99) Guard.unobscuredSince = Infinity;
    else if (Guard.unobscuredSince === Infinity) Guard.unobscuredSince = performance.now();
  }, { threshold: [0.5, 0.99, 1], trackVisibility: true, delay: 100 }).observe(document.documentElement);
}
document.addEventListener("pointerover", () => { if (Guard.pointerSince === Infinity) Guard.pointerSince = performance.now(); });
document.documentElement.addEventListener("pointerleave", () => { Guard.pointerSince = Infinity; });
