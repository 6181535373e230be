// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import CSystemd

/// Receives a signal of the process, which is blocked from the source's creation on, and remains blocked. Created
/// before there are other threads.
package final class SignalSource {
    private let loop: EventLoop
    private let handler: () -> Void
    private var source: OpaquePointer?

    package init(on loop: EventLoop, signal: Int32, handler: @escaping () -> Void) throws(LoopError) {
        loop.checkMayChange()
        self.loop = loop
        self.handler = handler
        try LoopError.check(af_signal_block(signal), "pthread_sigmask")
        let own = Unmanaged.passUnretained(self).toOpaque()
        try LoopError.check(
            sd_event_add_signal(loop.event, &source, signal, Self.hasArrived, own), "sd_event_add_signal")
    }

    deinit {
        loop.checkMayChange()
        sd_event_source_disable_unref(source)
    }

    private static let hasArrived: sd_event_signal_handler_t = { _, _, context in
        guard let context else { return 0 }
        let source = Unmanaged<SignalSource>.fromOpaque(context).takeUnretainedValue()
        source.handler()
        return 0
    }
}
