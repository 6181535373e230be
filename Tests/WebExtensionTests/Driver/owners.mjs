// SPDX-License-Identifier: Apache-2.0
/**
 * Forms that sites accept or refuse, in the extension's own background: whose account a password without a user name is, and what becomes
 * of questions and passwords meanwhile: node owners.mjs BACKGROUND, a folder of ES modules. Each case has an origin and tabs of its own, and
 * all run at once. Writes each that ends wrongly.
 */
import assert from "node:assert/strict";
import {
  Site, Tab, bars, decide, documents, events, firstPages, memory, openBar, outcome, plain, runAll, sleep, submissions, until, updated, withdrawn,
} from "./background.mjs";

const { nameOf, saveAccepted, wasSent } = outcome;
await runAll({
  "a change is asked about after another user's sign-in in a tab that is closed, or at another origin of the site": async (origin) => {
    for (const other of [origin, origin.replace("//shop.", "//login.")]) {
      const site = Site.at(origin), [tab, second] = [new Tab(origin), new Tab(other)];
      Object.assign(site, { saved: { ann: "of ann", eve: "of eve" }, offered: ["strong"], writes: [] });
      await tab.signIn("ann", "of ann");
      await second.signIn("eve", "of eve");
      second.close();
      await tab.change("of eve", "strong", { offer: "1" });
      assert.deepEqual(site.writes, []);
      assert.ok(tab.one({ state: "asked", password: "strong", isGuess: true }));
    }
  },
  "a question about an account that was made stays beside a guess that names it": async (origin) => {
    const tab = new Tab(origin);
    Site.at(origin).saved = { eve: "of eve" };
    await tab.signIn("eve", "of eve");
    await tab.signUp("ann", "of ann");
    await tab.change("of eve", "new of eve");
    assert.ok(tab.one({ state: "asked", password: "of ann", user: "ann" }));
    assert.ok(tab.one({ state: "asked", password: "new of eve", isGuess: true }));
  },
  "a guess that may be another account's names nobody, and is saved for the one that the user names": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    Object.assign(site, { saved: { ann: "of ann", eve: "of eve" } });
    await tab.signIn("eve", "of eve");
    await tab.signIn("ann", "wrong", { answer: { isAgain: true, hasError: true, path: "/form" } });
    await tab.change("of eve", "new of eve");
    const one = tab.one({ state: "asked", password: "new of eve" });
    assert.deepEqual([one.user, one.question.users], [undefined, ["ann", "eve"]]);
    await decide(one.id, "save", "");
    assert.deepEqual(site.saved, { ann: "of ann", eve: "of eve" });
    await decide(one.id, "save", "eve");
    assert.deepEqual(site.saved, { ann: "of ann", eve: "new of eve" });
  },
  "a question that names nobody asks for the name, whatever was typed in another form": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    site.typed = "bob";
    await tab.reset("typed");
    const one = tab.one({ state: "asked", isGuess: true, user: undefined });
    await decide(one.id, "save", "");
    assert.deepEqual([site.saved, one.question.reasons.map(({ message }) => message)], [{}, ["userMissing"]]);
    await decide(one.id, "save", "ann");
    assert.deepEqual(site.saved, { ann: "typed" });
  },
  "a long form keeps its password, what has a value, and by what its fields are recognised": async (origin) => {
    const long = "Current password ".repeat(300), hidden = { hidden: true, role: "hidden", label: long };
    const others = [...Array.from({ length: 9 }, (_, number) => ({ ...hidden, id: `h${number}`, type: "hidden" })),
      { ...hidden, id: "token", type: "text", value: "of the page" }, { id: "old", type: "password", role: "password", label: long, placeholder: long, passwordRules: "minlength: 8;" }];
    const tab = new Tab(origin), stay = { path: "/form", isAgain: true };
    const fieldsOf = (password) => tab.one({ password }).form.fields;
    await tab.signUp("ann", "typed", { others, answer: stay });
    assert.deepEqual(fieldsOf("typed").map(({ id, hidden }) => [id, hidden]), [["token", true], ["old", undefined], ["username", undefined], ["newPassword", undefined]]);
    const { label, placeholder, autocomplete } = fieldsOf("typed")[1];
    assert.deepEqual([label, placeholder, autocomplete], [long.slice(0, 64), long.slice(0, 64), "new-password"]);
    // Of a form that nothing has classified, too.
    others[0].value = "eve";
    await tab.signIn("ann", "another", { others, isClassified: false, answer: stay });
    assert.deepEqual(fieldsOf("another").map(({ id }) => id), ["h0", "token", "old", "username", "password"]);
    // A password is needed more than what the user does not see.
    for (const one of others) one.value = `of ${one.id}`;
    await tab.signIn("ann", "third", { others, answer: stay });
    assert.deepEqual(fieldsOf(others.at(-1).value).slice(-3).map(({ id }) => id), ["old", "username", "password"]);
  },
  "a user name that was corrected in the question is the one of a later change": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    site.offered = ["strong"];
    await tab.signIn("12345", "first");
    await decide(tab.one({ state: "asked" }).id, "save", "bob");
    await tab.change("first", "strong", { offer: "2" });
    assert.deepEqual(site.saved, { bob: "strong" });
  },
  "two resets without a user name are two questions, and the second form gets an offer of its own": async (origin) => {
    const tab = new Tab(origin);
    Site.at(origin).saved = { ann: "of ann", bob: "of bob" };
    const { page, form } = await tab.reset("first", { offer: "3" });
    assert.equal(await nameOf(page, { ...form, id: "next" }), "next");
    assert.ok(wasSent("3"));
    await tab.reset("second", { offer: "4" });
    assert.deepEqual(tab.all().map(({ password, state }) => [password, state]), [["first", "asked"], ["second", "asked"]]);
  },
  "a change that is shown again is accepted by a success that is new there, and by no other": async (origin) => {
    for (const [answer, isAccepted, isKept = isAccepted] of [[{ successes: ["Saved items"] }, false], [{ successes: ["Password changed"], isMarked: true }, false, true], [{ successes: ["Saved items", "Password changed"] }, true]]) {
      const tab = new Tab(origin), site = Site.at(origin);
      Object.assign(site, { saved: { ann: "of ann" }, offered: ["strong"] });
      await tab.signIn("ann", "of ann");
      await tab.change("of ann", "strong", { offer: "5", successes: ["Saved items"], answer: { ...answer, path: "/form", isAgain: true } });
      await sleep(1500);
      assert.equal(site.saved.ann, isAccepted ? "strong" : "of ann", JSON.stringify(answer));
      // What shows both is not known.
      if (isKept && !isAccepted) assert.ok(tab.one({ state: "waiting", password: "strong" }));
    }
  },
  "what is saved in the popup while the vault is locked is saved once, with the user name that is there": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    Object.assign(site, { offered: ["strong"], refusal: "vault-locked" });
    await tab.signUp("ann", "strong", { offer: "6" });
    const one = tab.one({ state: "pending", isAccepted: true });
    const decided = decide(one.id, "save", "bob");
    site.refusal = null;
    await Promise.all([decided, saveAccepted()]);
    assert.deepEqual(site.saved, { bob: "strong" });
    assert.equal(one.question.result, "saved");
  },
  "a question waits while the vault is locked": async (origin) => {
    const tab = new Tab(origin);
    await tab.signIn("ann", "typed");
    assert.ok(tab.one({ state: "asked" }));
    await events.get("vaultLocked")();
    assert.ok(tab.one({ state: "pending", isAccepted: true, password: "typed" }));
    await saveAccepted();
    assert.ok(tab.one({ state: "asked", password: "typed" }));
  },
  "a question that said Save does not replace": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    await tab.signIn("ann", "old");
    site.saved = { ann: "new" };
    const { id } = tab.one({ state: "asked" });
    await decide(id, "save", "ann");
    assert.deepEqual(site.saved, { ann: "new" });
    assert.deepEqual(tab.one({ state: "asked" }).question.users, ["ann"]);
    await decide(id, "save", "ann");
    assert.deepEqual(site.saved, { ann: "old" });
  },
  "what cannot be written is asked about with the reason, and the user's refusal ends it": async (origin) => {
    for (const [reason, isAsked] of [["internal", true], ["storage-full", true], ["vault-corrupt", true], ["grant-denied", false], ["save-disabled", false], ["vault-missing", false]]) {
      const tab = new Tab(origin);
      Site.at(origin).refusal = reason;
      await tab.signUp("ann", "typed");
      assert.deepEqual(tab.all().map(({ state, question }) => [state, question?.reasons?.[0].reason]), isAsked ? [["asked", reason]] : [], reason);
    }
  },
  "a site that sends many forms loses its own, and no other's": async (origin) => {
    const [tab, other] = [new Tab(origin), new Tab(`${origin}.net`)];
    await tab.signIn("ann", "typed");
    for (let number = 0; number < 40; number++) {
      await other.send("signIn", { username: "eve", [`password${number}`]: `wrong ${number}` }, { answer: { path: "/form", isAgain: true } });
    }
    assert.ok(tab.one({ state: "asked", password: "typed" }));
    assert.ok(other.all().length <= 6, String(other.all().length));
    assert.ok(other.one({ password: "wrong 39" }));
  },
  "what a site has accepted is not forgotten for its later forms, while the vault is locked or nobody answers": async (origin) => {
    for (const refusal of ["vault-locked", null]) {
      const tab = new Tab(origin), users = Array.from({ length: 8 }, (_, number) => `user${number}`);
      Site.at(origin).refusal = refusal;
      for (const user of users) await tab.signUp(user, `of ${user}`);
      assert.deepEqual(tab.all().map(({ user, isAccepted }) => [user, isAccepted]), users.map((user) => [user, true]));
    }
  },
  "a private tab that is closed leaves only what is being saved, which no other one shows, and withdraws no offer": async (origin) => {
    const tab = new Tab(origin), shown = async () => (await outcome.pendingAt(origin, true)).map(({ user }) => user);
    for (const user of ["ann", "bob", "eve"]) {
      await tab.signUp(user, `of ${user}`, { offer: `of ${user}`, others: [{ id: user, type: "text", role: "other" }], answer: { path: "/form", isAgain: true } });
    }
    await until(() => tab.all().every((one) => one.sent));
    // The site is slow.
    for (const [index, state] of ["pending", "pending", "saving"].entries()) Object.assign(tab.all()[index], { state, isOver: true, isPrivate: true });
    tab.all()[1].isAccepted = true;
    const eve = tab.all()[2], names = tab.all().map((one) => one.sent);
    assert.deepEqual(await shown(), ["ann", "bob"]);
    tab.close();
    await until(() => tab.all().length < 3);
    assert.deepEqual(tab.all().map(({ user }) => user), ["eve"]);
    // It waits for the vault.
    eve.state = "pending";
    assert.deepEqual(await shown(), []);
    assert.ok(names.every((name) => name !== undefined && !withdrawn.includes(name)), String(names));
  },
  "what the user decides while the site's answer is awaited counts": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    await tab.change("of ann", "typed", { answer: { path: "/form", isAgain: true } });
    const one = tab.one({ password: "typed", state: "waiting" });
    await decide(one.id, "save", "ann");
    documents.set(tab.id, { ...plain, token: "the account", origin });
    updated.fire(tab.id, { status: "complete" });
    await sleep(1000);
    assert.deepEqual([one.state, one.question.result, site.writes], ["asked", "saved", [["ann", "typed"]]]);
  },
  "another site's sign-in in between does not end what is pending": async (origin) => {
    const tab = new Tab(origin), other = new Tab(`${origin}.net`);
    other.id = tab.id;
    await tab.change("of ann", "pending", { answer: { path: "/form", isAgain: true } });
    const one = tab.one({ password: "pending" });
    one.until = 0;
    await until(() => one.state !== "waiting");
    tab.request(origin, other.origin);
    await other.signIn("bob", "of bob");
    tab.request(other.origin, origin);
    documents.set(tab.id, { ...plain, token: "the account", origin });
    updated.fire(tab.id, { status: "complete" });
    await until(() => one.state === "asked");
  },
  "an earlier form is not decided by the page that answers a later one": async (origin) => {
    const tab = new Tab(origin);
    Site.at(origin).saved = { ann: "of ann" };
    await tab.signIn("ann", "of ann");
    await tab.change("of ann", "first", { answer: { path: "/form", isAgain: true } });
    const first = tab.one({ password: "first" });
    first.until = 0;
    await until(() => first.state !== "waiting");
    await tab.change("of ann", "second", { answer: { path: "/form", isAgain: true, successes: ["Password changed"] } });
    await until(() => tab.one({ password: "second", state: "asked" }));
    assert.equal(first.state, "pending");
  },
  "what a site has accepted outlasts a sign-in with the same that it refuses, and not one that works": async (origin) => {
    for (const refusal of ["vault-locked", null]) {
      const tab = new Tab(origin);
      Site.at(origin).refusal = refusal;
      await tab.signUp("ann", "typed");
      await tab.signIn("ann", "typed", { answer: { isAgain: true, hasError: true, path: "/form" } });
      await until(() => !tab.one({ state: "waiting" }));
      const found = () => tab.all().map(({ state, isAccepted, shape }) => [state, isAccepted, shape.kind]);
      assert.deepEqual(found(), [[refusal ? "pending" : "asked", true, "new"]]);
      await tab.signIn("ann", "typed");
      assert.deepEqual(found(), [[refusal ? "pending" : "asked", true, "signIn"]]);
    }
  },
  "a user name that was not saved, as the user refused it in the prompt, is not that of the next answer": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    site.prompts = ["deny", "allow"];
    await tab.signIn("alice", "typed");
    const { id } = tab.one({ state: "asked" });
    await decide(id, "save", "bob");
    assert.deepEqual([site.saved, tab.one({ id }).question.reasons.map(({ reason }) => reason)], [{}, ["consent-denied"]]);
    await decide(id, "save", "alice");
    assert.deepEqual(site.saved, { alice: "typed" });
  },
  "a click on a question that was replaced meanwhile answers neither, and the bar is removed with its own question": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    await tab.signIn("ann", "of ann");
    await until(() => bars.has(tab.id));
    const bar = openBar(tab.id), of = (user) => tab.one({ user, state: "asked" });
    await tab.signUp("eve", "of eve", { isSameDocument: true });
    await until(() => bar.questions.at(-1)?.user === "eve");
    assert.deepEqual(bar.questions.map(({ id, user }) => [id, user]), [[of("ann").id, "ann"], [of("eve").id, "eve"]]);
    const click = (id, user) => bar.onMessage.fire({ type: "answer", id, choice: "save", user, replaces: false, isSure: true });
    click(of("ann").id, "ann");
    click(of("eve").id, "eve");
    await until(() => site.writes.length > 0 && of("eve").question.result);
    assert.deepEqual(site.writes, [["eve", "of eve"]]);
    await decide(of("ann").id, "later");
    assert.ok(bars.has(tab.id));
    await decide(of("eve").id, "later");
    assert.ok(!bars.has(tab.id));
  },
  "a sign-in without a user name is nobody's, and is asked about unless an account has this password": async (origin) => {
    const site = Site.at(origin);
    Object.assign(site, { typed: "bob", saved: { ann: "of ann", eve: "of eve" } });
    const [tab, second] = [new Tab(origin), new Tab(origin)];
    await tab.confirm("of ann");
    assert.deepEqual(tab.all(), []);
    await second.confirm("typed");
    const one = second.one({ state: "asked", isGuess: true, user: undefined });
    await decide(one.id, "save", "");
    assert.deepEqual([site.writes, one.question.reasons.map(({ message }) => message)], [[], ["userMissing"]]);
    await decide(one.id, "save", "carol");
    assert.deepEqual(site.writes, [["carol", "typed"]]);
    // One that only password managers see is one.
    await second.confirm("another", { others: [{ id: "who", type: "hidden", hidden: true, autocomplete: "username", value: "dave", role: "hidden" }] });
    assert.ok(second.one({ state: "asked", isGuess: false, user: "dave" }));
  },
  "the user name of a first page is that of the next form, for some minutes": async (origin) => {
    for (const [age, user] of [[60_000, "ann"], [3_600_000, undefined]]) {
      const tab = new Tab(origin);
      await tab.send("signIn", { username: "ann" });
      firstPages.get(tab.id).at = Date.now() - age;
      await tab.confirm("typed");
      assert.deepEqual(tab.all().map((one) => [one.state, one.user]), [["asked", user]]);
    }
  },
  "an answer replaces nothing that the user was not shown, whatever is known since, or with an empty field": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    site.saved = { ann: "old" };
    await tab.signIn("ann", "typed");
    const one = tab.one({ state: "asked" });
    assert.deepEqual(one.question.users, ["ann"]);
    // A popup that was opened before the site had answered.
    for (const user of ["ann", ""]) await outcome.decide(one.id, "save", user, false);
    assert.deepEqual([site.saved, one.question.result], [{ ann: "old" }, undefined]);
    await outcome.decide(one.id, "save", "", true);
    assert.deepEqual([site.saved, one.question.result], [{ ann: "typed" }, "updated"]);
  },
  "what no site has accepted is not saved without an answer after the vault is locked, and is kept only where it was offered": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    site.offered = ["strong"];
    await tab.change("of ann", "typed", { answer: { path: "/form", isAgain: true } });
    await tab.change("of ann", "strong", { offer: "9", answer: { path: "/elsewhere", isAgain: true }, others: [{ id: "further", type: "text", role: "other" }] });
    for (const { id } of tab.all()) await decide(id, "save", "");
    assert.deepEqual(tab.all().map(({ state, isAccepted }) => [state, isAccepted]), [["asked", undefined], ["asked", undefined]]);
    await events.get("vaultLocked")();
    site.typed = "ann";
    await saveAccepted();
    assert.deepEqual([tab.all().map(({ state, password }) => [state, password]), site.saved], [[["pending", "strong"]], {}]);
  },
  "a site that has many forms accepted, in many frames, loses its own, and no other's, while the vault is locked": async (origin) => {
    const [own, ...frames] = [new Tab(origin), ...Array.from({ length: 10 }, (_, number) => new Tab(`${origin.replace("//shop", `//frame${number}`)}.net`))];
    await own.signUp("ann", "typed");
    const others = Array.from({ length: 63 }, (_, number) => ({ id: `field${number}`, type: "text", role: "other", label: "x".repeat(400) }));
    // The page that accepts them has forms of its own, with names that are long in JSON.
    const names = Array.from({ length: 64 }, () => "\u0001".repeat(64)), shapes = Array.from({ length: 8 }, () => ({ kind: "signIn", names }));
    await Promise.all(frames.map(async (frame) => {
      const address = `${frame.origin}/${"x".repeat(1_000_000)}`;
      Site.at(frame.origin).refusal = "vault-locked";
      for (let number = 0; number < 7; number++) await frame.signUp(`user${number}`, `of user${number}`, { others, address, answer: { shapes } });
    }));
    assert.ok(![...submissions.values()].some(({ seen }) => seen), "what a page has shown is kept");
    const length = JSON.stringify(memory.outcomes).length;
    assert.ok(own.one({ password: "typed" }));
    assert.ok(submissions.size <= 60 && length < 5_000_000, `${submissions.size} forms, ${length} characters`);
  },
  "a tab that sends many forms, at many origins, or at one whose name is near another's, takes nothing from another tab, while the vault is locked": async (origin) => {
    const own = new Tab(origin);
    Site.at(origin).refusal = "vault-locked";
    await own.signUp("ann", "typed");
    for (const originOf of [(number) => `${origin}.test${number}`, () => origin.replace("//shop", "//evil")]) {
      const tab = ++Tab.last;
      for (let number = 0; number < 65; number++) {
        const at = originOf(number), id = `${at} ${number}`, fields = [["user", "text"], ["password", "password"]].map(([name, type]) => ({ id: name, name: `${name}${number}`, type, value: name + number }));
        const page = { tab, frame: 0, isPrivate: false, origin: at, topOrigin: at, pageAddress: at };
        await outcome.begin(page, undefined, { id, fields }, { id, token: id, address: at, at: Date.now(), successes: [], shape: { kind: "signIn", names: ["user", "password"] } });
        // At one origin they are accepted, and wait.
        if (at !== `${origin}.test${number}`) Object.assign(submissions.get(id), { state: "pending", isAccepted: true, isOver: true });
      }
      assert.ok(own.one({ password: "typed" }), String(originOf));
      assert.ok(submissions.size <= 60, String(submissions.size));
    }
  },
  "a frame of another site, at one origin or many, takes nothing from the page around it, or that page's own frame, while the vault is locked": async (origin) => {
    const own = new Tab(origin), login = origin.replace("//shop", "//login.shop");
    Site.at(origin).refusal = "vault-locked";
    await own.signUp("ann", "typed");
    for (const originOf of [() => "https://ad.test", (number) => `https://ad.test${number}`]) {
      for (let number = -1; number < 65; number++) {
        const at = number < 0 ? login : originOf(number), id = `${origin} ${at} ${number}`, fields = [{ id: "password", name: `password${number}`, type: "password", value: `of ${id}` }];
        const page = { tab: own.id, frame: 3, isPrivate: false, origin: at, topOrigin: origin, pageAddress: origin };
        await outcome.begin(page, undefined, { id, fields }, { id, token: id, address: at, at: Date.now(), successes: [], shape: { kind: "new", names: ["password"] } });
        Object.assign(submissions.get(id), { state: "pending", isAccepted: true, isOver: true });
      }
      assert.ok(own.one({ password: "typed" }) && own.one({ origin: login }), String(originOf));
      assert.ok(submissions.size <= 60 && submissions.has(`${origin} ${originOf(64)} 64`), String(submissions.size));
      for (const one of own.all()) if (one.origin.startsWith("https://ad.")) submissions.delete(one.id);
    }
  },
  "where all tabs have one form, a further one takes the place of its own tab's, or else of one that was not accepted, while the vault is locked": async (origin) => {
    const forms = Array.from({ length: 60 }, () => ({ tab: ++Tab.last, isAccepted: true }));
    forms[30].isAccepted = undefined;
    const fill = () => forms.forEach((one, number) => submissions.set(`${origin} ${number}`, { ...one, id: `${origin} ${number}`, origin, at: Date.now(), state: "pending", isOver: true, password: "", form: {} }));
    for (const [tab, dropped] of [[forms[40].tab, 40], [++Tab.last, 30]]) {
      submissions.clear();
      fill();
      const page = { tab, frame: 0, isPrivate: false, origin, topOrigin: origin, pageAddress: origin };
      await outcome.begin(page, undefined, { id: "new", fields: [{ id: "password", type: "password", value: "typed" }] }, { id: "new", token: "new", address: origin, at: Date.now(), successes: [], shape: { kind: "new", names: ["password"] } });
      assert.deepEqual(forms.map((_, number) => number).filter((number) => !submissions.has(`${origin} ${number}`)), [dropped]);
    }
  },
  "a hidden user name is that of its form, whatever was typed on a page before it": async (origin) => {
    const tab = new Tab(origin);
    await tab.send("signIn", { username: "ann" });
    await tab.confirm("of bob", { others: [{ id: "who", type: "hidden", hidden: true, autocomplete: "username", value: "bob", role: "hidden" }] });
    assert.ok(tab.one({ state: "asked", isGuess: false, user: "bob" }));
  },
  "a first page at another origin of the site names whom the bar asks about, and no account that is saved": async (origin) => {
    for (const send of ["confirm", "reset"]) {
      const tab = new Tab(origin.replace("//shop", "//login"));
      await tab.send("signIn", { username: "bob" });
      tab.origin = origin;
      const site = Object.assign(Site.at(origin), { saved: { ann: "of ann" } });
      await tab[send]("of bob");
      const { id, question } = tab.one({ state: "asked", isGuess: true, user: "bob" });
      assert.deepEqual(question.users, ["ann"]);
      await decide(id, "save", "bob");
      assert.deepEqual(site.saved, { ann: "of ann", bob: "of bob" });
    }
    // One of another site names nobody, nor does one that may be another owner's.
    for (const other of [`${origin}.net`, origin.replace("//shop", "//eve")]) {
      const tab = new Tab(other);
      await tab.send("signIn", { username: "eve" });
      tab.origin = origin;
      // A form is sent later than the page before it.
      await sleep(5);
      await tab.confirm(`of eve at ${other}`);
      assert.ok(tab.one({ state: "asked", isGuess: true, user: undefined }), other);
    }
  },
  "a page that may be another owner's refuses nothing, and accepts nothing with a form or an error": async (origin) => {
    const elsewhere = { origin: origin.replace("//shop", "//eve"), path: "/elsewhere" }, again = [{ kind: "signIn", names: ["username", "password"] }];
    await Promise.all([["pending", { shapes: again, hasError: true }], ["pending", { shapes: [{ kind: "change", names: ["old", "new"] }] }],
      ["pending", { hasError: true }], ["pending", { status: 401 }], ["asked", {}], ["asked", { hasError: true, hasSignOut: true }],
      ["pending", { asksUser: true }], ["asked", { asksUser: true, hasSignOut: true }], ["pending", { shapes: again, hasSignOut: true }]].map(async ([state, answer], index) => {
      const tab = new Tab(origin);
      await tab.signIn(`user${index}`, `of user${index}`, { answer: { ...elsewhere, ...answer } });
      assert.deepEqual(tab.all().map((one) => one.state), [state], JSON.stringify(answer));
    }));
    // At another host of the site it counts.
    const tab = new Tab(origin.replace("//shop", "//accounts"));
    await tab.signIn("ann", "wrong", { answer: { origin, shapes: again, hasError: true } });
    assert.deepEqual(tab.all(), []);
    await tab.signIn("ann", "right", { answer: { origin: origin.replace("//shop", "//www"), shapes: [{ kind: "change", names: ["old", "new"] }] } });
    assert.ok(tab.one({ state: "asked", password: "right" }));
  },
  "a page accepts a form where the form, its page or their answers have requested it, and not where another site has, as one that has opened the tab": async (origin) => {
    const [eve, pay, bank] = ["eve", "pay", "bank"].map((name) => `${origin.replace("//shop", `//${name}`)}.net`), isOpened = true;
    const cases = [
      // What the form leads to, also by redirects, and by pages in between.
      ["asked", [[origin, origin], [origin, pay]], { origin: pay }], ["asked", [[origin, pay], [pay, bank]], { origin: bank }], ["asked", [[origin, pay, origin]], { origin: pay }], ["asked", [[origin, pay], [pay, origin]], {}],
      ["asked", [[origin, origin]], { isOpened }], ["asked", [[origin.replace("//shop", "//login.shop"), origin]], {}],
      // What another site leads to, while there is no answer, and after one; its own page, one of the form's site, or one that redirects there.
      ["pending", [[eve, eve]], { origin: eve }], ["pending", [[origin, origin], [eve, eve]], { origin: eve }], ["pending", [[eve, origin]], { isOpened }],
      ["pending", [[origin, origin], [eve, origin]], {}], ["pending", [[origin, pay], [eve, pay]], { origin: pay }], ["pending", [[eve, origin, eve]], {}],
      // And the user, and a document without an origin.
      ["pending", [[undefined, pay]], { origin: pay }], ["pending", [["null", origin]], {}], ["pending", [[origin, origin, "mailto:ann@"], ["moz-nullprincipal:{1}", origin]], {}],
      // What nobody was seen to request, as a service worker has answered it.
      ["pending", [], { origin: eve }], ["pending", [[origin, origin]], { origin: eve }], ["pending", [], { isOpened }], ["asked", [], {}],
    ];
    // Few at once: too many forms would be forgotten.
    for (let index = 0; index < cases.length; index += 4) {
      await Promise.all(cases.slice(index, index + 4).map(async ([state, requests, answer], number) => {
        const tab = new Tab(origin), user = `user${index + number}`;
        await tab.signIn(user, `of ${user}`, { requests, isLate: number % 2 === 1, answer });
        // Nor does a page that comes later decide.
        assert.deepEqual(tab.all().map((one) => [one.state, one.isOver]), [[state, true]], JSON.stringify([requests, answer]));
        submissions.delete(tab.all()[0].id);
      }));
    }
    // A refusal counts, whoever is seen to request it.
    const tab = new Tab(origin);
    await tab.signIn("ann", "wrong", { requests: [], answer: { isOpened, isAgain: true, path: "/form" } });
    await until(() => tab.all().length === 0);
  },
  "a form in a frame is accepted by what its own site, or that of the page around it, requests": async (origin) => {
    const around = `${origin}.net`, eve = `${origin}.org`;
    for (const [by, state] of [[origin, "asked"], [around, "asked"], [eve, "pending"]]) {
      const tab = new Tab(origin), id = `${origin} ${by}`, fields = [{ id: "user", name: "user", type: "text", value: "ann" }, { id: "password", name: "password", type: "password", value: id }];
      const page = { tab: tab.id, frame: 3, isPrivate: false, origin, topOrigin: around, pageAddress: `${around}/around` };
      await outcome.begin(page, undefined, { id, fields }, { id, token: id, address: `${origin}/form`, at: Date.now(), successes: [], shape: { kind: "signIn", names: ["user", "password"] } });
      tab.request(by, around);
      // The frame is gone with its page.
      documents.set(tab.id, { top: { ...plain, token: `${id} answer`, origin: around, address: `${around}/home` } });
      await until(() => !tab.one({ state: "waiting" }) && !tab.one({ state: "saving" }));
      assert.deepEqual(tab.all().map((one) => one.state), [state], by);
    }
  },
  "a form that is sent again at what may be another owner's is not accepted by what comes then": async (origin) => {
    const [tab, next] = [new Tab(origin), new Tab(origin.replace("//shop", "//eve"))];
    next.id = tab.id;
    await tab.signIn("ann", "wrong", { answer: { origin: next.origin, path: "/form", isAgain: true } });
    await next.signIn("ann", "right", { answer: { origin } });
    assert.deepEqual(tab.all().map(({ password, state }) => [password, state]), [["wrong", "pending"], ["right", "asked"]]);
  },
  "a password that is confirmed while it is asked about stays the question of its account": async (origin) => {
    const tab = new Tab(origin);
    await tab.signUp("ann", "of ann");
    await tab.confirm("of ann");
    assert.deepEqual(tab.all().map(({ state, user, isGuess }) => [state, user, isGuess]), [["asked", "ann", false]]);
    await tab.confirm("another");
    assert.deepEqual(tab.all().map(({ user, password }) => [user, password]), [["ann", "of ann"], [undefined, "another"]]);
  },
  "nothing is asked about a private tab that was closed while its password was being saved, or the vault is locked": async (origin) => {
    for (const reason of ["vault-locked", "internal"]) {
      const tab = new Tab(origin), site = Site.at(origin);
      site.refusal = "vault-locked";
      await tab.signUp("ann", "typed");
      Object.assign(tab.one({ state: "pending", isAccepted: true }), { isPrivate: true });
      Tab.closed.add(tab.id);
      site.refusal = reason === "internal" ? reason : null;
      await saveAccepted();
      assert.deepEqual(tab.all().map(({ state }) => state), [], reason);
    }
  },
  "a guess whose field is emptied says that it is for the site, and not for the account that it may be": async (origin) => {
    const tab = new Tab(origin), site = Site.at(origin);
    site.saved = { ann: "of ann" };
    await tab.confirm("typed");
    await until(() => bars.has(tab.id));
    const bar = openBar(tab.id);
    await until(() => bar.questions.length > 0);
    const [question] = bar.questions, titles = ["ann", " "].map((typed) => globalThis.titleOfQuestion(question, typed)[0]);
    assert.deepEqual([question.user, ...titles], ["ann", "bar_updateOf", "bar_save"]);
  },
  "a bar that is gone gets no further question, also where its own was forgotten": async (origin) => {
    const tab = new Tab(origin);
    await tab.signIn("ann", "of ann");
    await until(() => bars.has(tab.id));
    const bar = openBar(tab.id);
    await until(() => bar.questions.length > 0);
    submissions.delete(bar.questions[0].id);
    bar.onDisconnect.fire();
    await tab.signUp("eve", "of eve", { isSameDocument: true });
    await until(() => tab.one({ user: "eve" }).question.token);
    assert.deepEqual(bar.questions.map(({ user }) => user), ["ann"]);
  },
});
