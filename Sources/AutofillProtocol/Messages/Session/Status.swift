// SPDX-License-Identifier: Apache-2.0

package struct Status: MethodCall {
    package static let declaration = MethodDeclaration(
        .status,
        """
        Returns the state of the daemon: to an app without a registration, or in a sandbox, that of the vault alone. It \
        shows how much data there is, and none of the data.
        """, .open, repeatable: true)

    package init() {}
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self()
    }

    package struct Answer: Message, Hashable {
        package let protocolVersion: Int
        package let vault: String
        package let daemon: DaemonState?

        package init(protocolVersion: Int, vault: String, daemon: DaemonState? = nil) {
            (self.protocolVersion, self.vault, self.daemon) = (protocolVersion, vault, daemon)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                protocolVersion: try field(
                    "protocol", \.protocolVersion, .integer(1...1_000_000), "The protocol version of the connection."),
                vault: try field(
                    "vault", \.vault, .word(Words.vaultStates, 1...64),
                    "`missing`, `locked`, `unlocked`, or the code of the reason why it cannot be opened."),
                daemon: try field(
                    optional: "daemon", \.daemon, .object(),
                    "The rest; absent for an app without a registration, and for one in a sandbox."))
        }
    }

    /// The progress of long work on the whole vault.
    package struct VaultWork: Message, Hashable {
        package let method: String?
        package let done: Int
        package let all: Int

        package init(method: String?, done: Int, all: Int) {
            (self.method, self.done, self.all) = (method, done, all)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                method: try field(
                    optional: "method", \.method, .word(Words.methods, 1...64),
                    "The method that started it; absent if the daemon did."),
                done: try field(
                    "done", \.done, .integer(0...Int.max),
                    "The number of records processed."),
                all: try field("all", \.all, .integer(0...Int.max), "The number of all records; 0 while it is unknown.")
            )
        }
    }
}
