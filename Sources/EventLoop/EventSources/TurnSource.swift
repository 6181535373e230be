// SPDX-License-Identifier: Apache-2.0

/// The stage of a turn in which a handler runs.
package enum TurnStage: Sendable {
    /// After the sockets' batch and the jobs of the turn: fairness among connections with more requests.
    case afterSockets
    /// After all sockets that were ready, and the jobs that they made: where answers are sent. At the latest after some
    /// turns, or a quarter of a millisecond, however busy the sockets are.
    case endOfTurn
}

/// Runs its handler once in a turn, after it was armed. If its own handler arms it, it runs in the next turn.
package final class TurnSource {
    fileprivate(set) var isArmed = false
    fileprivate let handler: () -> Void
    private let loop: EventLoop
    private let list: TurnSourceList

    package init(on loop: EventLoop, at stage: TurnStage, handler: @escaping () -> Void) {
        loop.checkMayChange()
        self.loop = loop
        list = loop.core.turnSources[stage]
        self.handler = handler
        list.sources.append(Unmanaged.passUnretained(self))
    }

    deinit {
        loop.checkMayChange()
        let own = Unmanaged.passUnretained(self).toOpaque()
        if isArmed { list.armed -= 1 }
        list.sources.removeAll { $0.toOpaque() == own }
    }

    package func arm() {
        guard !isArmed else { return }
        loop.checkMayChange()
        isArmed = true
        list.armed += 1
    }
}

/// The sources of one stage; none is retained, each removes itself.
final class TurnSourceList {
    fileprivate var sources: [Unmanaged<TurnSource>] = []
    fileprivate(set) var armed = 0

    /// Handlers may make, arm and remove sources.
    func run() {
        guard armed > 0 else { return }
        var index = 0
        while index < sources.count {
            let source = sources[index].takeUnretainedValue()
            index += 1
            guard source.isArmed else { continue }
            source.isArmed = false
            armed -= 1
            source.handler()
        }
    }
}
