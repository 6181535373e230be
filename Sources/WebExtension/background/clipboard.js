// SPDX-License-Identifier: Apache-2.0
/** Empties the clipboard a while after a password was copied. */

const NAME = "empty the clipboard";

/** Empties it in 45 seconds, also if this background has ended by then. */
export function emptyLater() {
  return chrome.alarms.create(NAME, { delayInMinutes: 0.75 });
}

chrome.alarms.onAlarm.addListener(async ({ name }) => {
  if (name !== NAME) return;
  // A worker has no clipboard; an offscreen page has one.
  if (!chrome.offscreen) return navigator.clipboard.writeText("");
  await chrome.offscreen.createDocument({
    url: "popup/empty.html", reasons: ["CLIPBOARD"], justification: "Removes a copied password from the clipboard.",
  });
  await chrome.offscreen.closeDocument();
});
