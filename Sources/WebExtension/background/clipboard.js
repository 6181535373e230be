// SPDX-License-Identifier: Apache-2.0
/** Empties the clipboard a while after a password was copied. */

const NAME = "empty the clipboard";

/** Empties it in 45 seconds, also if this background has ended by then. */
export async function emptyLater() {
  await chrome.storage.session.set({ isCopied: false });
  await chrome.alarms.create(NAME, { delayInMinutes: 0.75 });
}

async function empty() {
  // A worker has no clipboard; an offscreen page has one.
  if (!chrome.offscreen) return navigator.clipboard.writeText("");
  await chrome.offscreen.createDocument({
    url: "popup/empty.html", reasons: ["CLIPBOARD"], justification: "Removes a copied password from the clipboard.",
  });
  await chrome.offscreen.closeDocument();
}

// Under Wayland, a program without the focus may not change the clipboard, and does not learn that: it is emptied again when a window of the browser
// has the focus. Nor can it read what is in there then.
chrome.alarms.onAlarm.addListener(async ({ name }) => {
  if (name !== NAME) return;
  const isCopied = !(await chrome.windows.getAll()).some(({ focused }) => focused);
  await chrome.storage.session.set({ isCopied });
  await empty();
});
chrome.windows.onFocusChanged.addListener(async (id) => {
  if (id === chrome.windows.WINDOW_ID_NONE || !(await chrome.storage.session.get("isCopied")).isCopied) return;
  await chrome.storage.session.set({ isCopied: false });
  await empty();
});
