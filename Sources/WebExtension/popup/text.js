// SPDX-License-Identifier: Apache-2.0
/** Texts with commands for a terminal, each with a button that copies it; the clipboard. */
import { element, say } from "./connection.js";

/** @param {string} text */
export async function put(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A prompt of the daemon has the focus.
    const field = document.body.appendChild(document.createElement("textarea"));
    field.value = text;
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/** A command in a sentence: to its end, or that of the part of the sentence. */
const command = /\b(?:autofillctl [a-z]|(?:sudo )?(?:systemctl|journalctl) )[^\u2069]*?(?=\u2069|[.;:]? ?$|[.;] | \(|, and )/;

/** The parts of a text: each command is copied by a button.
 * @param {string} text @returns {(Node | string)[]} */
export function withCommands(text) {
  const found = command.exec(text)?.[0];
  if (!found) return [text];
  const [before, after] = [text.slice(0, text.indexOf(found)), text.slice(text.indexOf(found) + found.length)];
  const button = element("button", { className: "copyCommand", title: found, onclick: async () => {
    await put(found);
    button.textContent = say("copied");
  } }, say("copy"));
  return [before, element("code", { dir: "ltr" }, found), " ", button, ...withCommands(after)];
}

/** Paragraphs of reasons and their fixes.
 * @param {{message: string, fix: string}[]} reasons */
export function why(reasons) {
  return reasons.flatMap(({ message, fix }) => [element("p", {}, message), element("p", { className: "fix" }, ...withCommands(fix))]);
}
