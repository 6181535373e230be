// SPDX-License-Identifier: Apache-2.0
internal import CSystemd

/// sd-event within another loop: what sd_event_run(3) does, with the waiting left to whoever watches its descriptor.
final class SystemdSources {
    let event: OpaquePointer
    /// Whether sd-event is prepared, and its descriptor tells of everything.
    private var isArmed = false
    /// Whether a timer, or what of libsystemd attached itself, has changed since it was prepared.
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

    /// What was set up does not hold any more: timers are set anew before the next wait.
    func change() { hasChanged = true }

    /// Is to be called before each wait.
    /// - Returns: whether a source is pending, so that nothing is to be waited for.
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
