// SPDX-License-Identifier: Apache-2.0
internal import Systemd

/// A connection to the bus that calls, with what it has open.
final class Caller {
    let keychain: Keychain
    var sessions: [UInt64: SessionCipher] = [:]
    var prompts: [UInt64: PendingPrompt] = [:]
    /// Of xdg-desktop-portal, by their handles.
    var requests: [String: PortalRequest] = [:]
    var seen = SeenItems()
    /// Tells when it is gone.
    var watch: BusWatch?
    /// Calls that wait for their answers.
    var callCount = 0
    /// When it called last, counted over all calls.
    var lastCall: UInt64 = 0

    init(_ keychain: Keychain) { self.keychain = keychain }

    var name: String { keychain.link.name }
    /// The bundle ID by which the daemon knows it, once it has said so.
    var app: String? { keychain.link.greeted?.app }

    /// Whether nothing is lost when it is forgotten until it calls again.
    var isIdle: Bool { callCount == 0 && sessions.isEmpty && prompts.isEmpty }

    /// Ends what it has open.
    func end() {
        watch = nil
        for prompt in prompts.values { prompt.task?.cancel() }
        for request in requests.values { request.task?.cancel() }
        keychain.link.end()
    }
}

/// A question to the person that a caller was given as an object, and that is asked when the caller says so.
final class PendingPrompt {
    /// What is done once the person agrees.
    enum Action {
        /// Unlocks these objects; the first ones are unlocked already.
        case unlock([SecretPath])
        case make(NewItem)
        case delete([String], collection: SecretCollection?)
    }

    let action: Action
    var task: Task<Void, Never>?

    init(_ action: Action) { self.action = action }
}
