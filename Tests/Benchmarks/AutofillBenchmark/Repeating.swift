// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A thread that repeats until it is stopped.
final class Repeating: Sendable {
    private let isOver = Atomic(false)
    private let done = DispatchGroup()

    /// - Parameter step: what is done again and again; what it throws ends it.
    init(_ step: @escaping @Sendable () throws -> Void) {
        DispatchQueue.global().async(group: done) { [self] in
            while !isOver.load(ordering: .relaxed), (try? step()) != nil {}
        }
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
        done.wait()
    }
}
