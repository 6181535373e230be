// SPDX-License-Identifier: Apache-2.0

/// Carries an object of the loop's through code that must be Sendable, back to the loop.
struct LoopBound<Object: AnyObject>: @unchecked Sendable {
    // Invariant for `@unchecked`: the object is used on the loop's thread only; other threads only retain it.
    private let object: Object
    private let loop: EventLoop

    init(_ object: Object, on loop: EventLoop) {
        self.object = object
        self.loop = loop
    }

    /// Immediately on the loop; from another thread, in a later turn.
    func perform(_ body: @Sendable @escaping (Object) -> Void) {
        if loop.isCurrent { body(object) } else { loop.execute { body(object) } }
    }
}
