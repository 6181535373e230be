// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
internal import AutofillProtocol
internal import PeerIdentity

/// The `hello` of a connection: the app that it claims to be, compared with the evidence.
package struct Greeting {
    private let session: Session
    private let apps: AppDirectory
    private let associations: SiteAssociations

    package init(_ request: RequestContext, _ apps: AppDirectory, _ associations: SiteAssociations) {
        (session, self.apps, self.associations) = (request.session, apps, associations)
    }

    package static let commandLineBundleID = Session.commandLineBundleID

    package var isRepeated: Bool { session.app != nil }

    /// The descriptor that came with the line.
    package func takePassed() -> PassedDescriptor? {
        defer { session.arriving.passed = nil }
        return session.arriving.passed
    }

    /// An app that was compared with the evidence.
    package struct Identified {
        let app: IdentifiedApp
    }

    package func identify(
        _ bundleID: BundleIdentifier, isStrict: Bool
    ) async throws(RefusedRequest) -> Identified {
        Identified(app: try await apps.identify(bundleID, isStrict: isStrict, of: session.peer))
    }

    /// The connection is that app's from now on.
    package func begin(_ own: Identified) throws(RefusedRequest) { try begin(own.app, session.peer) }

    /// The connection is that of the app that a delegate acts for from now on.
    ///
    /// - Parameters:
    ///   - bundleID: nil where the daemon is to name the app, for the Secret Service bridge.
    ///   - passed: a pidfd of its process.
    ///   - isShared: whether another program may make its requests too.
    package func begin(
        _ own: Identified, onBehalfOf bundleID: BundleIdentifier?, _ passed: PassedDescriptor, evidence: String?,
        isShared: Bool
    ) async throws(RefusedRequest) {
        let own = own.app
        if bundleID == nil, !apps.isSecretService(own) {
            throw .malformed(
                ProtocolProblem(.parameterMissing, member: "onBehalfOf.bundleID", detail: "the bundle ID of that app"))
        }
        let speaker = session.peer
        let (peer, program) = try await apps.peer(handedOverBy: own, speaker, passed, isShared: isShared)
        let delegate = DelegateConnection(program: program, bundleID: own.bundleID, peer: speaker, evidence: evidence)
        let app =
            if let bundleID {
                try await apps.identify(bundleID, isStrict: own.isStrict, of: peer, delegate: delegate)
            } else {
                try await apps.identify(peer, isStrict: own.isStrict, delegate: delegate)
            }
        try begin(app, peer)
    }

    private func begin(_ app: IdentifiedApp, _ peer: Peer) throws(RefusedRequest) {
        guard session.app == nil else { throw .malformed(ProtocolProblem(.helloRepeated)) }
        (session.app, session.peer) = (app, peer)
        associations.prefetch(apps.registration(of: app))
    }
}
