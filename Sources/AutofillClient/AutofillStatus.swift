// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// How the service is. It says nothing of anyone's data but how much there is.
public struct AutofillStatus: Hashable, Sendable {
    /// The version of the service.
    public let version: String
    /// Whether everything is gone when it stops: a service for tests.
    public let isEphemeral: Bool
    /// `missing`, `locked`, `unlocked`, or the code of the reason why it cannot be opened.
    public let vault: String
    /// Credentials in the vault, while it is unlocked.
    public let credentials: Int?
    /// Apps that are registered.
    public let apps: Int
    /// Registrations with mistakes, one line each.
    public let problems: [String]

    init(_ answer: Status.Answer) {
        version = answer.version
        isEphemeral = answer.isEphemeral
        vault = answer.vault
        credentials = answer.credentials
        apps = answer.apps
        problems = answer.problems
    }
}
