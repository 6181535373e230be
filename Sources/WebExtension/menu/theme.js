// SPDX-License-Identifier: Apache-2.0
/** Applies the theme that the user has chosen, in each page of this extension: without a choice it is that of the system. */
"use strict";

/** @param {Record<string, any>} stored */
function applyTheme(stored) {
  const theme = stored.settings?.theme;
  document.documentElement.classList.toggle("light", theme === "light");
  document.documentElement.classList.toggle("dark", theme === "dark");
}
chrome.storage.local.get("settings").then(applyTheme);
chrome.storage.onChanged.addListener(({ settings }) => { if (settings) applyTheme({ settings: settings.newValue }); });
