// SPDX-License-Identifier: Apache-2.0

/// Who answers when the person has to be asked.
package enum Consent: Sendable {
    /// Nobody can be asked; grants come from `autofillctl grant allow`.
    case absent
    /// Every question has this answer. Only for `--ephemeral`.
    case fixed(ConsentAnswer)
    /// The answers stand in a file. Only for `--ephemeral`.
    case scripted(ConsentScript)
    /// The person, by prompts.
    case person

    /// Whether there is anyone to ask about an app.
    package var canConfirm: Bool { if case .absent = self { false } else { true } }

    /// Whether there is anyone who knows the passphrase.
    package var canGivePassphrase: Bool { if case .person = self { true } else { false } }

    /// Says whether `app` may be given what is saved for `service`, where the answer stands already; nil where nobody can
    /// be asked, or the person has to be.
    package mutating func answer(app: String, service: String) -> ConsentAnswer? {
        switch self {
        case .absent, .person: return nil
        case .fixed(let answer): return answer
        case .scripted(var script):
            let answer = script.answer(app: app, service: service)
            self = .scripted(script)
            return answer
        }
    }
}

/// What the person says.
package enum ConsentAnswer: String, CaseIterable, Sendable {
    /// Yes, this time.
    case once
    /// Yes, and remember it.
    case allow
    /// No, this time.
    case deny
    /// No, and remember it.
    case never
}
