// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// What happens from a moment on, in order, and how things stood at that moment. When the service starts anew it connects
/// and subscribes again, and tells ``AutofillEvent/Kind/stateChanged(vault:settings:)``. It ends with the task that
/// reads it, or with a later sequence of the session.
///
/// ```swift
/// for await event in try await session.events() {
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
    private let session: AutofillSession
    private let number: Int

    init(_ session: AutofillSession) async throws(AutofillError) {
        let (number, answer, stream) = try await session.subscribe()
        vault = answer.vault
        settings = AutofillSettings(answer.settings)
        self.stream = stream
        self.session = session
        self.number = number
    }

    /// Goes through what has happened, and waits for what will.
    public func makeAsyncIterator() -> Iterator {
        Iterator(iterator: stream.makeAsyncIterator(), session: session, number: number)
    }

    /// Reads the events, and connects again where that is needed.
    public struct Iterator: AsyncIteratorProtocol {
        /// How long it waits between attempts to connect, at first and at most.
        private static let pauses = (first: Duration.milliseconds(100), longest: Duration.seconds(10))
        var iterator: AsyncStream<AutofillEvent>.Iterator
        let session: AutofillSession
        let number: Int

        /// The next event, as soon as there is one; nil when the session has ended or the task is cancelled.
        public mutating func next() async -> AutofillEvent? {
            if let event = await iterator.next(isolation: nil) { return event }
            var pause = Self.pauses.first
            while session.goesOn(number), !Task.isCancelled {
                do throws(AutofillError) {
                    let (_, answer, stream) = try await session.subscribe(number)
                    iterator = stream.makeAsyncIterator()
                    let state = AutofillEvent.Kind.stateChanged(
                        vault: answer.vault, settings: AutofillSettings(answer.settings))
                    return AutofillEvent(state, at: answer.at, isOwn: false)
                } catch {
                    // An app that is no longer let in has no more events.
                    guard error.isPassing else { return nil }
                }
                do { try await Task.sleep(for: pause) } catch { return nil }
                pause = Swift.min(pause * 2, Self.pauses.longest)
            }
            return nil
        }
    }
}

extension AutofillError {
    /// Whether the service may be there again soon.
    fileprivate var isPassing: Bool {
        switch self {
        case .unavailable, .connectionLost: true
        default: isRefused(for: .stopping)
        }
    }
}

extension AutofillSession {
    /// Has the app told of what concerns it. A second call ends the sequence of the first.
    public func events() async throws(AutofillError) -> AutofillEvents { try await AutofillEvents(self) }
}
