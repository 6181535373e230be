// SPDX-License-Identifier: Apache-2.0

/// The first request of a connection: which app it is.
package struct Hello: MethodCall {
    package static let method = Method.hello
    package let bundleID: String
    /// The versions of the protocol that the client speaks.
    package let minimumVersion: Int
    package let maximumVersion: Int
    /// Whether unknown parameters are refused rather than named in `warnings`.
    package let isStrict: Bool

    package init(bundleID: String, isStrict: Bool = false) {
        self.bundleID = bundleID
        minimumVersion = Limits.protocolVersions.lowerBound
        maximumVersion = Limits.protocolVersions.upperBound
        self.isStrict = isStrict
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        bundleID = try members.string("bundleID", bytes: 1...255)
        var versions = try members.object("protocol")
        minimumVersion = try versions.integer("min", in: 1...1_000_000)
        maximumVersion = try versions.integer("max", in: 1...1_000_000)
        members.adopt(versions)
        isStrict = try members.optionalBool("strict") ?? false
        if try members.isPresent("onBehalfOf") { throw ProtocolProblem(.memberReserved, member: "onBehalfOf") }
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("bundleID", bundleID)
        writer.key("protocol")
        writer.object { writer in
            writer.member("min", minimumVersion)
            writer.member("max", maximumVersion)
        }
        if isStrict { writer.member("strict", true) }
    }
}

extension Hello {
    /// What the daemon has found out about the caller, and the state it is in.
    package struct Answer: WireValue {
        package let protocolVersion: Int
        package let daemonVersion: String
        package let isEphemeral: Bool
        package let capabilities: [String]
        package let app: VerifiedApp
        package let vault: String
        package let settings: AppSettings

        package init(
            protocolVersion: Int, daemonVersion: String, isEphemeral: Bool, capabilities: [String], app: VerifiedApp,
            vault: String, settings: AppSettings
        ) {
            self.protocolVersion = protocolVersion
            self.daemonVersion = daemonVersion
            self.isEphemeral = isEphemeral
            self.capabilities = capabilities
            self.app = app
            self.vault = vault
            self.settings = settings
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            protocolVersion = try members.integer("protocol", in: 1...1_000_000)
            daemonVersion = try members.string("version", bytes: 1...64)
            isEphemeral = try members.bool("ephemeral")
            capabilities = try members.strings("capabilities")
            var app = try members.object("app")
            self.app = try VerifiedApp(from: &app)
            vault = try members.string("vault", bytes: 1...32)
            settings = try members.value("settings")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("protocol", protocolVersion)
            writer.member("version", daemonVersion)
            writer.member("ephemeral", isEphemeral)
            writer.member("capabilities", capabilities)
            writer.key("limits")
            writer.object { writer in
                for limit in Limits.told { writer.member(limit.name, limit.value) }
            }
            writer.member("app", app)
            writer.member("vault", vault)
            writer.member("settings", settings)
        }
    }
}
