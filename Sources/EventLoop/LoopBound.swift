// SPDX-License-Identifier: Apache-2.0

/// Carries an object of the loop's through code that must be Sendable, back to the loop.
struct LoopBound<Object: AnyObject>: @unchecked Sendable {
    // Proof for `@unchecked`: the object is handed out on the loop's thread only; elsewhere it is but kept alive.
    private let object: Object
    private let loop: EventLoop

    init(_ object: Object, on loop: EventLoop) {
        self.object = object
        self.loop = loop
    }

    /// At once on the loop; from another thread, soon.
    func perform(_ body: @Sendable @escaping (Object) -> Void) {
        if loop.isCurrent { body(object) } else { loop.execute { body(object) } }
    }
}
