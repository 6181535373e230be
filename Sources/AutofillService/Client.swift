// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity

/// Names a connection for as long as it lasts.
package struct ClientID: Hashable, Sendable {
    let number: UInt64
}

/// What is kept of one connection.
final class Client {
    let id: ClientID
    let peer: Peer
    /// The program as the kernel tells it, whatever bundle ID it claims: whose share of the journal its lines take.
    let journalAccount: String
    /// Set by `hello`.
    var app: App?
    /// What this connection saved itself, and the version that it wrote: it gets that without a grant, until another
    /// changes it.
    private var own: [ObjectID: UInt64] = [:]
    /// The same for the one-time-code secrets that it set.
    private var ownCodes: [ObjectID: UInt64] = [:]
    /// The credentials of each service that are, or were once, among them.
    private(set) var written: [Service: Set<ObjectID>] = [:]
    /// Requests whose answer waits for a key derivation or an errand.
    var waiting: Set<RequestID> = []
    /// What was decided for a service, as long as nothing that it rests on has changed (see `generation`).
    var decided: [Service: Decided] = [:]
    /// What the person has just allowed this once, while the request is performed that waited for it.
    var allowedOnce: Set<Allowance> = []
    /// The fields that each offer of this connection was made for.
    var fieldsOfOffer: [ObjectID: [FieldDescription]] = [:]
    /// The events of the connection, once it has subscribed.
    var events: EventQueue?
    /// Whether a service is the app's own, at a generation.
    var serves: [Service: (generation: UInt64, answer: Bool)] = [:]
    /// What was logged already for a field of a form (or of forms without a name).
    var logged: Set<LoggedReason> = []
    /// The user name that was submitted last for a service without a password: the first page of two.
    var submittedUsers: [Service: String] = [:]

    init(_ id: ClientID, peer: Peer) {
        self.id = id
        self.peer = peer
        journalAccount = peer.evidence.journalAccount
    }

    /// Whether this connection wrote that version of the credential.
    func owns(_ id: ObjectID, _ version: UInt64) -> Bool { own[id] == version }

    /// Whether this connection set the one-time codes of that version of the credential.
    func ownsCode(_ id: ObjectID, _ version: UInt64) -> Bool { ownCodes[id] == version }

    /// It has saved a password, or sent the very one that is saved. What codes it set stay its own.
    func ownPassword(_ saved: Saved, of service: Service) {
        own[saved.id] = saved.version
        if saved.changed, ownCodes[saved.id] == saved.version - 1 { ownCodes[saved.id] = saved.version }
        written[service, default: []].insert(saved.id)
    }

    /// It has set the one-time codes of a credential.
    func ownCode(_ saved: Saved, of service: Service) {
        ownCodes[saved.id] = saved.version
        written[service, default: []].insert(saved.id)
    }

    /// What it made or saved itself stays its own when it changes anything but the password.
    func keepOwning(_ credential: Credential, as saved: Saved) {
        if owns(credential.id, credential.version) { own[credential.id] = saved.version }
        if ownsCode(credential.id, credential.version) { ownCodes[credential.id] = saved.version }
    }

    /// The app that the connection speaks for.
    struct App {
        let bundleID: BundleIdentifier
        let isStrict: Bool
        let identity: Result<Identification, PeerRefusal>
        /// Who it is to the vault; nil when word and evidence contradict each other.
        let subject: Subject?
        /// What its Flatpak brought in its own files, right or wrong.
        let deployed: Result<Registration, ConfigurationFileProblem>?
    }

    /// Every condition but the vault's held, at this generation.
    struct Decided {
        let generation: UInt64
        let grant: ObjectID
    }

    struct LoggedReason: Hashable {
        let form: String?
        let field: String
        let reason: String
    }
}
