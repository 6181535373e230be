// SPDX-License-Identifier: Apache-2.0
/** Puts a blank in the place of what is in the clipboard: nothing at all cannot be put there. */
const field = document.body.appendChild(document.createElement("textarea"));
field.value = " ";
field.select();
document.execCommand("copy");
