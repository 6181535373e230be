// SPDX-License-Identifier: Apache-2.0

/// How questions to the user are answered.
package enum Consent: Sendable {
    /// No prompt can be shown; grants are made by `autofillctl grant allow`.
    case absent
    /// Every question has this answer. Only for `--ephemeral`.
    case fixed(ConsentAnswer)
    /// The answers are in a file. Only for `--ephemeral`.
    case scripted(ConsentScript)
    /// The user, by prompts.
    case user

    /// Whether the user, or a script, can be asked about an app.
    package var canConfirm: Bool { if case .absent = self { false } else { true } }

    /// Whether a user can enter the passphrase.
    package var canGivePassphrase: Bool { if case .user = self { true } else { false } }

    /// Whether `app` may receive what is saved for `service`, where the answer is fixed; nil where no prompt can be
    /// shown, or the user must be asked.
    package mutating func answer(app: String, service: String) -> ConsentAnswer? {
        switch self {
        case .absent, .user: return nil
        case .fixed(let answer): return answer
        case .scripted(var script):
            let answer = script.answer(app: app, service: service)
            self = .scripted(script)
            return answer
        }
    }
}

/// The user's decision.
package enum ConsentAnswer: String, CaseIterable, Sendable {
    /// Yes, this time.
    case once
    /// Yes, until the login ends.
    case login
    /// Yes, and remember it as long as that is possible.
    case allow
    /// No, this time.
    case deny
    /// No, and remember it.
    case never
}
