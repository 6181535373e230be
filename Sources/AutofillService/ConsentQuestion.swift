// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import Prompting

/// Whether an app may be given what is saved for a service: what is asked, and how it is shown. Two are equal that ask the
/// same of the person, whichever process of the app asks.
package struct ConsentQuestion: Hashable, Sendable {
    package let subject: Subject
    package let service: Service
    /// Whether a yes can be remembered, and for how long, in the words of the second question; nil where the program could
    /// not be known again, or a remembered yes would not do.
    let memory: String?
    /// What the first question says besides.
    let evidence: PromptedEvidence

    package static func == (one: ConsentQuestion, other: ConsentQuestion) -> Bool {
        one.subject == other.subject && one.service == other.service
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(subject)
        hasher.combine(service)
    }

    /// May it, this time?
    package var first: Prompt {
        Prompt(
            title: "Password AutoFill",
            description: "\(evidence.name) wants to fill the password saved for \(service.value).\n\n\(evidence.lines)",
            kind: .confirm(yes: "Allow", no: "Do not allow"))
    }

    /// Is the yes to be remembered? nil where it cannot be.
    package var second: Prompt? {
        memory.map { memory in
            Prompt(
                title: "Password AutoFill",
                description: "May \(evidence.name) fill the password saved for \(service.value) \(memory), "
                    + "without asking again?\n\n\(evidence.lines)",
                kind: .confirm(yes: "Remember", no: "Only this once"))
        }
    }
}
