// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory
internal import SecretSession
internal import Systemd

/// A connection to the bus that makes calls, with its open objects.
final class Caller {
    let keychain: Keychain
    var sessions: [UInt64: SessionCipher] = [:]
    var prompts: [UInt64: PendingPrompt] = [:]
    /// Of xdg-desktop-portal, by their handles.
    var requests: [String: PortalRequest] = [:]
    var seen = SeenItems()
    /// Reports that the connection has ended.
    var watch: BusWatch?
    /// Unanswered calls.
    var callCount = 0
    /// The number of its last call, counted over all callers.
    var lastCall: UInt64 = 0

    init(_ keychain: Keychain) { self.keychain = keychain }

    var name: String { keychain.link.name }
    /// The bundle ID that the daemon has identified it by, after the greeting.
    var app: String? { keychain.link.greeted?.app }

    /// Whether it can be forgotten until its next call without a loss.
    var isIdle: Bool { callCount == 0 && sessions.isEmpty && prompts.isEmpty && !keychain.hasOwnItems }

    /// Ends all that it has open.
    func end() {
        watch = nil
        for prompt in prompts.values { prompt.task?.cancel() }
        for request in requests.values { request.task?.cancel() }
        keychain.end()
    }
}

/// A prompt that a caller has received as an object, and that is displayed when the caller requests it.
final class PendingPrompt {
    /// The action after the user has consented.
    enum Action {
        /// Unlocks these objects, some of which may be unlocked already.
        case unlock([SecretPath])
        case make(NewItem)
        case delete([String], collection: SecretCollection?)

        /// Its memory use, in bytes of content.
        var bytes: Int {
            switch self {
            case .unlock(let paths):
                paths.reduce(0) { $0 + $1.text.utf8.count + BridgeLimits.promptBytesPerObject }
            case .make(let new):
                new.attributes.reduce(new.secret.count + new.label.utf8.count + new.contentType.utf8.count) {
                    $0 + $1.key.utf8.count + $1.value.utf8.count
                }
            case .delete(let ids, _): ids.count * BridgeLimits.promptBytesPerObject
            }
        }
    }

    let action: Action
    var task: Task<Void, Never>?
    private let held: HeldBytes

    init(_ action: Action, _ held: HeldBytes) { (self.action, self.held) = (action, held) }

    deinit { held.end() }
}
