// SPDX-License-Identifier: Apache-2.0

/// Subscribes the connection of a request to events.
package struct EventSubscription {
    private let events: EventHub
    private let session: Session

    package init(_ events: EventHub, _ request: RequestContext) { (self.events, session) = (events, request.session) }

    /// Names this run of the daemon.
    package var epoch: String { events.epoch }

    /// May be repeated.
    ///
    /// - Returns: the number of the last event.
    package func begin() -> Int { events.subscribe(session) }
}
