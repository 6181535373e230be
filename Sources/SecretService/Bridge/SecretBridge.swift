// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import EventLoop
package import Systemd

/// `org.freedesktop.secrets` on the bus of a user: hands what programs ask to the daemon, in the name of each, and keeps nothing.
package actor SecretBridge {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let surroundings: Surroundings
    let memory = SessionItems()
    var names: ItemNames
    var views = LockedViews()
    /// By their unique names.
    var callers: [String: Caller] = [:]
    private var callNumber: UInt64 = 0
    private var objectNumber: UInt64 = 0

    /// - Parameter isNumbered: whether items' paths end in numbers.
    package init(_ surroundings: sending Surroundings, isNumbered: Bool) {
        self.surroundings = surroundings
        loop = surroundings.loop
        names = ItemNames(isNumbered: isNumbered)
    }

    /// Answers calls from now on, under a name.
    ///
    /// - Parameter end: is called where the name cannot be had: another service has it.
    package func serve(as name: String, end: @escaping @Sendable (BusError) -> Void) throws(BusError) {
        for object in [SecretServiceNames.root, PortalRequest.desktop] {
            try surroundings.bus.serve(object) { self.take($0) }
        }
        try surroundings.bus.requestName(name) { outcome in
            if case .failure(let error) = outcome { end(error) }
        }
    }

    /// The number of the next session or prompt.
    func nextNumber() -> UInt64 {
        objectNumber += 1
        return objectNumber
    }

    // MARK: - Calls

    private func take(_ message: BusMessage) {
        guard let sender = message.sender else { return }
        let caller: Caller
        do throws(BusError) { caller = try admit(sender) } catch { return surroundings.bus.fail(message, error) }
        guard caller.callCount < BridgeLimits.callsPerCaller else {
            return surroundings.bus.fail(
                message, .tooMany("At most \(BridgeLimits.callsPerCaller) calls of one connection at a time"))
        }
        caller.callCount += 1
        Task.immediate {
            do throws(BusError) {
                try await self.check(caller)
                try await self.answer(message, of: caller)
            } catch {
                self.surroundings.bus.fail(message, error.told)
            }
            caller.callCount -= 1
        }
    }

    /// The caller of a name; a new one where there is room.
    private func admit(_ name: String) throws(BusError) -> Caller {
        callNumber += 1
        if let caller = callers[name] {
            caller.lastCall = callNumber
            return caller
        }
        if callers.count >= BridgeLimits.callers {
            let idle = callers.values.filter(\.isIdle).min { $0.lastCall < $1.lastCall }
            guard let idle else { throw .tooMany("Too many programs use the Secret Service") }
            forget(idle)
        }
        let link = CallerLink(to: name, surroundings) { self.vaultHasChanged(for: name) }
        let caller = Caller(Keychain(link, memory: memory))
        caller.lastCall = callNumber
        let rule = """
            type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',\
            arg0='\(name)',arg2=''
            """
        caller.watch = try surroundings.bus.watch(rule) { message in
            // Other programs may send such a signal to this one.
            if message.sender == "org.freedesktop.DBus", let gone = self.callers[name] { self.forget(gone) }
        }
        callers[name] = caller
        return caller
    }

    private func forget(_ caller: Caller) {
        // Another one may have its name by now.
        if callers[caller.name] === caller { callers[caller.name] = nil }
        caller.end()
    }

    /// Looks at whose connection it is, once, and holds a program to its share.
    private func check(_ caller: Caller) async throws(BusError) {
        guard caller.keychain.link.process == nil else { return }
        do throws(BusError) {
            let process = try await caller.keychain.link.identify().process
            let same = callers.values.count { $0.keychain.link.process?.process == process }
            guard same <= BridgeLimits.callersPerProcess else {
                throw .tooMany("At most \(BridgeLimits.callersPerProcess) connections of one program")
            }
        } catch {
            forget(caller)
            throw error
        }
    }

    private func vaultHasChanged(for name: String) {
        guard let caller = callers[name], let greeted = caller.keychain.link.greeted else { return }
        signalLocked(!greeted.isUnlocked, to: caller)
    }
}
