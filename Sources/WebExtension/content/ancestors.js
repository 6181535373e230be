// SPDX-License-Identifier: Apache-2.0
/**
 * How the documents around this one draw it: for a browser that does not report to a frame whether it is visible. Ancestor documents
 * of this document's own origin can be inspected, frame by frame, up to the whole page.
 */
"use strict";

/** Whether this browser reports to the menu's own page what is drawn over it. */
const reportsVisibility = "IntersectionObserverEntry" in window && "isVisible" in IntersectionObserverEntry.prototype;

const Ancestors = {
  /** A document with more elements than this is not inspected to the end. */
  most: 4000,
  /** How long the inspection of a whole document is valid, in milliseconds. */
  age: 200,
  /** The last inspection of all elements around: its time, position and result. */
  last: { at: -Infinity, box: "", answer: /** @type {"yes" | "no" | "unsure"} */ ("unsure") },

  /**
   * Whether an area of this document is visible in the whole page: "unsure" where an ancestor document cannot be inspected, or may
   * draw something that hit tests miss.
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
      const area = new DOMRectReadOnly(left, top, width, height);
      const drawn = howDrawn(frame);
      if (drawn !== "yes") return drawn;
      if (!isHit(frame, area)) return "no";
      frames.push([frame, area]);
    }
    const key = JSON.stringify(frames.map(([, area]) => area));
    const isMoved = this.last.box !== key;
    if (performance.now() - this.last.at < this.age && !isMoved) return this.last.answer;
    const answer = isMoved ? "no" : frames.some(([frame, area]) => mayBeUnder(frame, area)) ? "unsure" : "yes";
    this.last = { at: isMoved ? -Infinity : performance.now(), box: key, answer };
    return answer;
  },
};

/** The frame's element in the parent document, if that has the same origin.
 * @param {Window} view @returns {HTMLElement | null} */
function ownFrame(view) {
  try {
    return /** @type {HTMLElement | null} */ (view.frameElement);
  } catch {
    return null;
  }
}

/** The parent of an element in any document, across shadow roots.
 * @param {Element} element @returns {Element | null} */
function outerOf(element) {
  return element.assignedSlot ?? element.parentElement ?? /** @type {any} */ (element.getRootNode()).host ?? null;
}

/** Whether an element is drawn unchanged: nothing around it fades, clips, moves or blends it. Where a `zoom` does, its place in the window cannot
 * be computed.
 * @param {Element} inner @returns {"yes" | "no" | "unsure"} */
function howDrawn(inner) {
  const view = inner.ownerDocument.defaultView;
  if (!view || inner.ownerDocument.visibilityState !== "visible" || isInTransition(inner.ownerDocument)) return "no";
  let isZoomed = false;
  for (let element = /** @type {Element | null} */ (inner); element; element = outerOf(element)) {
    const style = view.getComputedStyle(element);
    const moved = [style.transform, style.translate, style.rotate, style.scale, style.perspective, style.filter, style.clipPath, style.maskImage];
    if (moved.some((value) => value && value !== "none") || Number(style.opacity) < 0.98 || style.mixBlendMode !== "normal"
      || style.visibility !== "visible" || style.clip !== "auto") return "no";
    if (!["", "1", "normal"].includes(style.zoom ?? "")) isZoomed = true;
  }
  return isZoomed ? "unsure" : "yes";
}

/** Whether a view transition draws pictures over the document, which hit tests miss.
 * @param {Document} page */
function isInTransition(page) {
  try {
    return page.documentElement.matches(":active-view-transition");
  } catch {
    return false; // a browser without view transitions
  }
}

/** Whether hit tests in an area find the frame at every sampled point.
 * @param {Element} frame @param {{left: number, top: number, width: number, height: number}} box */
function isHit(frame, { left, top, width, height }) {
  const view = frame.ownerDocument.defaultView;
  if (!view || left < 0 || top < 0 || left + width > view.innerWidth || top + height > view.innerHeight) return false;
  for (let x = 0.02; x < 1; x += 0.16) {
    for (let y = 0.04; y < 1; y += 0.23) {
      if (hitAt(frame.ownerDocument, left + width * x, top + height * y, frame) !== frame) return false;
    }
  }
  return true;
}

/**
 * Whether a document may draw something over an area that hit tests miss: elements without pointer events, the top layer, shadows and
 * outlines.
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
    if (++count > Ancestors.most) return void (is = true);
    if (element.matches(":popover-open, :modal, :fullscreen") && !chain.has(element)) return void (is = true);
    const style = view.getComputedStyle(element);
    const hasGhost = ["::before", "::after"].some((name) => {
      const ghost = view.getComputedStyle(element, name);
      return ghost.content !== "none" && ghost.content !== "normal" && (ghost.pointerEvents === "none" || extentOf(ghost) > 0);
    });
    const [isGhost, extent] = [style.pointerEvents === "none", extentOf(style)];
    if (hasGhost || isGhost && !chain.has(element) || extent > 0) is = hasGhost || meets(element, isGhost, extent, box, chain.has(element));
  });
  return is;
}

/** How far outside its box an element draws where hit tests miss it, in pixels at most.
 * @param {CSSStyleDeclaration} style */
function extentOf(style) {
  const sum = (text) => (text.match(/[\d.]+px/g) ?? []).reduce((all, number) => all + Number.parseFloat(number), 0);
  let extent = 0;
  if (style.boxShadow !== "none") extent += sum(style.boxShadow);
  if (style.textShadow !== "none") extent += sum(style.textShadow);
  if (style.outlineStyle !== "none") extent += sum(style.outlineWidth) + sum(style.outlineOffset);
  if (style.filter !== "none") extent += /url\(/.test(style.filter) ? Infinity : 3 * sum(style.filter);
  if (style.borderImageSource !== "none") extent = Infinity;
  return extent;
}

/** @param {Element} element @param {boolean} isGhost @param {number} extent @param {{left: number, top: number, right: number, bottom: number}} box @param {boolean} isAround */
function meets(element, isGhost, extent, box, isAround) {
  const own = element.getBoundingClientRect();
  // An element that contains the area draws its shadow around the area.
  if (isAround && own.left <= box.left && own.top <= box.top && own.right >= box.right && own.bottom >= box.bottom) return false;
  const boxes = [own];
  if (isGhost) {
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    boxes.push(range.getBoundingClientRect());
  }
  return boxes.some((drawn) => drawn.width + drawn.height + extent > 0 && drawn.left - extent < box.right && drawn.right + extent > box.left
    && drawn.top - extent < box.bottom && drawn.bottom + extent > box.top);
}
