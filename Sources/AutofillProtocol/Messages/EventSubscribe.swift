// SPDX-License-Identifier: Apache-2.0

/// Has this connection told what happens from now on, and says how things are now.
package struct EventSubscribe: MethodCall {
    package static let method = Method.eventSubscribe

    package init() {}
    package init(from members: inout MemberReader) throws(ProtocolProblem) {}
    package func write(to writer: inout JSONWriter) {}

    package struct Answer: WireValue, Hashable {
        /// Another one after each start of the daemon.
        package let epoch: String
        /// Of the last event that this connection was sent, or lost; 0 before the first.
        package let sequence: Int
        package let at: String
        /// `missing`, `locked`, `unlocked`, or the code of the reason why it cannot be opened.
        package let vault: String
        package let settings: AppSettings

        package init(epoch: String, sequence: Int, at: String, vault: String, settings: AppSettings) {
            self.epoch = epoch
            self.sequence = sequence
            self.at = at
            self.vault = vault
            self.settings = settings
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            epoch = try members.string("epoch", bytes: 1...64)
            sequence = try members.integer("sequence", in: 0...Int.max)
            at = try members.string("at", bytes: 1...64)
            var state = try members.object("state")
            vault = try state.string("vault", bytes: 1...64)
            settings = try state.value("settings")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("epoch", epoch)
            writer.member("sequence", sequence)
            writer.member("at", at)
            writer.key("state")
            writer.object { writer in
                writer.member("vault", vault)
                writer.member("settings", settings)
            }
        }
    }
}

/// The settings that an app may know: those that decide about it.
package struct AppSettings: WireValue, Hashable {
    package let keychain: Bool
    package let autoFill: Bool
    /// For this app.
    package let strongPasswords: Bool

    package init(keychain: Bool, autoFill: Bool, strongPasswords: Bool) {
        self.keychain = keychain
        self.autoFill = autoFill
        self.strongPasswords = strongPasswords
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        keychain = try members.bool("keychain")
        autoFill = try members.bool("autoFill")
        strongPasswords = try members.bool("strongPasswords")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("keychain", keychain)
        writer.member("autoFill", autoFill)
        writer.member("strongPasswords", strongPasswords)
    }
}
