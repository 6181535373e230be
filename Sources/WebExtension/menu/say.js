// SPDX-License-Identifier: Apache-2.0
/** The texts of this extension in the user's language, for documents and the pages in their frames. */
"use strict";

/** A text; what is put into it keeps its own direction.
 * @param {string} name @param {string[]} values */
function say(name, ...values) {
  return chrome.i18n.getMessage(name, values.map((value) => `\u2068${value}\u2069`));
}
