// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials

/// The events from a moment on, in order, and the state at that moment. When the service restarts, the sequence connects and
/// subscribes again, and returns ``AutofillEvent/Kind/stateChanged(vault:settings:)``. It ends with the task that reads it.
/// A session may have any number of sequences; each returns all events.
///
/// ```swift
/// for await event in try await session.events() {
///     if case .vaultUnlocked = event.kind { try await fillAgain() }
/// }
/// ```
public struct AutofillEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = AutofillEvent

    /// The state of the vault at the start.
    public let vault: VaultState
    /// The settings that decided about the app, at the start.
    public let settings: AutofillSettings
    private let stream: EventStream
    private let session: AutofillSession

    init(_ session: AutofillSession) async throws(AutofillError) {
        let (answer, stream) = try await session.subscribe()
        vault = VaultState(answer.vault)
        settings = AutofillSettings(answer.settings)
        self.stream = stream
        self.session = session
    }

    /// Returns an iterator that waits for the next event.
    public func makeAsyncIterator() -> Iterator {
        Iterator(arrivals: stream.arrivals.makeAsyncIterator(), receiver: stream.receiver, session: session)
    }

    /// Reads the events, and connects again if needed.
    public struct Iterator: AsyncIteratorProtocol {
        /// The delay between attempts to connect, at first and at most.
        private static let pauses = (first: Duration.milliseconds(100), longest: Duration.seconds(10))
        var arrivals: AsyncStream<Void>.Iterator
        var receiver: EventReceiver
        let session: AutofillSession

        /// Waits for the next event; nil when the session has ended or the task is cancelled.
        public mutating func next() async -> AutofillEvent? {
            if await arrivals.next(isolation: nil) != nil, let event = receiver.next() { return event }
            var pause = Self.pauses.first
            while session.reconnects, !Task.isCancelled {
                do throws(AutofillError) {
                    let (answer, stream) = try await session.subscribe()
                    (arrivals, receiver) = (stream.arrivals.makeAsyncIterator(), stream.receiver)
                    let state = AutofillEvent.Kind.stateChanged(
                        vault: VaultState(answer.vault), settings: AutofillSettings(answer.settings))
                    return AutofillEvent(state, at: try Date(wire: answer.at), isOwn: false)
                } catch {
                    // An app that is no longer accepted has no more events.
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
    /// Whether the service may be available again soon.
    fileprivate var isPassing: Bool {
        switch self {
        case .unavailable, .connectionLost: true
        default: isRefused(for: .stopping)
        }
    }
}
