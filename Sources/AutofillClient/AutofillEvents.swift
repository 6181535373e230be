// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// What happens from a moment on, in order, and how things stood at that moment. It ends with the session or the service:
/// then connect again, subscribe again, and take the state from there.
///
/// ```swift
/// let events = try await session.events()
/// for await event in events {
///     if case .vaultUnlocked = event.kind { try await fillAgain() }
/// }
/// ```
public struct AutofillEvents: AsyncSequence, Sendable {
    /// What has happened.
    public typealias Element = AutofillEvent

    /// `missing`, `locked`, `unlocked`, or the code of the reason why the vault could not be opened, at the start.
    public let vault: String
    /// The settings that decided about the app, at the start.
    public let settings: AutofillSettings
    private let stream: AsyncStream<AutofillEvent>

    init(_ answer: EventSubscribe.Answer, _ stream: AsyncStream<AutofillEvent>) {
        vault = answer.vault
        settings = AutofillSettings(answer.settings)
        self.stream = stream
    }

    /// Goes through what has happened, and waits for what will.
    public func makeAsyncIterator() -> AsyncStream<AutofillEvent>.Iterator { stream.makeAsyncIterator() }
}

extension AutofillSession {
    /// Has the app told of what concerns it. A second call ends the sequence of the first.
    public func events() async throws(AutofillError) -> AutofillEvents {
        let stream = receiveEvents()
        return AutofillEvents(try await perform(EventSubscribe()), stream)
    }
}
