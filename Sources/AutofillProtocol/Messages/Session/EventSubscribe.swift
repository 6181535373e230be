// SPDX-License-Identifier: Apache-2.0

package struct EventSubscribe: MethodCall {
    package static let declaration = MethodDeclaration(
        .eventSubscribe, "Subscribes this connection to events, and returns the current state.", .open,
        repeatable: true)

    package init() {}
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self()
    }

    package struct Answer: Message, Hashable {
        package let epoch: String
        package let sequence: Int
        package let at: String
        package let vault: String
        package let settings: AppSettings

        package init(epoch: String, sequence: Int, at: String, vault: String, settings: AppSettings) {
            (self.epoch, self.sequence, self.at, self.vault, self.settings) = (epoch, sequence, at, vault, settings)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            let epoch = try field("epoch", \.epoch, .string(1...64), "Another one after each start of the daemon.")
            let sequence = try field(
                "sequence", \.sequence, .integer(0...Int.max),
                "Of the last event that this connection was sent, or lost; 0 before the first.")
            let at = try field("at", \.at, .instant, "The time of the answer.")
            let state = try field(
                "state", { EventState(vault: $0.vault, settings: $0.settings) }, .object(), "The current state.")
            return Self(epoch: epoch, sequence: sequence, at: at, vault: state.vault, settings: state.settings)
        }
    }
}

/// The current state, as far as an app may know.
struct EventState: Message {
    let vault: String
    let settings: AppSettings

    static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            vault: try field("vault", \.vault, .word(Words.vaultStates), "The state of the vault."),
            settings: try field("settings", \.settings, .object(), "The settings that decide about this app."))
    }
}

/// The settings that an app may know: those that decide about it.
package struct AppSettings: Message, Hashable {
    package let keychain: Bool
    package let autoFill: Bool
    package let strongPasswords: Bool

    package init(keychain: Bool, autoFill: Bool, strongPasswords: Bool) {
        (self.keychain, self.autoFill, self.strongPasswords) = (keychain, autoFill, strongPasswords)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            keychain: try field("keychain", \.keychain, .boolean, "Whether the keychain is on."),
            autoFill: try field("autoFill", \.autoFill, .boolean, "Whether AutoFill is on."),
            strongPasswords: try field(
                "strongPasswords", \.strongPasswords, .boolean, "Whether strong passwords are on for this app."))
    }
}
