// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
package import AutofillProtocol
internal import ConfigurationFiles
package import CredentialStorage
package import Credentials
internal import PeerIdentity
internal import Settings

/// The state of the daemon, for `status` and `hello`.
package struct StatusReader {
    private let keeper: VaultKeeper
    private let directory: AppDirectory
    private let settings: SettingsInForce
    private let sessions: SessionList
    private let terminals: TerminalProofs

    package init(
        _ keeper: VaultKeeper, _ apps: AppDirectory, _ settings: SettingsInForce, _ sessions: SessionList,
        _ terminals: TerminalProofs
    ) {
        (self.keeper, directory, self.settings) = (keeper, apps, settings)
        (self.sessions, self.terminals) = (sessions, terminals)
    }

    package var product: ServiceProduct { keeper.environment.product }
    /// By the wall clock.
    package var now: Timestamp { keeper.clock.now }
    package var vault: String { keeper.stateCode }
    /// The vault's file.
    package var path: String? { keeper.path }
    package var counts: VaultCounts? { keeper.opened?.counts }
    package var clients: Int { sessions.count }
    package var apps: Int { catalog.registrations.count }
    private var catalog: RegistrationCatalog { directory.catalog }

    package var problems: [String] {
        keeper.noteFindingsOfReads()
        return directory.problems.map(\.description) + settings.overruled + keeper.problems
    }

    package var work: Status.VaultWork? {
        keeper.lease.map { lease in
            let count = lease.progress.count
            return Status.VaultWork(method: lease.method?.rawValue, done: count.done, all: count.all)
        }
    }

    /// How long the proof that was given at the client's terminal still holds.
    package func terminalProofSeconds(_ request: RequestView) -> Int? {
        terminals.secondsLeft(
            for: request.peer, minutes: settings.effective.terminalProofMinutes,
            at: keeper.clock.steady.milliseconds)
    }

    /// The client of a request. A client that is not the app it claims to be gets nothing of the app's registration.
    package struct Client {
        package let bundleID: String
        package let assurance: String?
        /// Whether the daemon has named it.
        package let isNamed: Bool
        package let registration: Registration?
        /// The one by which it may ask for services that are no associated domains.
        package let wideRegistration: Registration?

        package var isIdentified: Bool { assurance != nil }
    }

    package func client(_ request: RequestView) -> Client {
        let identified = try? request.app?.identity.get()
        return Client(
            bundleID: request.bundleID?.text ?? "", assurance: identified?.assurance.rawValue,
            isNamed: request.isOfSecretService,
            registration: identified == nil ? nil : directory.registration(of: request.app),
            wideRegistration: identified == nil ? nil : directory.wideRegistration(of: request.app))
    }
}
