// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// What a tool wants done with what is kept.
package enum HelperTask: Sendable {
    /// - Parameters:
    ///   - place: what it is kept for, a service of the type `url`.
    ///   - user: nil for the one that was used last.
    case get(place: String, user: String?)
    /// - Parameter notes: what is kept beside it, for this tool alone; empty where there is nothing.
    case store(place: String, user: String, password: SecretBytes, notes: SecretBytes)
    /// - Parameter password: where there is one, only what has it is erased.
    case erase(place: String, user: String?, password: SecretBytes?)
    /// What this tool has stored.
    case list
    /// A secret that the person is to type at the terminal.
    case ask(prompt: String)
}

/// What came of a task.
package enum HelperOutcome: Sendable {
    case found(KeptPassword)
    /// It was stored or erased.
    case done
    case notFound
    case listed([KeptPlace])
    case typed(SecretBytes)
    case failed(HelperTrouble)
}

package struct KeptPassword: Sendable {
    package let user: String
    package let password: SecretBytes
    /// As they were stored.
    package let notes: SecretBytes

    package init(user: String, password: SecretBytes, notes: SecretBytes = SecretBytes(utf8: "")) {
        (self.user, self.password, self.notes) = (user, password, notes)
    }
}

/// Why a tool does not get what it wants, for people: one line. It holds no secret.
package struct HelperTrouble: Error, Hashable, Sendable {
    package let message: String

    package init(_ message: String) { self.message = message }
}

/// What a helper does next.
package enum HelperAction: Sendable {
    case perform(HelperTask)
    case answer(HelperAnswer)
}

/// What a helper says to its tool.
package struct HelperAnswer: Sendable {
    /// For standard output, secrets among it.
    package let output: SecretBytes
    /// A line for standard error.
    package let trouble: String?
    /// The exit status, for a helper that ends with its answer.
    package let status: Int32

    package init(_ output: SecretBytes = SecretBytes(utf8: ""), trouble: String? = nil, status: Int32 = 0) {
        (self.output, self.trouble, self.status) = (output, trouble, status)
    }
}
