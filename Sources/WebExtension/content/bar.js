// SPDX-License-Identifier: Apache-2.0
/**
 * The bar that asks whether a password is saved: a page of this extension in a frame at the top of the whole page. Each document of the
 * tab gets one as long as the question is open.
 */
"use strict";

const barSize = { width: 380, height: 60, gap: 12 };
/** How long its page may take to load, in milliseconds: some pages block foreign frames. */
const barPatience = 5000;

class Bar {
  /** @type {Bar | null} */
  static shown = null;

  /** Answers a message of the background, where this is the whole page.
   * @param {{type: string, token?: string | null, height?: number}} message */
  static receive({ type, token, height }) {
    const { shown } = Bar;
    switch (type) {
      case "bar":
        if (!token) return shown?.remove();
        if (shown?.frame.isConnected) return { token: shown.token };
        Bar.shown = new Bar(token);
        return { token };
      case "barHeight": return shown?.setHeight(Number(height));
      case "barUnobscured": return shown?.guarded.wasUnobscured() ?? "no";
    }
  }

  /** @param {string} token the name of its page */
  constructor(token) {
    this.token = token;
    this.frame = document.createElement("iframe");
    this.frame.src = `${chrome.runtime.getURL("bar/bar.html")}#${token}`;
    this.frame.title = say("title");
    dress(this.frame, { ...frameStyle, height: `${barSize.height}px` });
    const { host, shadow } = makeHost();
    shadow.append(this.frame);
    /** The dialogs from which the page has removed it.
     * @type {WeakSet<Element>} */
    this.left = new WeakSet();
    this.holder = holderOfBar(topLayer(), null, this.left);
    this.holder.append(host);
    this.guarded = new GuardedFrame({ host, frame: this.frame }, () => {});
    this.outer = 0;
    this.wasMoved = false;
    this.isLoaded = false;
    this.loop = this.follow.bind(this);
    this.follow();
    setTimeout(() => { if (!this.isLoaded) this.remove(); }, barPatience);
  }

  setHeight(pixels) {
    this.isLoaded = true;
    dress(this.frame, { height: `${Math.max(40, Math.min(pixels, 420))}px` });
  }

  remove() {
    this.guarded.remove();
    if (Bar.shown === this) Bar.shown = null;
  }

  /** A modal dialog was opened or closed: goes where it can be clicked. Where the page has removed it with what a dialog contains, or the
   * dialog, its page is loaded again.
   * @param {Set<Element>} others the top layer */
  move(others) {
    const { guarded: { host }, holder } = this;
    const root = document.documentElement;
    if (!host.isConnected) {
      // A page that removes it from its root removes it for good.
      if (holder === root) return;
      this.left.add(holder);
    }
    const next = holderOfBar(others, holder, this.left);
    if (next === holder && host.isConnected) return;
    this.holder = next;
    try {
      if (next.moveBefore && host.isConnected) next.moveBefore(host, null);
      else next.append(host);
    } catch {
      // One of both is being removed.
    }
    if (host.isConnected) this.guarded.raise();
    // Chromium determines what covers a frame that was moved only once its size changes.
    dress(this.frame, { width: `${barSize.width - 1}px` });
    this.wasMoved = true;
  }

  /** In every animation frame: stays at the page's top, and checks whether anything covers it. */
  follow() {
    if (this.wasMoved) [this.wasMoved, this.outer] = [false, 0];
    // Searched once a frame.
    const others = topLayer();
    this.move(others);
    if (!this.guarded.host.isConnected) return this.remove();
    const outer = document.documentElement.clientWidth || innerWidth;
    if (outer !== this.outer || !this.guarded.isAtSetPosition()) {
      this.outer = outer;
      const width = Math.min(barSize.width, outer - 2 * barSize.gap);
      dress(this.frame, { width: `${width}px` });
      const isLeft = chrome.i18n.getMessage("@@bidi_dir") === "rtl";
      this.guarded.put(isLeft ? barSize.gap : outer - width - barSize.gap, barSize.gap);
    }
    this.guarded.check(others);
    requestAnimationFrame(this.loop);
  }
}

/** Where the bar can be clicked: in the modal dialog that has the focus, else where it is, or in the last one of the document.
 * @param {Set<Element>} others the top layer @param {Element | null} present @param {WeakSet<Element>} left those that it stays out of
 * @returns {Element} */
function holderOfBar(others, present, left) {
  const dialogs = [...others].filter((element) => element.matches("dialog:modal") && !left.has(element));
  const focused = focusedElement();
  return dialogs.filter((dialog) => focused && contains(dialog, focused)).at(-1) ?? dialogs.find((dialog) => dialog === present) ?? dialogs.at(-1)
    ?? document.documentElement;
}

// A page that the history shows again asks nothing.
addEventListener("pagehide", () => Bar.shown?.remove());
