// SPDX-License-Identifier: Apache-2.0
/** Empties the clipboard a while after a password was copied. */

const NAME = "empty the clipboard";

/** Empties it in 45 seconds, also if this background has ended by then. */
export async function emptyLater() {
  await chrome.storage.session.set({ copied: 0 });
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

/** For how long, in milliseconds, the user's return to the browser empties it again. */
const returning = 300_000;

// Under Wayland, a program without the focus may not change the clipboard, and does not learn that: it is emptied again when a window of the browser
// has the focus. Nor can it read what is in there then: after a while that is another program's.
chrome.alarms.onAlarm.addListener(async ({ name }) => {
  if (name !== NAME) return;
  const hasFocus = (await chrome.windows.getAll()).some(({ focused }) => focused);
  await chrome.storage.session.set({ copied: hasFocus ? 0 : Date.now() });
  await empty();
});
chrome.windows.onFocusChanged.addListener(async (id) => {
  if (id === chrome.windows.WINDOW_ID_NONE) return;
  const { copied } = await chrome.storage.session.get("copied");
  if (!copied) return;
  await chrome.storage.session.set({ copied: 0 });
  if (Date.now() - copied > returning) return;
  await empty();
});
