// SPDX-License-Identifier: Apache-2.0
/** The mark in a field and the menu under it. The menu is a page of this extension in a frame; the page has no access to its content. */
"use strict";

const buttonStyle = {
  all: "unset", "box-sizing": "border-box", display: "grid", "place-items": "center", width: "20px", height: "20px", "border-radius": "5px",
  background: "#1f66e0", color: "#fff", font: "600 12px/20px system-ui, sans-serif", cursor: "pointer", "forced-color-adjust": "none",
};
const strongStyle = { width: "auto", padding: "0 7px", background: "#1b7a33", font: "600 11px/20px system-ui, sans-serif", "white-space": "nowrap" };
/** The size of the menu, in pixels: what its page needs, no more than this, and no more than there is space for. */
const menuSize = { width: 300, least: 40, unreported: 44, most: 420, gap: 4 };
/** The distance of the key from the end of its field, and the width of a field's text beside the badge, at least, in pixels. */
const margin = { end: 4, text: 90 };

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

/** A field's place and the size of the window.
 * @param {DOMRect} box */
function keyOf(box) {
  return [box.left, box.top, box.width, box.height, innerWidth, innerHeight].map((value) => value.toFixed(0)).join();
}

/** A left or top edge that is inside the window.
 * @param {number} edge @param {number} most */
function inside(edge, most) {
  return Math.max(menuSize.gap, Math.min(edge, most));
}

class Overlay {
  /** @param {HTMLInputElement} field @param {{onMark: () => void, onMoved: () => void, onGone: () => HTMLInputElement | null}} handlers */
  constructor(field, handlers) {
    this.field = field;
    this.handlers = handlers;
    this.mark = makeHost();
    this.button = document.createElement("button");
    this.button.append(keySign());
    dress(this.button, buttonStyle);
    this.button.setAttribute("aria-label", say("title"));
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
    /** @type {GuardedFrame | null} */
    this.menu = null;
    /** Whether the menu's page has reported its height. */
    this.isLoaded = false;
    this.reported = menuSize.unreported;
    holderOf(field).append(this.mark.host);
    raiseHost(this.mark.host);
    this.loop = this.follow.bind(this);
    /** Where the field was when the mark was placed, and when the menu was. */
    this.box = this.menuBox = "";
    this.hadFocus = true;
    // The mark is placed before anything is drawn, and after a menu that is opened at once.
    requestAnimationFrame(this.loop);
  }

  /** @param {string} token */
  open(token) {
    this.close();
    this.isLoaded = false;
    this.reported = menuSize.unreported;
    this.menu = new GuardedFrame(takeMenu(token, holderOf(this.field)), () => this.handlers.onMoved());
    this.menuBox = "";
    this.positionMenu(this.field.getBoundingClientRect());
  }

  get isOpen() {
    return this.menu !== null;
  }

  get frame() {
    return this.menu?.frame ?? null;
  }

  close() {
    if (this.menu) prepareSoon();
    this.menu?.remove();
    this.menu = null;
  }

  /** Reads out what the menu has.
   * @param {string} text */
  announce(text) {
    setTimeout(() => (this.live.textContent = text), 200);
  }

  /** Shows that the field has a strong password: with the badge, or with the key alone where the field is short. */
  markStrong() {
    dress(this.button, strongStyle);
    if (this.field.getBoundingClientRect().width >= this.badge() + margin.text) this.button.textContent = say("badge");
    else dress(this.button, { width: "20px", padding: "0" });
    this.box = "";
    this.updatePosition();
  }

  /** The width of the badge. */
  badge() {
    const key = [...this.button.childNodes];
    this.button.textContent = say("badge");
    const width = this.button.offsetWidth;
    this.button.replaceChildren(...key);
    return width;
  }

  remove() {
    this.close();
    if (this.popup === null) this.field.removeAttribute("aria-haspopup");
    else this.field.setAttribute("aria-haspopup", this.popup);
    this.mark.host.remove();
    this.isGone = true;
  }

  height(pixels) {
    this.isLoaded = true;
    this.reported = pixels;
    this.updatePosition();
  }

  /** In every animation frame: follows the field, and checks whether anything covers the menu, or another window had the focus. */
  follow() {
    if (this.isGone) return;
    if (!this.field.isConnected) this.field = this.handlers.onGone() ?? this.field;
    if (!this.field.isConnected || !this.mark.host.isConnected) return this.remove();
    this.updatePosition();
    this.menu?.check();
    const hasFocus = document.hasFocus();
    if (hasFocus && !this.hadFocus && this.menu) {
      this.menu.unobscuredSince = Infinity;
      this.handlers.onMoved();
    }
    this.hadFocus = hasFocus;
    requestAnimationFrame(this.loop);
  }

  updatePosition() {
    const box = this.field.getBoundingClientRect();
    this.positionMenu(box);
    const key = keyOf(box);
    if (key === this.box) return;
    this.box = key;
    const size = Math.min(20, box.height - 2);
    moveHost(this.mark.host, this.endOf(box, this.button.offsetWidth || size), box.top + (box.height - size) / 2);
  }

  /** @param {DOMRect} box of the field */
  positionMenu(box) {
    const key = `${keyOf(box)},${this.reported}`;
    const isAtPosition = this.menu?.isAtSetPosition() ?? true;
    if (!this.menu || key === this.menuBox && isAtPosition) return;
    this.menuBox = key;
    const { least, most, gap } = menuSize;
    // What does not fit beside the field is scrolled, and where there is no space beside it, the menu covers it: outside the window nothing could
    // be clicked.
    const space = Math.max(innerHeight - box.bottom, box.top) - 2 * gap;
    const width = Math.max(0, Math.min(menuSize.width, innerWidth - 2 * gap));
    const height = Math.max(0, Math.min(Math.max(least, Math.min(this.reported, most, space)), innerHeight - 2 * gap));
    // Read before anything is written: else the browser computes the styles once more before the menu is drawn.
    const { isRightToLeft } = this;
    dress(this.menu.frame, { width: `${width}px`, height: `${height}px` });
    const below = box.bottom + gap + height <= innerHeight || box.top < height + gap;
    const [left, top] = [isRightToLeft ? box.right - width : box.left, below ? box.bottom + gap : box.top - height - gap];
    const [x, y] = [inside(left, innerWidth - width - gap), inside(top, innerHeight - height - gap)];
    // Where it only grows at its end, as by a message in it, what the user aims at stays where it is.
    if (!isAtPosition || x !== this.menu.left || y !== this.menu.top) this.menu.put(x, y);
  }

  get isRightToLeft() {
    return getComputedStyle(this.field).direction === "rtl";
  }

  /** The left edge of something of this width at the end of the field's line, beside the page's own buttons there.
   * @param {DOMRect} box @param {number} width */
  endOf(box, width) {
    const isLeft = this.isRightToLeft;
    let left = isLeft ? box.left + margin.end : box.right - width - margin.end;
    for (let count = 0; count < 3; count++) {
      const middle = box.top + box.height / 2;
      const other = [left + 2, left + width / 2, left + width - 2].flatMap((x) => document.elementsFromPoint(x, middle).find((element) => !ownHosts.has(element)) ?? [])
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

  /** @returns {"yes" | "no" | "unsure"} whether the menu was unobscured for half a second */
  wasUnobscured() {
    return this.menu?.wasUnobscured() ?? "no";
  }
}
