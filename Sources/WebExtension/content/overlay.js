// SPDX-License-Identifier: Apache-2.0
/**
 * The mark in a field and the menu under it: in a closed shadow tree, in the top layer. The menu is a page of this extension in
 * a frame; the page has no access to its content.
 */
"use strict";

/** A page may write to our elements' attributes: `!important` inside a shadow tree overrides `!important` outside. */
const hostStyle = {
  all: "initial", position: "fixed", inset: "auto", margin: "0", padding: "0", border: "0", background: "none", overflow: "visible",
  width: "auto", height: "auto", "max-width": "none", "max-height": "none", opacity: "1", visibility: "visible", filter: "none",
  transform: "none", "clip-path": "none", "mask-image": "none", "mix-blend-mode": "normal", "pointer-events": "auto", "z-index": "2147483647",
};
const buttonStyle = {
  all: "unset", "box-sizing": "border-box", display: "grid", "place-items": "center", width: "20px", height: "20px", "border-radius": "5px",
  background: "#1f66e0", color: "#fff", font: "600 12px/20px system-ui, sans-serif", cursor: "pointer", "forced-color-adjust": "none",
};
const strongStyle = { width: "auto", padding: "0 7px", background: "#1b7a33", font: "600 11px/20px system-ui, sans-serif", "white-space": "nowrap" };
/** The distance of the key from the end of its field, and the width of a field's text beside the badge, at least, in pixels. */
const margin = { end: 4, text: 90 };
const frameStyle = { display: "block", border: "0", width: "300px", height: "44px", "border-radius": "10px", "box-shadow": "0 6px 24px #0006", "color-scheme": "normal" };

/** Sets properties in a way that no content policy of the page restricts.
 * @param {HTMLElement} element @param {Record<string, string>} properties */
function dress(element, properties) {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, "important");
}

/** The drawing of a key, since fonts may lack the character. */
function keySign() {
  const space = "http://www.w3.org/2000/svg";
  const sign = document.createElementNS(space, "svg");
  for (const [name, value] of [["viewBox", "0 0 16 16"], ["width", "14"], ["height", "14"], ["aria-hidden", "true"]]) sign.setAttribute(name, value);
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", "M5 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6M7.8 8H14v2.4M11.4 8v2");
  for (const [name, value] of [["fill", "none"], ["stroke", "#fff"], ["stroke-width", "1.6"]]) path.setAttribute(name, value);
  sign.append(path);
  return sign;
}

class Overlay {
  /** @param {HTMLInputElement} field @param {{onMark: () => void, onMoved: () => void, onGone: () => HTMLInputElement | null}} handlers */
  constructor(field, handlers) {
    this.field = field;
    this.handlers = handlers;
    this.mark = Overlay.host();
    this.button = document.createElement("button");
    this.button.append(keySign());
    dress(this.button, buttonStyle);
    this.button.setAttribute("aria-label", "Passwords");
    this.button.setAttribute("aria-haspopup", "menu");
    /** Read out where the field has the focus: a menu is there. */
    this.live = document.createElement("div");
    this.live.setAttribute("role", "status");
    dress(this.live, { position: "absolute", width: "1px", height: "1px", overflow: "hidden", "clip-path": "inset(50%)", "white-space": "nowrap" });
    this.popup = field.getAttribute("aria-haspopup");
    field.setAttribute("aria-haspopup", "menu");
    this.button.addEventListener("mousedown", (event) => event.preventDefault());
    this.button.addEventListener("click", (event) => event.isTrusted && handlers.onMark());
    this.mark.shadow.append(this.button, this.live);
    /** @type {{host: HTMLElement, shadow: ShadowRoot} | null} */
    this.menu = null;
    /** @type {HTMLIFrameElement | null} */
    this.frame = null;
    this.unobscuredSince = Infinity;
    this.left = 0;
    this.top = 0;
    /** The other elements of the top layer when the menu was raised.
     * @type {Set<Element>} */
    this.others = new Set();
    document.documentElement.append(this.mark.host);
    Overlay.raise(this.mark.host);
    this.loop = this.follow.bind(this);
    // An element that is removed from the top layer and added again covers the menu.
    this.toggled = (event) => {
      if (this.menu && event.target !== this.menu.host && event.target !== this.mark.host) {
        this.raiseMenu();
        this.handlers.onMoved();
      }
    };
    document.addEventListener("toggle", this.toggled, true);
    this.box = "";
    this.follow();
  }

  static host() {
    const host = document.createElement("div");
    host.popover = "manual";
    const shadow = host.attachShadow({ mode: "closed" });
    const style = document.createElement("style");
    // The attribute sets the position; `follow` restores it in every frame.
    const kept = Object.entries(hostStyle).filter(([name]) => name !== "all" && name !== "inset");
    style.textContent = `:host { ${kept.map(([name, value]) => `${name}: ${value} !important`).join("; ")} }
      :host(:not(:popover-open)) { display: none !important }`;
    shadow.append(style);
    dress(host, hostStyle);
    return { host, shadow };
  }

  static raise(host) {
    try {
      if (host.matches(":popover-open")) host.hidePopover();
      host.showPopover();
    } catch {
      // The page has removed it: it is added again at the next focus.
    }
  }

  /** @param {string} token */
  open(token) {
    this.close();
    const { host, shadow, frame } = takeMenu(token);
    this.menu = { host, shadow };
    this.frame = frame;
    this.token = token;
    this.raiseMenu();
    this.box = "";
    this.updatePosition();
  }

  /** Raises the menu above everything else in the top layer, and records the other elements. */
  raiseMenu() {
    if (!this.menu) return;
    Overlay.raise(this.menu.host);
    this.others = topLayer(this.menu.host);
    this.unobscuredSince = Infinity;
  }

  get isOpen() {
    return this.menu !== null;
  }

  close() {
    if (this.menu) prepareSoon();
    this.menu?.host.remove();
    this.menu = null;
    this.frame = null;
    this.unobscuredSince = Infinity;
  }

  /** Reads out what the menu has.
   * @param {string} text */
  announce(text) {
    setTimeout(() => (this.live.textContent = text), 200);
  }

  /** Shows that the field has a strong password: with the badge, or with the key alone where the field is short. */
  markStrong() {
    dress(this.button, strongStyle);
    if (this.field.getBoundingClientRect().width >= this.badge() + margin.text) this.button.textContent = "Strong Password";
    else dress(this.button, { width: "20px", padding: "0" });
    this.box = "";
    this.updatePosition();
  }

  /** The width of the badge. */
  badge() {
    const key = [...this.button.childNodes];
    this.button.textContent = "Strong Password";
    const width = this.button.offsetWidth;
    this.button.replaceChildren(...key);
    return width;
  }

  remove() {
    this.close();
    if (this.popup === null) this.field.removeAttribute("aria-haspopup");
    else this.field.setAttribute("aria-haspopup", this.popup);
    this.mark.host.remove();
    document.removeEventListener("toggle", this.toggled, true);
    this.isGone = true;
  }

  height(pixels) {
    if (this.frame) dress(this.frame, { height: `${Math.max(40, Math.min(pixels, 420))}px` });
    this.box = "";
  }

  /** In every animation frame: follows the field, and checks whether anything covers the menu. */
  follow() {
    if (this.isGone) return;
    if (!this.field.isConnected) this.field = this.handlers.onGone() ?? this.field;
    if (!this.field.isConnected || !this.mark.host.isConnected) return this.remove();
    this.updatePosition();
    if (this.menu) {
      const others = topLayer(this.menu.host);
      if ([...others].some((other) => !this.others.has(other))) {
        this.raiseMenu();
        this.handlers.onMoved();
      }
      if (!this.frameIsOnTop() || !reportsVisibility && this.around() === "no") this.unobscuredSince = Infinity;
      else if (this.unobscuredSince === Infinity) this.unobscuredSince = performance.now();
    }
    requestAnimationFrame(this.loop);
  }

  updatePosition() {
    const box = this.field.getBoundingClientRect();
    const key = [box.left, box.top, box.width, box.height, this.frame?.style.height].map((value) => Number.parseFloat(String(value)).toFixed(0)).join();
    if (key === this.box && this.isAtSetPosition()) return;
    this.box = key;
    const size = Math.min(20, box.height - 2);
    Overlay.put(this.mark.host, this.endOf(box, this.button.offsetWidth || size), box.top + (box.height - size) / 2);
    if (this.menu) {
      const height = Number.parseFloat(this.frame?.style.height ?? "44");
      const below = box.bottom + 4 + height <= innerHeight || box.top < height + 4;
      this.left = Math.max(4, Math.min(this.isRightToLeft ? box.right - 300 : box.left, innerWidth - 304));
      this.top = below ? box.bottom + 4 : box.top - height - 4;
      if (!this.isAtSetPosition()) dress(this.menu.host, hostStyle);
      Overlay.put(this.menu.host, this.left, this.top);
      this.unobscuredSince = Infinity;
      this.handlers.onMoved();
    }
  }

  get isRightToLeft() {
    return getComputedStyle(this.field).direction === "rtl";
  }

  /** The left edge of something of this width at the end of the field's line, beside the page's own buttons there.
   * @param {DOMRect} box @param {number} width */
  endOf(box, width) {
    const isLeft = this.isRightToLeft;
    let left = isLeft ? box.left + margin.end : box.right - width - margin.end;
    const own = /** @type {Set<Element | undefined>} */ (new Set([this.mark.host, this.menu?.host]));
    for (let count = 0; count < 3; count++) {
      const middle = box.top + box.height / 2;
      const other = [left + 2, left + width / 2, left + width - 2].flatMap((x) => document.elementsFromPoint(x, middle).find((element) => !own.has(element)) ?? [])
        .find((element) => element !== this.field && !contains(element, this.field) && !element.matches("label, legend"));
      const button = other?.closest("button, a, [role=button], [tabindex]") ?? other;
      const edge = button?.getBoundingClientRect();
      if (!edge || edge.width > box.width / 2) break;
      const next = isLeft ? edge.right + margin.end : edge.left - width - margin.end;
      if (next < box.left || next + width > box.right) break;
      left = next;
    }
    return Math.max(0, Math.min(left, innerWidth - width));
  }

  static put(host, left, top) {
    dress(host, { left: `${left}px`, top: `${top}px` });
  }

  /** Whether the menu is where it was put: the page has not moved it. */
  isAtSetPosition() {
    if (!this.menu || !this.frame) return true;
    const { x, y } = this.frame.getBoundingClientRect();
    return Math.abs(x - this.left) < 1 && Math.abs(y - this.top) < 1;
  }

  /** Whether nothing covers the menu, as far as this document can determine. */
  frameIsOnTop() {
    if (!this.menu || !this.frame) return false;
    const host = this.menu.host;
    if (!host.matches(":popover-open") || isInTransition(document)) return false;
    const box = this.frame.getBoundingClientRect();
    if (box.width < 200 || box.height < 30 || box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) return false;
    for (const x of [0.05, 0.5, 0.95]) {
      for (const y of [0.1, 0.5, 0.9]) {
        const hit = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
        if (hit !== host) return false;
      }
    }
    for (let element = /** @type {Element | null} */ (host); element; element = element.parentElement) {
      const style = getComputedStyle(element);
      if (Number(style.opacity) < 0.98 || style.filter !== "none" || style.clipPath !== "none" || style.transform !== "none"
        || style.mixBlendMode !== "normal" || style.maskImage !== "none" || style.visibility !== "visible") return false;
    }
    return true;
  }

  /** Whether the menu is visible in the documents around this one.
   * @returns {"yes" | "no" | "unsure"} */
  around() {
    return this.frame ? Ancestors.show(this.frame.getBoundingClientRect()) : "no";
  }

  /** @returns {"yes" | "no" | "unsure"} whether the menu was unobscured for half a second; "unsure" where this document cannot determine it */
  wasUnobscured() {
    if (!this.menu) return "no";
    const around = this.around();
    if (around === "unsure") return "unsure";
    if (around === "no" || !this.frameIsOnTop() || performance.now() - this.unobscuredSince < 500) return "no";
    // Hit tests miss elements without pointer events: only an element that contains the field is certainly below the menu.
    for (const other of topLayer(this.menu.host, 0)) {
      if (!this.others.has(other)) return "no";
      if (other !== this.mark.host && !contains(other, this.field)) return "unsure";
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
 * @param {Element} own @param {number} age the maximum age of the cached shadow roots, in milliseconds @returns {Set<Element>}
 */
function topLayer(own, age = 250) {
  const found = new Set();
  const collect = (root) => {
    for (const element of root.querySelectorAll(":popover-open, :modal, :fullscreen")) if (element !== own) found.add(element);
  };
  collect(document);
  for (const root of shadowRoots(age)) collect(root);
  return found;
}

/** @type {{at: number, roots: WeakRef<ShadowRoot>[]}} */
let shadows = { at: -Infinity, roots: [] };

/** @param {number} age */
function shadowRoots(age) {
  if (performance.now() - shadows.at >= age) {
    const roots = [];
    walk(document.documentElement, (element) => {
      const root = shadowOf(element);
      if (root) roots.push(new WeakRef(root));
    });
    shadows = { at: performance.now(), roots };
  }
  return shadows.roots.map((root) => root.deref()).filter((root) => root !== undefined);
}
