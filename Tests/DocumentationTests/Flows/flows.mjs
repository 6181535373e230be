// SPDX-License-Identifier: Apache-2.0
// An app's three flows in JavaScript, written from protocol.md alone: `node flows.mjs signUp|signIn|changePassword`.
// It prints the user name and the password that went into the form.

import assert from "node:assert";
import { randomUUID } from "node:crypto";
import net from "node:net";

const service = { type: "domain", value: "shop.example.com" };
const newPasswords = ["new", "again"].map((id) => ({ id, contentType: "newPassword", secure: true }));
const user = { id: "mail", contentType: "username" };
const forms = {
  signUp: [user, ...newPasswords],
  signIn: [user, { id: "password", contentType: "password", secure: true }],
  changePassword: [{ id: "old", contentType: "password", secure: true }, ...newPasswords],
};

class Daemon {
  #waiting = new Map();
  #rest = "";
  #lastID = 0;

  static async connect() {
    const daemon = new Daemon();
    const path = process.env.AUTOFILLD_SOCKET || `${process.env.XDG_RUNTIME_DIR}/autofilld/socket`;
    daemon.socket = net.createConnection(path).setEncoding("utf8");
    daemon.socket.on("data", (text) => daemon.#receive(text));
    daemon.socket.on("error", (error) => daemon.#end(error));
    daemon.socket.on("close", () => daemon.#end(new Error("autofilld has ended")));
    daemon.socket.setTimeout(5000, () => daemon.#end(new Error("autofilld does not answer")));
    await daemon.call("hello", { bundleID: "org.example.Shop", protocol: { min: 1, max: 1 } });
    daemon.socket.setTimeout(0);
    return daemon;
  }

  call(method, params) {
    const id = ++this.#lastID;
    this.socket.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #receive(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop();
    for (const { id, result, error } of lines.map((line) => JSON.parse(line))) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new Error(error.data.reasons[0].fix));
      else waiting?.resolve(result);
    }
  }

  #end(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

const valuesOf = ({ values }) => Object.fromEntries(values.map(({ field, value }) => [field, value]));

async function suggest(daemon, fields) {
  const { suggestions, withheld } = await daemon.call("autofill.suggest", { service, form: { id: randomUUID(), fields } });
  const refusal = withheld.find(({ type }) => type === "strongPassword");
  if (refusal) throw new Error(refusal.reasons[0].fix);
  return Object.fromEntries(suggestions.map((suggestion) => [suggestion.type, suggestion]));
}

const flows = {
  async signUp(daemon) {
    const { offer } = (await suggest(daemon, forms.signUp)).strongPassword;
    const form = { mail: "ann@example.com", ...valuesOf(await daemon.call("autofill.fill", { offer })) };
    assert.strictEqual(form.new, form.again);
    // The site accepts the form here.
    await daemon.call("autofill.accept", { offer, user: form.mail });
    return [form.mail, form.new];
  },

  async signIn(daemon) {
    const form = valuesOf(await daemon.call("autofill.fill", { service, form: { fields: forms.signIn } }));
    return [form.mail, form.password];
  },

  async changePassword(daemon) {
    const suggested = await suggest(daemon, forms.changePassword);
    const current = await daemon.call("autofill.fill", { service, form: { fields: forms.changePassword } });
    const { offer } = suggested.strongPassword;
    const form = { ...valuesOf(current), ...valuesOf(await daemon.call("autofill.fill", { offer })) };
    assert(form.new === form.again && form.new !== form.old);
    // It is named to an app that the user has allowed for longer than this once.
    const named = suggested.savedCredentials.credentials.find(({ user }) => user === current.user);
    await daemon.call("autofill.accept", { offer, ...(named ? { replaces: named.credential } : { user: current.user }) });
    return [current.user, form.new];
  },
};

try {
  const daemon = await Daemon.connect();
  console.log(...(await flows[process.argv[2]](daemon)));
  daemon.socket.destroy();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
