// SPDX-License-Identifier: Apache-2.0
/**
 * Saves a password that a site has accepted, and undoes that: only what the save itself has made or replaced, and only while nothing
 * else has changed it. What is written without the daemon's prompt is decided by the daemon alone.
 *
 * @typedef {"delete" | "restore"} Way whether the account was new, or its password was replaced
 * @typedef {{credential: string, version: string, way: Way}} Undo how a save is undone: the account, as the save has left it
 * @typedef {{result: "saved" | "updated", undo?: Undo}} Saved nothing can be undone where nothing was changed, or it is not known what
 * @typedef {{credential: string, user: string, version: string, created: string, modified: string}} Account
 * @typedef {import("./submissions.js").Submission} Submission
 */
import { Refused, call } from "./host.js";
import * as sent from "./sent.js";
import { withTyped } from "./username.js";

/** @param {Submission} submission @returns {import("./host.js").Sender} */
const siteOf = ({ origin, topOrigin }) => ({ origin, topOrigin });

/** The accounts of the site that this browser may see without a prompt; undefined where it may see none.
 * @param {Submission} submission @returns {Promise<Account[] | undefined>} */
export async function accounts(submission) {
  try {
    return (await call("list", siteOf(submission), { limit: 100, interaction: "forbid" })).credentials;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return undefined;
  }
}

/** Saves without a question of the daemon's where it may be so, and else with one.
 * @param {Submission} submission @param {string[]} users those that the browser could see before @param {string | undefined} user
 * @returns {Promise<Saved>} rejects with Refused */
export async function save(submission, users, user) {
  // The daemon would take the name of another form for it.
  if (!user && submission.isGuess) throw refusal("userMissing");
  const form = user ? withTyped(submission.form, user, submission.user) : submission.form;
  const ways = [() => byForm(submission, form, "allow")];
  if (user) ways.unshift(() => byName(submission, users, user));
  // An offer that was accepted needs no question.
  if (submission.offer) ways.unshift(() => byForm(submission, form, "forbid"));
  const last = ways.pop();
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.reasons.some(({ reason }) => !/^(interaction-required|grant-missing|save-unconfirmed)$/.test(reason))) throw error;
    }
  }
  return /** @type {() => Promise<Saved>} */ (last)();
}

/** Saves what this browser may write without a question.
 * @param {Submission} submission @param {string[]} users @param {string} user @returns {Promise<Saved>} */
async function byName(submission, users, user) {
  const { credential, changed } = await call("save", siteOf(submission), { user, password: submission.password, interaction: "forbid" });
  if (!changed) return { result: "saved" };
  const saved = await accountOf(submission, credential);
  // The daemon does not report whether it is new, and a list that was refused shows nothing.
  const isNew = saved ? saved.created === saved.modified && !users.includes(user) : !users.includes(user);
  return { result: isNew ? "saved" : "updated", undo: saved && { credential, version: saved.version, way: isNew ? "delete" : "restore" } };
}

/** @param {Submission} submission @param {any} form @param {"allow" | "forbid"} interaction @returns {Promise<Saved>} */
async function byForm(submission, form, interaction) {
  const { credential, outcome } = await sent.confirm(submission, form, interaction);
  if (outcome === "nothing") throw refusal("userMissing");
  if (outcome !== "saved" && outcome !== "updated" || !credential) return { result: "saved" };
  const saved = await accountOf(submission, credential);
  // One that was new and has been changed already is not this save's any more.
  const isOwn = saved && (outcome === "updated" || saved.created === saved.modified);
  return { result: outcome, undo: isOwn ? { credential, version: saved.version, way: outcome === "saved" ? "delete" : "restore" } : undefined };
}

/** @param {Submission} submission @param {string} credential */
async function accountOf(submission, credential) {
  return (await accounts(submission))?.find((one) => one.credential === credential);
}

/** Reverts a save; refused where the account was changed since.
 * @param {Submission} submission @param {Undo} undo @returns {Promise<void>} rejects with Refused */
export async function revert(submission, { credential, version, way }) {
  if (way === "delete") await call("delete", {}, { credential, ifVersion: version });
  else await restore(siteOf(submission), credential, { version });
}

/** Makes the former password of an account its password again; the daemon asks the user for the former ones.
 * @param {import("./host.js").Sender} site @param {string} credential
 * @param {{replaced?: string, version?: string}} wanted when the former one was replaced, without it the last; and the version that is to be replaced */
export async function restore(site, credential, { replaced, version }) {
  const found = await call("history", site, { credential });
  if (version !== undefined && found.version !== version) throw refusal("changedSince");
  const former = found.history?.find((one) => replaced === undefined || one.replaced === replaced);
  if (!former) throw refusal("noFormer");
  await call("save", ownSite(found.services?.[0]) ?? site, { user: found.user, password: former.password });
}

/** The site that an account is kept at: another one may have the same user name, too.
 * @param {{type: string, value: string} | undefined} service @returns {import("./host.js").Sender | undefined} */
function ownSite(service) {
  const origin = service?.type === "domain" ? `https://${service.value}` : service?.type === "origin" ? service.value : undefined;
  return origin === undefined ? undefined : { origin, topOrigin: origin };
}

/** @param {"changedSince" | "noFormer" | "userMissing"} name */
function refusal(name) {
  return new Refused(name, [{ reason: "nothing", message: chrome.i18n.getMessage(name), fix: "" }]);
}
