// SPDX-License-Identifier: Apache-2.0
/**
 * The user's settings of this extension, for all sites: stored in this browser only. They contain no secret.
 *
 * @typedef {{ask: "bar" | "toolbar" | "never", isManual: boolean, theme: "system" | "light" | "dark"}} Settings
 *   `ask`: where the user is asked whether a typed password is saved; `isManual`: the menu opens by a key or a click on the mark only
 */

import { store, stored } from "./stored.js";

/** @returns {Promise<Settings>} */
export async function settings() {
  return { ask: "bar", isManual: false, theme: "system", ...(await stored()).settings };
}

/** @param {Partial<Settings>} change */
export async function setSettings(change) {
  await store({ settings: { ...(await settings()), ...change } });
}
