// SPDX-License-Identifier: Apache-2.0

package struct Hello: MethodCall {
    package static let declaration = MethodDeclaration(
        .hello, "Identifies the app. It is the first request of a connection.", .open, repeatable: false)
    package let bundleID: String
    package let minimumVersion: Int
    package let maximumVersion: Int
    package let isStrict: Bool
    /// The app for which a delegate acts.
    package let onBehalfOf: OnBehalfOf?

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let bundleID = try field("bundleID", \.bundleID, .string(1...255), "The app's name in reverse-DNS form.")
        let versions = try field(
            "protocol", { VersionRange(min: $0.minimumVersion, max: $0.maximumVersion) }, .object(),
            "The protocol versions that the client supports.")
        let isStrict = try field(
            "strict", \.isStrict, .boolean, absent: false,
            "Whether unknown parameters are refused rather than named in `warnings`.")
        let onBehalfOf = try field(
            optional: "onBehalfOf", \.onBehalfOf, .object(),
            "The app for which a delegate acts; the pidfd of that process is passed with the line.")
        return Self(
            bundleID: bundleID, minimumVersion: versions.min, maximumVersion: versions.max, isStrict: isStrict,
            onBehalfOf: onBehalfOf)
    }
}

extension Hello {
    /// With the protocol versions of this build.
    package init(bundleID: String, isStrict: Bool = false, onBehalfOf: OnBehalfOf? = nil) {
        let versions = Limits.protocolVersions
        self.init(
            bundleID: bundleID, minimumVersion: versions.lowerBound, maximumVersion: versions.upperBound,
            isStrict: isStrict, onBehalfOf: onBehalfOf)
    }

    /// The app for which a delegate acts. A pidfd identifies its process; these members are checked against that process.
    package struct OnBehalfOf: Message {
        /// nil if the daemon is to identify the app by its inspection of the process.
        package let bundleID: String?
        /// Further evidence about the requester, an origin or a D-Bus name: shown to the user, and never identity.
        package let evidence: String?
        /// Whether another program may have made its requests too: it then counts as an interpreter, whose file is no
        /// identity.
        package let isShared: Bool

        package init(bundleID: String? = nil, evidence: String? = nil, isShared: Bool = false) {
            (self.bundleID, self.evidence, self.isShared) = (bundleID, evidence, isShared)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                bundleID: try field(
                    optional: "bundleID", \.bundleID, .string(1...255),
                    "The bundle ID of that app. Only the bridge of Secret Service omits it: then the daemon identifies the app."
                ),
                evidence: try field(
                    optional: "evidence", \.evidence, .string(1...Limits.delegateEvidenceBytes),
                    "Further evidence about the requester, such as an origin: shown to the user, never identity."
                ),
                isShared: try field(
                    "shared", \.isShared, .boolean, absent: false,
                    "Whether another program may make its requests too: then it counts as an interpreter."))
        }
    }

    /// The protocol versions that a client supports.
    struct VersionRange: Message {
        let min: Int
        let max: Int

        static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                min: try field("min", \.min, .integer(1...1_000_000), "The lowest."),
                max: try field("max", \.max, .integer(1...1_000_000), "The highest."))
        }
    }

    /// What the daemon found out about the caller, and the daemon's state. A caller that is not the app that it claims to be
    /// receives no state, no settings and no capabilities.
    package struct Answer: Message {
        package let protocolVersion: Int
        package let daemonVersion: String
        package let isEphemeral: Bool
        package let capabilities: [String]
        package let limits: ClientLimits
        package let app: VerifiedApp
        package let vault: String?
        package let settings: AppSettings?

        package init(
            protocolVersion: Int, daemonVersion: String, isEphemeral: Bool, capabilities: [String],
            limits: ClientLimits = ClientLimits(), app: VerifiedApp, vault: String?, settings: AppSettings?
        ) {
            (self.protocolVersion, self.daemonVersion) = (protocolVersion, daemonVersion)
            (self.isEphemeral, self.capabilities, self.app, self.vault) = (isEphemeral, capabilities, app, vault)
            (self.limits, self.settings) = (limits, settings)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                protocolVersion: try field(
                    "protocol", \.protocolVersion, .integer(1...1_000_000), "The protocol version of the connection."),
                daemonVersion: try field(
                    "daemonVersion", \.daemonVersion, .string(1...64), "The version of the daemon, for people."),
                isEphemeral: try field(
                    "ephemeral", \.isEphemeral, .boolean, "Whether the vault is in memory only: a daemon for tests."),
                capabilities: try field(
                    "capabilities", \.capabilities, .strings(Words.capabilities), "What this app may do."),
                limits: try field("limits", \.limits, .object(), "The limits that a client needs."),
                app: try field("app", \.app, .object(), "What was verified of the caller."),
                vault: try field(
                    optional: "vault", \.vault, .word(Words.vaultStates, 1...32),
                    "The state of the vault; absent if the caller is not the app."),
                settings: try field(
                    optional: "settings", \.settings, .object(),
                    "The settings that decide about this app; absent if the caller is not the app."))
        }
    }
}
