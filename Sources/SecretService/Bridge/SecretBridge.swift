// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import EventLoop
package import Systemd

/// `org.freedesktop.secrets` on the bus of a user: passes the requests of each program to the daemon, as its delegate,
/// and stores nothing.
package actor SecretBridge {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let objects: BridgeObjects
    private var callNumber: UInt64 = 0
    private let messages = UnfinishedAnswers.ofMessages()

    var environment: BridgeEnvironment { objects.environment }

    /// - Parameter isNumbered: whether items' paths end in numbers.
    package init(_ environment: sending BridgeEnvironment, isNumbered: Bool) {
        loop = environment.loop
        objects = BridgeObjects(environment, names: ItemNames(isNumbered: isNumbered))
    }

    /// Answers calls from now on, under a name.
    ///
    /// - Parameter end: is called if the name cannot be acquired because another service has it.
    package func serve(as name: String, end: @escaping @Sendable (BusError) -> Void) throws(BusError) {
        for object in [SecretServiceNames.root, PortalRequest.desktop] {
            try environment.bus.serve(object) { self.receive($0) }
        }
        try environment.bus.requestName(name) { outcome in
            if case .failure(let error) = outcome { end(error) }
        }
    }

    private func receive(_ message: BusMessage) {
        guard let sender = message.sender else { return }
        let caller: Caller
        let held: HeldBytes
        do throws(BusError) {
            // A call that waits keeps its message: so before anything waits.
            let bytes = try MessageSize(of: message, upTo: BridgeLimits.messageBytes).bytes
            guard bytes <= BridgeLimits.messageBytes else {
                throw .invalid("A call has at most \(BridgeLimits.messageBytes) bytes")
            }
            caller = try admit(sender)
            guard caller.callCount < BridgeLimits.callsPerCaller else {
                throw .tooMany("At most \(BridgeLimits.callsPerCaller) calls of one connection at a time")
            }
            held = HeldBytes(messages, of: Self.quotaKey(of: caller) ?? sender)
            try held.add(bytes + BridgeLimits.messageBytesPerCall)
        } catch { return environment.bus.fail(message, error.reply) }
        caller.callCount += 1
        Task.immediate {
            do throws(BusError) {
                try await self.check(caller)
                // Else the connections of a process would have a quota each for their first calls.
                if let process = Self.quotaKey(of: caller) { try held.move(to: process) }
                try await self.answer(message, of: caller)
            } catch {
                self.environment.bus.fail(message, error.reply)
            }
            caller.callCount -= 1
            held.end()
        }
    }

    // MARK: - Callers

    /// For its messages: its process, once that is known.
    private static func quotaKey(of caller: Caller) -> String? {
        caller.keychain.link.process.map { "\($0.process)" }
    }

    /// The caller with a name; a new one if the limit permits it.
    private func admit(_ name: String) throws(BusError) -> Caller {
        callNumber += 1
        if let caller = objects.callers[name] {
            caller.lastCall = callNumber
            return caller
        }
        if objects.callers.count >= BridgeLimits.callers {
            let idle = objects.callers.values.filter(\.isIdle).min { $0.lastCall < $1.lastCall }
            guard let idle else { throw .tooMany("Too many programs use the Secret Service") }
            forget(idle)
        }
        let link = CallerLink(to: name, environment) { self.vaultHasChanged(for: name) }
        let caller = Caller(Keychain(link, memory: objects.memory, answers: objects.answers))
        caller.lastCall = callNumber
        let rule = """
            type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',\
            arg0='\(name)',arg2=''
            """
        caller.watch = try environment.bus.watch(rule) { message in
            // Other programs may send such a signal to this one.
            if message.sender == "org.freedesktop.DBus", let gone = self.objects.callers[name] { self.forget(gone) }
        }
        objects.callers[name] = caller
        return caller
    }

    private func forget(_ caller: Caller) {
        // Another connection may have its name by now.
        if objects.callers[caller.name] === caller { objects.callers[caller.name] = nil }
        caller.end()
    }

    /// Identifies the process of a connection, once, and limits the number of its connections.
    private func check(_ caller: Caller) async throws(BusError) {
        guard caller.keychain.link.process == nil else { return }
        do throws(BusError) {
            let process = try await caller.keychain.link.identify().process
            let same = objects.callers.values.count { $0.keychain.link.process?.process == process }
            guard same <= BridgeLimits.callersPerProcess else {
                throw .tooMany("At most \(BridgeLimits.callersPerProcess) connections of one program")
            }
        } catch {
            forget(caller)
            throw error
        }
    }

    private func vaultHasChanged(for name: String) {
        guard let caller = objects.callers[name], let greeted = caller.keychain.link.greeted else { return }
        objects.signalLocked(!greeted.isUnlocked, to: caller)
    }
}
