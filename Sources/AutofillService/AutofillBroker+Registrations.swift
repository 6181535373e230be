// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import ConfigurationFiles
internal import Credentials
internal import PeerIdentity

/// Which registration counts for an app: root's, else the one that its Flatpak brought, else the user's.
extension AutofillBroker {
    /// For the app that a connection speaks for.
    func registration(of client: Client) -> Registration? {
        client.app.flatMap { registration(of: $0.bundleID, deployed: $0.deployed) }
    }

    /// Looks at the files again, at most once a second: what was taken away counts no more for whoever is connected.
    func keepRegistrationsCurrent() {
        guard !(0..<1000).contains(now.milliseconds - lastReload.milliseconds) else { return }
        reloadRegistrations()
    }

    /// Reads the registrations again where a file has changed; then every connection is judged anew by them.
    func reloadRegistrations() {
        lastReload = now
        if configuration.registrations.reloadIfChanged() {
            generation += 1
            for client in clients.values {
                guard let app = client.app else { continue }
                client.app = self.app(
                    app.bundleID, isStrict: app.isStrict, of: client.peer, deployed: app.deployed)
            }
        }
        knowSites()
    }

    /// For any app. What a Flatpak brings is known while it is connected.
    func registration(named bundleID: BundleIdentifier) -> Registration? {
        registration(of: bundleID, deployed: connectedFlatpak(bundleID)?.deployed)
    }

    /// The app of a connection whose Flatpak brought its registration.
    func connectedFlatpak(_ bundleID: BundleIdentifier) -> Client.App? {
        clients.values.lazy.compactMap(\.app).first { $0.bundleID == bundleID && $0.deployed != nil }
    }

    func registration(
        of bundleID: BundleIdentifier, deployed: Result<Registration, ConfigurationFileProblem>?
    ) -> Registration? {
        let listed = configuration.registrations.catalog[bundleID]
        if let listed, listed.origin.owner == .root { return listed }
        guard let deployed else { return listed }
        // A broken one still keeps the user's from its place.
        return try? deployed.get()
    }
}

extension Peer {
    /// What the Flatpak that it runs in brought, if the files are those of an installation that was verified.
    func deployedRegistration(
        claiming bundleID: BundleIdentifier
    ) -> Result<Registration, ConfigurationFileProblem>? {
        guard case .flatpak(let instance, .deployed(_, let files)) = evidence.sandbox, !instance.isBuild,
            instance.originalAppPath == nil,
            instance.appID.utf8.elementsEqual(bundleID.text.utf8)
        else { return nil }
        return RegistrationFile.deployed(by: bundleID, in: files, userID: evidence.user)
    }
}
