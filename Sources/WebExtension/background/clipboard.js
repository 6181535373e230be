// SPDX-License-Identifier: Apache-2.0
/** Empties the clipboard a while after a password was copied. */

const NAME = "empty the clipboard";

/** In 45 seconds: also where this background has ended meanwhile. */
export function emptyLater() {
  return chrome.alarms.create(NAME, { delayInMinutes: 0.75 });
}

chrome.alarms.onAlarm.addListener(async ({ name }) => {
  if (name !== NAME) return;
  // A worker has no clipboard: a page that nobody sees has one.
  if (!chrome.offscreen) return navigator.clipboard.writeText("");
  await chrome.offscreen.createDocument({
    url: "popup/empty.html", reasons: ["CLIPBOARD"], justification: "A password that was copied is taken out of the clipboard again.",
  });
  await chrome.offscreen.closeDocument();
});
