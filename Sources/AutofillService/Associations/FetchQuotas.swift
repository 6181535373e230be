// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// How many sites are asked at a time, for which app: an app whose sites are silent keeps no other's from being asked. Of those
/// that wait comes the one whose app has the fewest under way, and of these the first.
final class FetchQuotas {
    private let loop: EventLoop
    private var underWay: [String: Int] = [:]
    private var waiting: [(app: String, wait: Wait<Void>)] = []

    init(_ loop: EventLoop) { self.loop = loop }

    /// Waits for capacity in an app's quota; false where the task was cancelled before. The caller then calls `leave`.
    func enter(_ app: String) async -> Bool {
        if admits(app) {
            underWay[app, default: 0] += 1
            return true
        }
        let wait = Wait<Void>(on: loop)
        waiting.append((app, wait))
        do throws(WaitFailure) {
            try await wait.value()
            return true
        } catch {
            waiting.removeAll { $0.wait === wait }
            return false
        }
    }

    func leave(_ app: String) {
        let left = underWay[app, default: 1] - 1
        underWay[app] = left > 0 ? left : nil
        while let next = next {
            let (app, wait) = waiting.remove(at: next)
            if wait.resume() { underWay[app, default: 0] += 1 }
        }
    }

    private func admits(_ app: String) -> Bool {
        underWay[app, default: 0] < Limits.associationFetchesPerApp
            && underWay.values.reduce(0, +) < Limits.associationFetches
    }

    private var next: Int? {
        waiting.indices.filter { admits(waiting[$0].app) }
            .min { underWay[waiting[$0].app, default: 0] < underWay[waiting[$1].app, default: 0] }
    }
}
