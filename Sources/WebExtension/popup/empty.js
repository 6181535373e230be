// SPDX-License-Identifier: Apache-2.0
/** Replaces the content of the clipboard by a space: it cannot be emptied. */
const field = document.body.appendChild(document.createElement("textarea"));
field.value = " ";
field.select();
document.execCommand("copy");
