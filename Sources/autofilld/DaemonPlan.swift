// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import Prompting
internal import Settings
internal import Systemd

#if canImport(Glibc)
    internal import Glibc
#endif

/// The options and the environment, checked and put together.
struct DaemonPlan: Sendable {
    let isEphemeral: Bool
    let location: VaultLocation
    let registrations: [String]
    /// nil: kept in memory, the default of an ephemeral daemon.
    let settings: SettingsFiles?
    let consent: Consent
    /// nil: an ephemeral daemon knows nothing of sites.
    let siteKnowledge: String?
    let credentialsDirectory: String?
    /// The key of a vault in memory, where the tests that it is for want to know it.
    let ephemeralKey: String?
    /// nil: the sockets come from systemd.
    let socketPath: String?
    /// Where autofill-associations is; nil: no site is asked.
    let associationsSocket: String?
    /// Replaces the administrator's settings where there is no administrator. For an app's own tests there is no site to ask,
    /// unless a program that asks it is named.
    let settingsForTests: SettingsDocument

    init(_ options: DaemonOptions, environment: [String: String]) throws(DaemonFailure) {
        let paths = StandardPaths(environment: environment, dataDirectory: options.dataDirectory)
        isEphemeral = options.ephemeral
        socketPath = options.socket
        // A daemon that was started by hand does not connect to the user's own services without the option.
        associationsSocket = options.associations ?? (options.socket == nil ? paths.associationsSocket : nil)
        var settingsForTests = DaemonSettings()
        if options.ephemeral, associationsSocket == nil { settingsForTests.siteAssociation = .advisory }
        let forTests = SettingsDocument(settingsForTests)
        self.settingsForTests = forTests
        credentialsDirectory = environment["CREDENTIALS_DIRECTORY"]
        ephemeralKey = options.vaultKey
        if options.ephemeral {
            guard let socket = options.socket else {
                throw .usage("--ephemeral needs a socket of its own: add --socket PATH")
            }
            guard options.dataDirectory == nil else {
                throw .usage("--ephemeral keeps nothing: leave --data-directory out")
            }
            if let standard = try? paths.socket, standard == socket {
                throw .usage("\(socket) is the socket of the user's own service: choose another for --ephemeral")
            }
            guard options.systemSettings == nil || options.settings != nil else {
                throw .usage("--system-settings needs --settings FILE beside it where there is no user's file")
            }
        } else if !options.consent.isEmpty {
            throw .usage("--consent answers instead of the user: it is accepted only with --ephemeral")
        } else if options.vaultKey != nil {
            throw .usage("--vault-key goes only with --ephemeral; see vaultKeyFile in man autofilld-settings")
        }
        consent = options.ephemeral ? try Self.consent(options.consent) : .user
        do throws(StandardPathsError) {
            location = options.ephemeral ? .memory : .directory(try paths.dataDirectory)
            siteKnowledge = options.ephemeral ? nil : try paths.siteKnowledge
            registrations = options.registrations.isEmpty ? try paths.registrationDirectories : options.registrations
            let usual = options.ephemeral ? nil : StandardPaths.systemSettings
            let user: String? =
                if let chosen = options.settings { chosen } else { options.ephemeral ? nil : try paths.settings }
            settings = user.map {
                SettingsFiles(
                    administrator: options.systemSettings ?? usual, user: $0, userID: geteuid(),
                    withoutAdministrator: forTests)
            }
        } catch {
            throw .usage("\(error.reason) \(error.fix)")
        }
    }

    private static func consent(_ words: [String]) throws(DaemonFailure) -> Consent {
        switch (words.first, words.count) {
        case (nil, _): return .absent
        case ("allow", 1): return .fixed(.allow)
        case ("deny", 1): return .fixed(.deny)
        case ("script", 2):
            let text = try text(of: words[1])
            do throws(ConsentScript.Mistake) {
                return .scripted(try ConsentScript(text))
            } catch {
                throw .usage("\(words[1]), \(error)")
            }
        default: throw .usage("--consent takes allow, deny, or script FILE")
        }
    }

    /// The key file to open the vault with at start.
    func keyFile(_ settings: DaemonSettings) -> String? {
        ephemeralKey ?? KeyFile.path(inCredentialsDirectory: credentialsDirectory) ?? settings.vaultKeyFile?.text
    }

    /// Makes the key file of a vault in memory where it is missing.
    func makeEphemeralKey() throws(VaultError) {
        guard let path = ephemeralKey, access(path, F_OK) != 0 else { return }
        var entropy = SystemRandomNumberGenerator()
        _ = try KeyFile.create(path, using: &entropy)
    }

    private static func text(of path: String) throws(DaemonFailure) -> String {
        guard let file = fopen(path, "r") else { throw .usage("\(path): \(String(cString: strerror(errno)))") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
