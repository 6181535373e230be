// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A task that a tool has for the daemon.
package enum HelperTask: Sendable {
    /// - Parameters:
    ///   - url: the service that it is stored for, of the type `url`.
    ///   - user: nil for the one that was used last.
    case get(url: String, user: String?)
    /// - Parameter notes: stored beside it, for this tool alone; may be empty.
    case store(url: String, user: String, password: SecretBytes, notes: SecretBytes)
    /// - Parameter password: if given, only a credential with this password is erased.
    case erase(url: String, user: String?, password: SecretBytes?)
    /// The credentials that this tool has stored.
    case list
    /// A secret that the user types at the terminal.
    case ask(prompt: String)
}

/// The result of a task.
package enum HelperOutcome: Sendable {
    case found(StoredPassword)
    /// It was stored or erased.
    case done
    case notFound
    case listed([StoredLocation])
    case typed(SecretBytes)
    case failed(HelperTrouble)
}

package struct StoredPassword: Sendable {
    package let user: String
    package let password: SecretBytes
    /// As they were stored.
    package let notes: SecretBytes

    package init(user: String, password: SecretBytes, notes: SecretBytes = SecretBytes(utf8: "")) {
        (self.user, self.password, self.notes) = (user, password, notes)
    }
}

/// Why a task failed, as one line for the user. It contains no secret.
package struct HelperTrouble: Error, Hashable, Sendable {
    package let message: String

    package init(_ message: String) { self.message = message }
}

/// The next step of a helper.
package enum HelperAction: Sendable {
    case perform(HelperTask)
    case answer(HelperAnswer)
}

/// The answer of a helper to its tool.
package struct HelperAnswer: Sendable {
    /// For standard output; may contain secrets.
    package let output: SecretBytes
    /// A line for standard error.
    package let trouble: String?
    /// The exit status, for a helper that exits after its answer.
    package let status: Int32

    package init(_ output: SecretBytes = SecretBytes(utf8: ""), trouble: String? = nil, status: Int32 = 0) {
        (self.output, self.trouble, self.status) = (output, trouble, status)
    }
}
