// SPDX-License-Identifier: Apache-2.0
/** Lists the sites for which the user has set a choice. */
import { ask, element } from "../popup/connection.js";

const list = /** @type {HTMLElement} */ (document.getElementById("sites"));

async function show() {
  const sites = Object.entries((await ask("choices")).result);
  list.replaceChildren(...sites.map(([host, { off, neverSave }]) => element("li", {},
    element("span", {}, host), element("span", { className: "soft" }, [off && "off", neverSave && "never save"].filter(Boolean).join(", ")),
    element("button", { onclick: async () => { await ask("choice", { origin: host, change: { off: false, neverSave: false } }); await show(); } }, "Forget"))));
  if (sites.length === 0) list.append(element("li", { className: "soft" }, "Nothing is set."));
}

await show();
