// SPDX-License-Identifier: Apache-2.0
/** What this extension stores in this browser: read once, and followed, since each of its pages may change it. */

/** @typedef {{sites?: Record<string, import("./sites.js").Choice>, settings?: Partial<import("./settings.js").Settings>}} Stored */
/** @type {Promise<Stored> | undefined} */
let read;

/** @returns {Promise<Stored>} */
export function stored() {
  read ??= chrome.storage.local.get(["sites", "settings"]).catch((error) => {
    read = undefined;
    throw error;
  });
  return read;
}

/** @param {Stored} change */
export async function store(change) {
  await chrome.storage.local.set(change);
  note(change);
}

/** @param {Stored} change */
function note(change) {
  const before = read;
  read = before && before.then((all) => ({ ...all, ...change }));
}

chrome.storage.onChanged.addListener((changes, area) => {
  if (area !== "local") return;
  note(Object.fromEntries(Object.entries(changes).filter(([name]) => name === "sites" || name === "settings").map(([name, { newValue }]) => [name, newValue])));
});
