// SPDX-License-Identifier: Apache-2.0
import Reasons
import Testing

@Suite("Reasons")
struct ReasonTests {
    @Test("The line of a missing association is Apple's, to the letter")
    func appleLine() {
        #expect(
            Refusal.journalLine(.associatedDomainsMissing, app: "org.example.App")
                == "[AutoFill] Cannot show Automatic Strong Passwords for app bundleID: org.example.App due to error: Cannot "
                + "save passwords for this app. Make sure you have set up Associated Domains for your app and AutoFill "
                + "Passwords is enabled in Settings")
    }

    @Test(
        "All of Apple's code 2 have its text",
        arguments: [
            Reason.autoFillDisabled, .appNotRegistered, .registrationInvalid, .associatedDomainsMissing,
            .domainNotAssociated,
        ])
    func appleText(reason: Reason) {
        #expect(reason.message == Reason.appleCannotSave)
    }

    @Test("Every reason has a message ID of its own, 32 hexadecimal digits")
    func messageIDs() {
        let all = Reason.allCases.map(\.messageID)
        #expect(Set(all).count == Reason.allCases.count)
        for id in all {
            #expect(id.utf8.count == 32)
            #expect(id.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        }
    }

    @Test("Every code is kebab-case", arguments: Reason.allCases)
    func codes(reason: Reason) {
        #expect(reason.rawValue.utf8.allSatisfy { (97...122).contains($0) || $0 == 45 })
        #expect(!reason.rawValue.hasPrefix("-") && !reason.rawValue.hasSuffix("-"))
    }

    @Test("A fix names what is concerned, and leaves no placeholder in braces", arguments: Reason.allCases)
    func fixes(reason: Reason) {
        var parameters = Dictionary(
            uniqueKeysWithValues: Refusal.Parameter.allCases.map { ($0, "‹\($0.rawValue)›") })
        // With a path this one is about another program, with a limit about one that was not inspected.
        let naming: [Reason] = [.identityMismatch, .grantMissing, .grantDenied, .interactionRequired]
        if naming.contains(reason) { parameters[.path] = nil }
        if [.identityMismatch, .appNotInstalled].contains(reason) { parameters[.limit] = nil }
        let fix = Refusal(reason, parameters).fix
        #expect(!fix.isEmpty)
        for parameter in Refusal.Parameter.allCases {
            #expect(!fix.contains("{\(parameter.rawValue)}"))
            #expect(fix.contains("‹\(parameter.rawValue)›") == reason.fixTemplate.contains("{\(parameter.rawValue)}"))
        }
    }

    @Test(
        "In a command of a fix, a name with other characters than plain ones is quoted for a shell; elsewhere it is not"
    )
    func quoting() {
        let check = Refusal(.registrationInvalid, [.path: "/home/jo/my apps/it's.json"]).fix
        #expect(check.hasSuffix(#": autofillctl app check '/home/jo/my apps/it'\''s.json'"#), "\(check)")
        let plain = Refusal(.grantMissing, [.app: "org.example.Shop", .domain: "shop.example.com"]).fix
        #expect(plain == "Allow it: autofillctl grant allow org.example.Shop shop.example.com")
        let installed = Refusal(.appNotInstalled, [.app: "org.example.Shop", .path: "/my apps/a.json"]).fix
        #expect(installed.hasSuffix("in /my apps/a.json"), "\(installed)")
        let approve = Refusal(.siteNotListing, [.app: "a b", .site: "c d", .domain: "e f"]).fix
        #expect(approve.contains(#""linux.a b""#) && approve.hasSuffix("domain approve 'a b' 'e f'"), "\(approve)")
    }

    @Test("The fix explains how a program becomes a delegate where it is refused as none, else how the app is started")
    func delegates() {
        let names: [Refusal.Parameter: String] = [.app: "org.example.Front", .detail: "no delegate"]
        let fix = Refusal(.identityMismatch, names.merging([.path: "/usr/libexec/front"]) { $1 }).fix
        #expect(fix.contains("/etc/autofilld/delegates/org.example.Front.json: both with /usr/libexec/front in"))
        #expect(Refusal(.identityMismatch, names).fix.hasPrefix("Start the program that the registration of"))
    }

    @Test("The fix for a program that asks through Secret Service names it, and can be typed")
    func programs() {
        let own: [Refusal.Parameter: String] = [.app: "script.a", .domain: "script.a", .path: "/home/a/bin/day.sh"]
        #expect(
            Refusal(.grantMissing, own).fix
                == "Let /home/a/bin/day.sh read all secrets that it has saved itself: autofillctl grant allow /home/a/bin/day.sh"
        )
        let other: [Refusal.Parameter: String] = [
            .app: "script.a", .domain: "org.freedesktop.secrets/itm_1", .path: "/home/a/it's.sh",
        ]
        #expect(
            Refusal(.interactionRequired, other).fix.hasSuffix(
                #"autofillctl grant allow '/home/a/it'\''s.sh' org.freedesktop.secrets/itm_1"#))
    }

    @Test(
        "The fix for programs that could not be inspected in time is about that, and not about their registration",
        arguments: [Reason.identityMismatch, .appNotInstalled])
    func late(reason: Reason) {
        let names: [Refusal.Parameter: String] = [.path: "/etc/a.json", .detail: "the disk sleeps"]
        let late = Refusal(reason, names.merging([.limit: "2 seconds"]) { $1 })
        #expect(late.fix.hasPrefix("Try again: the disk sleeps. ") && late.fix.hasSuffix("respond within 2 seconds"))
        #expect(!Refusal(reason, names).fix.contains("the disk sleeps"))
        // A refusal with the fix "Try again" is of the class that may be repeated.
        #expect(late.retry == .afterDelay && Refusal(reason, names).retry == .afterChange)
        #expect(late.audience == .user && Refusal(reason, names).audience == reason.audience)
    }

    @Test("A value that has the form of a placeholder is not replaced a second time by an earlier one")
    func nestedPlaceholder() {
        let refusal = Refusal(.domainNotAssociated, [.app: "org.example.App", .domain: "{app}"])
        #expect(refusal.fix.contains("webcredentials:{app}"))
    }

    @Test("A name with braces in it is put in as it is")
    func bracesInNames() {
        let refusal = Refusal(.siteFetchFailed, [.app: "{domain}", .domain: "{app}", .site: "}{site}", .detail: "{"])
        for name in ["'{domain}' '{app}'", "https://}{site}/", "({)"] { #expect(refusal.fix.contains(name)) }
    }

    @Test("Only a locked vault waits for an event")
    func events() {
        for reason in Reason.allCases { #expect((reason.event != nil) == (reason.retry == .afterEvent)) }
    }

    @Test("The journal's catalog has an entry for each reason, with its message ID and its message, and its fix once")
    func catalog() {
        let text = JournalCatalog.text
        for reason in Reason.allCases {
            #expect(text.contains("-- \(reason.messageID)\nSubject: AutoFill: \(reason.rawValue)\n"))
            #expect(text.contains(reason.message))
            // The entry's own is the one with its names: see the field.
            #expect(!text.contains(Refusal(reason).fix))
        }
        #expect(text.components(separatedBy: "@AUTOFILL_FIX@").count == Reason.allCases.count + 1)
        #expect(text.components(separatedBy: "\n-- ").count == Reason.allCases.count + 1)
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
