// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SecretService

@Suite("Paths, labels and instants of the Secret Service")
struct SecretPathTests {
    @Test(
        "A path is read as it is written",
        arguments: [
            SecretPath.service, .collection(token: "login"), .alias("default"), .aliasItem(alias: "default", name: "x"),
            .item(collection: "Default_5fkeyring", name: "itm_0a"), .session(7), .prompt(18_446_744_073_709_551_615),
        ])
    func roundTrip(path: SecretPath) {
        #expect(SecretPath(path.text) == path)
    }

    @Test(
        "What names no object is no path",
        arguments: [
            "/", "", "/org/freedesktop", "/org/freedesktop/secretsx", "/org/freedesktop/secrets/",
            "/org/freedesktop/secrets/collection", "/org/freedesktop/secrets/collection/",
            "/org/freedesktop/secrets//a",
            "/org/freedesktop/secrets/collection/a/b/c", "/org/freedesktop/secrets/session/7",
            "/org/freedesktop/secrets/session/s07", "/org/freedesktop/secrets/prompt/p-1",
            "/org/freedesktop/secrets/prompt/p18446744073709551616", "/org/freedesktop/secrets/other/x",
            "/org/freedesktop/secrets/collection/login/" + String(repeating: "x", count: BridgeLimits.nameBytes + 1),
        ])
    func noPath(text: String) {
        #expect(SecretPath(text) == nil)
    }

    @Test("A collection's path is made of its label as gnome-keyring makes it, and is one of its own")
    func tokens() {
        #expect(CollectionToken.of("login2", butNot: []) == "login2")
        #expect(CollectionToken.of("Default keyring", butNot: []) == "Default_5fkeyring")
        #expect(CollectionToken.of("Käse", butNot: []) == "K_c3_a4se")
        #expect(CollectionToken.of("", butNot: []) == "collection")
        #expect(CollectionToken.of("a/b\u{1}", butNot: []) == "a_5fb_01")
        #expect(CollectionToken.of("login", butNot: ["login", "login1"]) == "login2")
        for label in ["../../x", String(repeating: "ä", count: 500), "_", "\u{7f}"] {
            #expect(CollectionToken.isValid(CollectionToken.of(label, butNot: [])), "\(label)")
        }
        #expect(!CollectionToken.isValid("") && !CollectionToken.isValid("a-b") && !CollectionToken.isValid("ä"))
    }

    @Test("An instant of the daemon is seconds since 1970; what is none, or before that, is 0")
    func instants() {
        #expect(WireInstant.seconds("1970-01-01T00:00:00.000Z") == 0)
        #expect(WireInstant.seconds("2026-11-22T21:59:59.999Z") == 1_795_384_799)
        #expect(WireInstant.seconds("2000-02-29T12:00:00.000Z") == 951_825_600)
        #expect(WireInstant.seconds("9999-12-31T23:59:59.000Z") == 253_402_300_799)
        for text in [
            "", "yesterday", "1969-12-31T23:59:59.000Z", "2026-13-01T00:00:00.000Z", "2026-1x-01T00:00:00.000Z",
        ] {
            #expect(WireInstant.seconds(text) == 0, "\(text)")
        }
        #expect(WireInstant.seconds(nil) == 0)
    }

    @Test(
        "Where test suites need it, items are numbered in the order of creation in their collection, or named by their label"
    )
    func numbers() {
        var names = ItemNames(isNumbered: true)
        names.note("b", in: "c")
        names.note("a", in: "c", label: "Not a token")
        names.note("d", in: "c", label: "10")
        names.note("e", in: "c", label: "10")
        #expect(names.location(of: "f", in: "other") == ("other", "1"))
        for (id, name) in [("b", "1"), ("a", "2"), ("d", "10"), ("e", "3")] {
            #expect(names.location(of: id, in: "elsewhere") == ("c", name) && names.id(of: name, in: "c") == id)
        }
        for name in ["0", "4", "-1", "b", ""] { #expect(names.id(of: name, in: "c") == nil) }
        var plain = ItemNames(isNumbered: false)
        #expect(plain.location(of: "b", in: "c") == ("c", "b") && plain.id(of: "x", in: "c") == "x")
    }

    @Test("An object that a program locks is locked for that program, with its contents, until the program unlocks it")
    func locked() {
        var locked = LockedObjects()
        locked.lock("work", of: "a")
        let item = SecretItem(
            id: "i", attributes: [:], label: "", collection: "work", created: 0, modified: 0)
        #expect(locked.isLocked(item, of: "a") && !locked.isLocked(item, of: "b") && !locked.isLocked(item, of: nil))
        locked.unlock("work", of: "a")
        #expect(!locked.isLocked(item, of: "a"))
        locked.lock("i", of: "a")
        #expect(locked.isLocked(item, of: "a") && !locked.isLocked("work", of: "a"))
    }

    @Test("When too many programs have locked something, only the locks of the oldest program are dropped")
    func lockedByMany() {
        var locked = LockedObjects()
        for number in 0..<BridgeLimits.callers { locked.lock("i", of: "app\(number)") }
        locked.lock("i", of: "one more")
        #expect(!locked.isLocked("i", of: "app0"))
        #expect(locked.isLocked("i", of: "app1") && locked.isLocked("i", of: "one more"))
        locked.unlock("i", of: "app1")
        locked.lock("i", of: "another")
        #expect(locked.isLocked("i", of: "app2") && locked.isLocked("i", of: "another"))
    }

    @Test("The limit of recorded items of other programs is kept by forgetting the oldest")
    func seen() {
        var seen = SeenItems()
        for number in 0...BridgeLimits.rememberedItems { seen.note("i\(number)", foundBy: ["n": "\(number)"]) }
        #expect(seen.attributes(of: "i0") == nil && seen.attributes(of: "i1") == ["n": "1"])
        seen.forget("i1")
        #expect(seen.attributes(of: "i1") == nil)
        seen.note("i2", foundBy: ["other": "name"])
        #expect(seen.attributes(of: "i2") == ["other": "name"])
    }

    @Test("Long attributes of other programs' items are recorded up to a number of bytes, those of the latest searches")
    func seenBytes() {
        var seen = SeenItems()
        let count = BridgeLimits.rememberedBytes / 8192
        let long = ["n": String(repeating: "x", count: 8191)]
        for number in 0..<count { seen.note("i\(number)", foundBy: long) }
        seen.note("i0", foundBy: long)
        #expect(seen.attributes(of: "i0") == long, "what is replaced counts once")
        seen.forget("i1")
        seen.note("more", foundBy: long)
        #expect(seen.attributes(of: "i0") == long && seen.attributes(of: "more") == long)
        seen.note("last", foundBy: long)
        #expect(seen.attributes(of: "i0") == nil && seen.attributes(of: "i2") == long)
        #expect(seen.attributes(of: "last") == long)
    }
}
