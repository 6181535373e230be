// SPDX-License-Identifier: Apache-2.0
/** Lists the sites for which the user has set a choice. */
import { ask, element, say, translate } from "../popup/connection.js";

translate("options");
const list = /** @type {HTMLElement} */ (document.getElementById("sites"));

async function show() {
  const sites = Object.entries((await ask("choices")).result);
  list.replaceChildren(...sites.map(([host, { off, neverSave }]) => element("li", {},
    element("span", {}, host), element("span", { className: "soft" }, [off && say("siteOff"), neverSave && say("siteNever")].filter(Boolean).join(", ")),
    element("button", { onclick: async () => { await ask("choice", { origin: host, change: { off: false, neverSave: false } }); await show(); } }, say("forget")))));
  if (sites.length === 0) list.append(element("li", { className: "soft" }, say("noneSet")));
}

await show();
