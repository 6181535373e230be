// SPDX-License-Identifier: Apache-2.0

package struct Hello: MethodCall {
    package static let declaration = MethodDeclaration(
        .hello, "The first request of a connection: which app it is.", .open, repeatable: false)
    package let bundleID: String
    package let minimumVersion: Int
    package let maximumVersion: Int
    package let isStrict: Bool
    /// Whom a delegate speaks for.
    package let onBehalfOf: OnBehalfOf?

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let bundleID = try field("bundleID", \.bundleID, .string(1...255), "The app's name in reverse-DNS form.")
        let versions = try field(
            "protocol", { VersionRange(min: $0.minimumVersion, max: $0.maximumVersion) }, .object(),
            "The versions that the client speaks.")
        let isStrict = try field(
            "strict", \.isStrict, .boolean, absent: false,
            "Whether unknown parameters are refused rather than named in `warnings`.")
        let onBehalfOf = try field(
            optional: "onBehalfOf", \.onBehalfOf, .object(),
            "Whom a delegate speaks for; the pidfd of that process comes with the line.")
        return Self(
            bundleID: bundleID, minimumVersion: versions.min, maximumVersion: versions.max, isStrict: isStrict,
            onBehalfOf: onBehalfOf)
    }
}

extension Hello {
    /// Of the versions that this build speaks.
    package init(bundleID: String, isStrict: Bool = false, onBehalfOf: OnBehalfOf? = nil) {
        let versions = Limits.protocolVersions
        self.init(
            bundleID: bundleID, minimumVersion: versions.lowerBound, maximumVersion: versions.upperBound,
            isStrict: isStrict, onBehalfOf: onBehalfOf)
    }

    /// The app that a delegate speaks for. Its process is told by a pidfd; what is said here is held against that.
    package struct OnBehalfOf: Message {
        /// nil where the daemon is to name the app by what it sees of the process.
        package let bundleID: String?
        /// What the delegate knows of the asker besides, an origin or a D-Bus name: shown to the person, and never identity.
        package let evidence: String?

        package init(bundleID: String? = nil, evidence: String? = nil) {
            (self.bundleID, self.evidence) = (bundleID, evidence)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                bundleID: try field(
                    optional: "bundleID", \.bundleID, .string(1...255),
                    "The bundle ID of that app. Only the bridge of Secret Service leaves it out: then the daemon names the app."
                ),
                evidence: try field(
                    optional: "evidence", \.evidence, .string(1...Limits.delegateEvidenceBytes),
                    "What the delegate knows of the asker besides, such as an origin: shown to the person, never identity."
                ))
        }
    }

    /// The versions of the protocol that a client speaks.
    struct VersionRange: Message {
        let min: Int
        let max: Int

        static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                min: try field("min", \.min, .integer(1...1_000_000), "The lowest."),
                max: try field("max", \.max, .integer(1...1_000_000), "The highest."))
        }
    }

    /// What the daemon has found out about the caller, and the state it is in. Who is not the app that it says it is learns that
    /// alone: no state, no settings, nothing that it may do.
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
                    "protocol", \.protocolVersion, .integer(1...1_000_000), "The version that is spoken from now on."),
                daemonVersion: try field("version", \.daemonVersion, .string(1...64), "The daemon's, for people."),
                isEphemeral: try field(
                    "ephemeral", \.isEphemeral, .boolean, "Whether the vault is in memory only: a daemon for tests."),
                capabilities: try field(
                    "capabilities", \.capabilities, .strings(Words.capabilities), "What this app may do."),
                limits: try field("limits", \.limits, .object(), "The limits that a client needs."),
                app: try field("app", \.app, .object(), "What was verified of the caller."),
                vault: try field(
                    optional: "vault", \.vault, .word(Words.vaultStates, 1...32),
                    "How the vault is; not written for who is not the app."),
                settings: try field(
                    optional: "settings", \.settings, .object(),
                    "The settings that decide about this app; not written for who is not the app."))
        }
    }
}
