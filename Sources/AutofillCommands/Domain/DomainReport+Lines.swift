// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Reasons

extension DomainReport {
    /// Prints it; throws the exit status if the domain is not approved for the app.
    func show(on console: Console, asJSON isJSON: Bool, isQuiet: Bool = false) throws(CommandFailure) {
        if isJSON {
            console.print { write(to: &$0) }
        } else if !isQuiet {
            for line in lines(console) { console.print(line) }
        }
        if !approved { throw CommandFailure(.refused, []) }
    }

    private func lines(_ console: Console) -> [String] {
        var lines = console.hanging(
            "", "\(bundleID), \(entry): \(approved ? "approved" : "not approved")", indent: 4)
        let asked = "\(lastAttempt?.minute ?? "never")\(nextAttempt.map { ", next after \($0.minute)" } ?? "")"
        for (heading, text) in [
            ("the site:     ", "\(siteText): \(siteEvidence.printable)"),
            ("you:          ", "\(userText): \(userEvidence.printable)"),
            ("last fetched: ", fetched.map { "\($0.minute), valid until \(validUntil?.minute ?? "")" } ?? "never"),
            ("last asked:   ", asked),
        ] {
            lines += console.hanging("  " + heading, text)
        }
        if userState == UserState.denied.rawValue {
            let command = ["autofillctl", "domain", "approve", bundleID, site].map(\.printable.shellQuoted)
            lines += console.hanging("  Fix: ", command.joined(separator: " "))
        }
        for file in files {
            let outcome = file.failure.map { "\($0.printable): \((file.failureText ?? "").printable)" }
            let listed = file.apps.isEmpty ? "read; does not list it" : "lists it"
            lines += console.hanging(
                "    ",
                "https://\(site)/.well-known/\(file.file.printable): \(file.status.map { "HTTP \($0), " } ?? "")"
                    + (outcome ?? listed), indent: 6)
        }
        return lines
    }

    /// The failure of the last attempt: that of the first file if none was read.
    var lastFailure: String? { files.contains { $0.failure == nil } ? nil : files.first?.failure }
}

extension DomainReport {
    /// The entry without its prefix: `*.example.com`.
    var name: String { entry.split(separator: ":", maxSplits: 1).last.map(String.init) ?? entry }
}

extension DomainReport {
    /// The site's statement in a few words; a state of a later version by its name.
    var siteText: String {
        switch SiteState(rawValue: siteState) {
        case .approved: "approves"
        case .notNeeded: "not needed"
        case .notListing: "app not listed"
        case .failed: "not reachable"
        case .notFetched: "not fetched yet"
        case nil: siteState.printable
        }
    }

    /// The user's decision.
    var userText: String {
        switch UserState(rawValue: userState) {
        case .approved: "approved"
        case .denied: "denied"
        case .silent: "silent"
        case .needed: "approval needed"
        case nil: userState.printable
        }
    }
}
