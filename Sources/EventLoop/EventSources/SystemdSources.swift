// SPDX-License-Identifier: Apache-2.0
internal import CSystemd

/// sd-event within another loop: the steps of sd_event_run(3), without its wait: the other loop watches its descriptor.
final class SystemdSources {
    let event: OpaquePointer
    /// Whether sd-event is prepared, and its descriptor reports every event.
    private var isArmed = false
    /// Whether a timer, or an attached object of libsystemd, has changed since it was prepared.
    private var hasChanged = false

    init() throws(LoopError) {
        var event: OpaquePointer?
        try LoopError.check(sd_event_new(&event), "sd_event_new")
        guard let event else { throw LoopError(operation: "sd_event_new", errno: 12) }
        self.event = event
    }

    deinit { sd_event_unref(event) }

    /// To be watched for reading.
    var descriptor: Int32 { sd_event_get_fd(event) }

    /// The prepared state is invalid: timers are set again before the next wait.
    func change() { hasChanged = true }

    /// Is to be called before each wait.
    /// - Returns: whether a source is pending, so that the loop must not wait.
    func prepare() throws(LoopError) -> Bool {
        if isArmed {
            guard hasChanged else { return false }
            isArmed = false
            if try LoopError.check(sd_event_wait(event, 0), "sd_event_wait") > 0 { return true }
        }
        hasChanged = false
        let isPending = try LoopError.check(sd_event_prepare(event), "sd_event_prepare") > 0
        isArmed = !isPending
        return isPending
    }

    /// Dispatches one source, if one is pending.
    /// - Returns: whether one was.
    func dispatch() throws(LoopError) -> Bool {
        if isArmed {
            isArmed = false
            guard try LoopError.check(sd_event_wait(event, 0), "sd_event_wait") > 0 else { return false }
        }
        try LoopError.check(sd_event_dispatch(event), "sd_event_dispatch")
        return true
    }
}
