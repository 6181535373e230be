// SPDX-License-Identifier: Apache-2.0
/**
 * What the documents around this one do to what it shows: for a browser that does not tell a frame whether it can be seen. As far
 * as they are of this document's own origin they can be looked at, frame by frame, up to the whole page.
 */
"use strict";

/** Whether this browser tells the menu's own page what is drawn over it. */
const tellsVisibility = "IntersectionObserverEntry" in window && "isVisible" in IntersectionObserverEntry.prototype;

const Surroundings = {
  /** Of a document that has more elements than this nobody waits for the end. */
  most: 4000,
  /** How long what a whole document draws counts, in milliseconds. */
  age: 200,
  /** When all elements around were last looked at, below what place, and what came out. */
  last: { at: -Infinity, box: "", answer: /** @type {"yes" | "no" | "unsure"} */ ("unsure") },

  /**
   * Whether what stands at a place of this document can be seen in the whole page: "unsure" where a document around cannot be looked
   * at, or may draw what hit tests go through.
   *
   * @param {{left: number, top: number, width: number, height: number}} box @returns {"yes" | "no" | "unsure"}
   */
  show(box) {
    if (window === window.top) return "yes";
    /** @type {[Element, DOMRectReadOnly][]} */
    const frames = [];
    let { left, top } = box;
    for (let view = /** @type {Window} */ (window); view !== view.top; view = view.parent) {
      const frame = ownFrame(view);
      if (!frame) return "unsure";
      const { width, height } = box;
      const outer = frame.getBoundingClientRect();
      const style = getComputedStyle(frame);
      left += outer.left + frame.clientLeft + Number.parseFloat(style.paddingLeft);
      top += outer.top + frame.clientTop + Number.parseFloat(style.paddingTop);
      const place = new DOMRectReadOnly(left, top, width, height);
      if (!isPlain(frame) || !isHit(frame, place)) return "no";
      frames.push([frame, place]);
    }
    const key = JSON.stringify(frames.map(([, place]) => place));
    const isMoved = this.last.box !== key;
    if (performance.now() - this.last.at < this.age && !isMoved) return this.last.answer;
    const answer = isMoved ? "no" : frames.some(([frame, place]) => mayBeUnder(frame, place)) ? "unsure" : "yes";
    this.last = { at: isMoved ? -Infinity : performance.now(), box: key, answer };
    return answer;
  },
};

/** The frame's element in the document around, where that is of the same origin.
 * @param {Window} view @returns {HTMLElement | null} */
function ownFrame(view) {
  try {
    return /** @type {HTMLElement | null} */ (view.frameElement);
  } catch {
    return null;
  }
}

/** The element around another in whatever document, out of shadow trees too.
 * @param {Element} element @returns {Element | null} */
function outerOf(element) {
  return element.assignedSlot ?? element.parentElement ?? /** @type {any} */ (element.getRootNode()).host ?? null;
}

/** Whether an element is drawn as it is: nothing around it makes it fainter, cuts, moves or blends it.
 * @param {Element} inner */
function isPlain(inner) {
  const view = inner.ownerDocument.defaultView;
  if (!view || inner.ownerDocument.visibilityState !== "visible" || isInTransition(inner.ownerDocument)) return false;
  for (let element = /** @type {Element | null} */ (inner); element; element = outerOf(element)) {
    const style = view.getComputedStyle(element);
    const moved = [style.transform, style.translate, style.rotate, style.scale, style.perspective, style.filter, style.clipPath, style.maskImage];
    if (moved.some((value) => value && value !== "none") || Number(style.opacity) < 0.98 || style.mixBlendMode !== "normal"
      || style.visibility !== "visible" || style.clip !== "auto" || !["", "1", "normal"].includes(style.zoom ?? "")) return false;
  }
  return true;
}

/** Whether pictures of the document are drawn over it, which no hit test finds.
 * @param {Document} place */
function isInTransition(place) {
  try {
    return place.documentElement.matches(":active-view-transition");
  } catch {
    return false; // a browser that has none
  }
}

/** Whether the frame is what is hit at a place, closely.
 * @param {Element} frame @param {{left: number, top: number, width: number, height: number}} box */
function isHit(frame, { left, top, width, height }) {
  const view = frame.ownerDocument.defaultView;
  if (!view || left < 0 || top < 0 || left + width > view.innerWidth || top + height > view.innerHeight) return false;
  for (let x = 0.02; x < 1; x += 0.16) {
    for (let y = 0.04; y < 1; y += 0.23) {
      let hit = frame.ownerDocument.elementFromPoint(left + width * x, top + height * y);
      for (let root = hit && shadowOf(hit); root; root = hit && shadowOf(hit)) {
        const inner = root.elementFromPoint(left + width * x, top + height * y);
        if (!inner || inner === hit) break;
        hit = inner;
      }
      if (hit !== frame) return false;
    }
  }
  return true;
}

/**
 * Whether a document may draw over a place what hit tests go through: what takes no pointer, the top layer, shadows and outlines.
 *
 * @param {Element} frame @param {{left: number, top: number, right: number, bottom: number}} box
 */
function mayBeUnder(frame, box) {
  const view = frame.ownerDocument.defaultView;
  const chain = new Set();
  for (let element = /** @type {Element | null} */ (frame); element; element = outerOf(element)) chain.add(element);
  let count = 0;
  let is = false;
  walk(frame.ownerDocument.documentElement, (element) => {
    if (is || !view) return;
    if (++count > Surroundings.most) return void (is = true);
    if (element.matches(":popover-open, :modal, :fullscreen") && !chain.has(element)) return void (is = true);
    const style = view.getComputedStyle(element);
    const hasGhost = ["::before", "::after"].some((name) => {
      const part = view.getComputedStyle(element, name);
      return part.content !== "none" && part.content !== "normal" && (part.pointerEvents === "none" || reachOf(part) > 0);
    });
    const [isGhost, reach] = [style.pointerEvents === "none", reachOf(style)];
    if (hasGhost || isGhost && !chain.has(element) || reach > 0) is = hasGhost || meets(element, isGhost, reach, box, chain.has(element));
  });
  return is;
}

/** How far outside of its box an element draws what is never hit, in pixels at most.
 * @param {CSSStyleDeclaration} style */
function reachOf(style) {
  const sum = (text) => (text.match(/[\d.]+px/g) ?? []).reduce((all, number) => all + Number.parseFloat(number), 0);
  let reach = 0;
  if (style.boxShadow !== "none") reach += sum(style.boxShadow);
  if (style.textShadow !== "none") reach += sum(style.textShadow);
  if (style.outlineStyle !== "none") reach += sum(style.outlineWidth) + sum(style.outlineOffset);
  if (style.filter !== "none") reach += /url\(/.test(style.filter) ? Infinity : 3 * sum(style.filter);
  if (style.borderImageSource !== "none") reach = Infinity;
  return reach;
}

/** @param {Element} element @param {boolean} isGhost @param {number} reach @param {{left: number, top: number, right: number, bottom: number}} box @param {boolean} isAround */
function meets(element, isGhost, reach, box, isAround) {
  const own = element.getBoundingClientRect();
  // What is around the place draws its shadow around it too.
  if (isAround && own.left <= box.left && own.top <= box.top && own.right >= box.right && own.bottom >= box.bottom) return false;
  const parts = [own];
  if (isGhost) {
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    parts.push(range.getBoundingClientRect());
  }
  return parts.some((part) => part.width + part.height + reach > 0 && part.left - reach < box.right && part.right + reach > box.left
    && part.top - reach < box.bottom && part.bottom + reach > box.top);
}
