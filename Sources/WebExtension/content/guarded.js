// SPDX-License-Identifier: Apache-2.0
/**
 * A frame with a page of this extension, in a closed shadow tree in the top layer, and whether the page around it lets the user see
 * it: the menu and the bar.
 */
"use strict";

/** A page may write to our elements' attributes: `!important` inside a shadow tree overrides `!important` outside. */
const hostStyle = {
  all: "initial", position: "fixed", inset: "auto", margin: "0", padding: "0", border: "0", background: "none", overflow: "visible",
  width: "auto", height: "auto", "max-width": "none", "max-height": "none", opacity: "1", visibility: "visible", filter: "none",
  transform: "none", scale: "none", translate: "none", rotate: "none", perspective: "none", "offset-path": "none",
  "clip-path": "none", "mask-image": "none", "mix-blend-mode": "normal", "pointer-events": "auto", "z-index": "2147483647",
};
/** What is smaller is not seen, in pixels. */
const leastDrawn = { width: 100, height: 30 };
const frameStyle = { display: "block", border: "0", width: "300px", height: "44px", "border-radius": "10px", "box-shadow": "0 6px 24px #0006", "color-scheme": "normal" };

/** Sets properties in a way that no content policy of the page restricts.
 * @param {HTMLElement} element @param {Record<string, string>} properties */
function dress(element, properties) {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, "important");
}

/** Our own elements in the top layer: they do not raise themselves above each other.
 * @type {WeakSet<Element>} */
const ownHosts = new WeakSet();

/** An element for the top layer, with a closed shadow tree.
 * @param {string} [unopened] how what is in it is drawn before it is opened: without it, it is not laid out */
function makeHost(unopened = "") {
  const host = document.createElement("div");
  host.popover = "manual";
  const shadow = host.attachShadow({ mode: "closed" });
  const style = document.createElement("style");
  // The attribute sets the position; it is restored in every animation frame.
  const kept = Object.entries(hostStyle).filter(([name]) => name !== "all" && name !== "inset");
  style.textContent = `:host { ${kept.map(([name, value]) => `${name}: ${value} !important`).join("; ")} }
    :host(:not(:popover-open)) { display: none !important } ${unopened}`;
  shadow.append(style);
  dress(host, hostStyle);
  ownHosts.add(host);
  return { host, shadow };
}

/** @param {HTMLElement} host */
function raiseHost(host) {
  try {
    if (host.matches(":popover-open")) host.hidePopover();
    host.showPopover();
  } catch {
    // The page has removed it.
  }
}

/** Where our elements for a field are added: outside a modal dialog nothing can be clicked, or get the focus.
 * @param {Element} field @returns {Element} */
function holderOf(field) {
  for (let element = around(field); element; element = around(element)) if (element.matches("dialog:modal")) return element;
  return document.documentElement;
}

/** Places it in the window, in its own size: a `zoom` of the elements around it would move and scale it.
 * @param {HTMLElement} host @param {number} left @param {number} top */
function moveHost(host, left, top) {
  dress(host, { zoom: String(1 / (around(host)?.currentCSSZoom ?? 1)), left: `${left}px`, top: `${top}px` });
}

class GuardedFrame {
  /** @param {{host: HTMLElement, frame: HTMLIFrameElement}} made @param {() => void} onMoved called when the user may see something else there */
  constructor({ host, frame }, onMoved) {
    this.host = host;
    this.frame = frame;
    this.onMoved = onMoved;
    this.unobscuredSince = Infinity;
    this.left = 0;
    this.top = 0;
    /** The other elements of the top layer when it was raised.
     * @type {Set<Element>} */
    this.others = new Set();
    // An element that is removed from the top layer and added again covers it.
    this.toggled = (event) => {
      if (ownHosts.has(event.target)) return;
      this.raise();
      this.onMoved();
    };
    document.addEventListener("toggle", this.toggled, true);
    // A page can stop that event, and it does not leave a shadow tree: this it cannot stop.
    this.reopened = new MutationObserver(() => this.toggled({ target: null }));
    this.raise();
  }

  /** Raises it above everything else in the top layer, and records the other elements. One in a shadow tree that is found later counts as
   * new. */
  raise() {
    raiseHost(this.host);
    this.reopened.disconnect();
    for (let element = around(this.host); element; element = around(element)) {
      if (element instanceof HTMLDialogElement) this.reopened.observe(element, { attributes: true, attributeFilter: ["open"] });
    }
    this.others = topLayer(1000);
    this.unobscuredSince = Infinity;
  }

  remove() {
    document.removeEventListener("toggle", this.toggled, true);
    this.reopened.disconnect();
    this.host.remove();
  }

  /** @param {number} left @param {number} top */
  put(left, top) {
    [this.left, this.top] = [left, top];
    if (!this.isAtSetPosition()) dress(this.host, hostStyle);
    moveHost(this.host, left, top);
    this.unobscuredSince = Infinity;
    this.onMoved();
  }

  /** In every animation frame: checks whether anything covers it.
   * @param {Set<Element>} others the top layer */
  check(others = topLayer()) {
    if ([...others].some((other) => !this.others.has(other))) {
      this.raise();
      this.onMoved();
    }
    if (!this.isOnTop() || !reportsVisibility && this.around() === "no") this.unobscuredSince = Infinity;
    else if (this.unobscuredSince === Infinity) this.unobscuredSince = performance.now();
  }

  /** Whether it is where it was put, in the size that was set: the page has neither moved nor scaled it. */
  isAtSetPosition() {
    const { x, y, width, height } = this.frame.getBoundingClientRect();
    const set = this.frame.style;
    return [x - this.left, y - this.top, width - Number.parseFloat(set.width), height - Number.parseFloat(set.height)].every((off) => Math.abs(off) < 1);
  }

  /** Whether nothing covers it, as far as this document can determine. */
  isOnTop() {
    const { host } = this;
    if (!host.matches(":popover-open") || isInTransition(document) || !this.isAtSetPosition()) return false;
    const box = this.frame.getBoundingClientRect();
    if (box.width < leastDrawn.width || box.height < leastDrawn.height || box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) return false;
    for (const x of [0.05, 0.5, 0.95]) {
      for (const y of [0.1, 0.5, 0.9]) {
        if (hitAt(document, box.left + box.width * x, box.top + box.height * y, host) !== host) return false;
      }
    }
    // A transform of a dialog around it, which many have for their place, does not apply to the top layer: it is in its own place.
    const isInDialog = host.parentElement?.matches("dialog:modal") === true;
    for (let element = /** @type {Element | null} */ (host); element; element = around(element)) {
      const style = getComputedStyle(element);
      const isMoved = style.transform !== "none" && !(isInDialog && element !== host);
      if (Number(style.opacity) < 0.98 || style.filter !== "none" || style.clipPath !== "none" || isMoved
        || style.mixBlendMode !== "normal" || style.maskImage !== "none" || style.visibility !== "visible") return false;
    }
    return true;
  }

  /** Whether an element of the top layer is certainly below it: a modal dialog around it, which `reopened` sees raised again. A popover is raised
   * again by nothing but an event, which a page can stop.
   * @param {Element} other */
  isBelow(other) {
    return other.matches("dialog:modal") && contains(other, this.host);
  }

  /** Whether it is visible in the documents around this one.
   * @returns {"yes" | "no" | "unsure"} */
  around() {
    return Ancestors.show(this.frame.getBoundingClientRect());
  }

  /** @returns {"yes" | "no" | "unsure"} whether it was unobscured for half a second; "unsure" where this document cannot determine it */
  wasUnobscured() {
    const around = this.around();
    if (around === "unsure") return "unsure";
    if (around === "no" || !this.isOnTop() || performance.now() - this.unobscuredSince < 500) return "no";
    // Hit tests miss elements without pointer events: only some elements are certainly below it.
    for (const other of topLayer(0)) {
      if (!this.others.has(other)) return "no";
      if (!this.isBelow(other)) return "unsure";
    }
    return "yes";
  }
}

/** Whether an element contains another, across shadow roots.
 * @param {Element} outer @param {Element} inner */
function contains(outer, inner) {
  for (let element = /** @type {Element | null} */ (inner); element; element = around(element)) if (element === outer) return true;
  return false;
}

/**
 * The elements of the top layer except ours, also in closed shadow trees.
 *
 * @param {number} age the maximum age of the cached shadow roots, in milliseconds @returns {Set<Element>}
 */
function topLayer(age = 250) {
  const found = new Set();
  const collect = (root) => {
    for (const element of root.querySelectorAll(":popover-open, :modal, :fullscreen")) if (!ownHosts.has(element)) found.add(element);
  };
  collect(document);
  for (const root of shadowRoots(age)) collect(root);
  return found;
}

/** What the last search of the document has found, when, and how long it took.
 * @type {{at: number, took: number, roots: WeakRef<ShadowRoot>[]}} */
let shadows = { at: -Infinity, took: 0, roots: [] };

/** All shadow roots. What searches in every animation frame, or after each change, searches a slow document for a twentieth of the time at most.
 * @param {number} age their maximum age, in milliseconds; with 0 they are those of this moment in any case
 * @param {number} rest how many times as long as the last search lasted there is no other */
function shadowRoots(age, rest = 20) {
  const began = performance.now();
  if (age === 0 || began - shadows.at >= Math.max(age, rest * shadows.took)) {
    const roots = [];
    walk(document.documentElement, (element) => {
      const root = shadowOf(element);
      if (root) roots.push(new WeakRef(root));
    });
    const at = performance.now();
    shadows = { at, took: at - began, roots };
  }
  return shadows.roots.map((root) => root.deref()).filter((root) => root !== undefined);
}
