// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#endif

/// One connection: bytes in, lines to the broker, answers out. Runs on the event loop only.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: ServerLoop
    private let client: ClientID
    /// The channel's socket. To be used only while there is a context and the channel is active: closing happens on the
    /// event loop, and takes both away before the number can be another's.
    private let descriptor: Int32
    private var framing = LineFraming(maximumLength: Limits.lineBytes)
    /// What was read and not yet answered.
    private var unread = ByteBuffer()
    private var context: ChannelHandlerContext?
    private var helloTimeout: Scheduled<Void>?
    /// The client has sent all it will send.
    private var inputEnded = false
    /// The rest of `unread` has its turn in the next round of the loop.
    private var turnIsScheduled = false
    /// A read that was asked for while reading was paused.
    private var readIsHeldBack = false
    /// How often something arrived.
    private var reads = 0
    /// Whether the channel's queue has room: how the channel said last.
    private var isWritable = true
    /// How many writes wait in the channel for room in the socket.
    private var queuedWrites = 0
    private var isHeldUp = false
    private var isStopping = false
    private var isEnding = false

    init(server: ServerLoop, client: ClientID, descriptor: Int32) {
        self.server = server
        self.client = client
        self.descriptor = descriptor
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        server.add(self, client)
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        helloTimeout = context.eventLoop.scheduleTask(in: .milliseconds(Int64(Limits.helloMilliseconds))) {
            loopBound.value.refuseSilence()
        }
    }

    /// The end of the connection, also of one that never became active.
    func handlerRemoved(context: ChannelHandlerContext) {
        helloTimeout?.cancel()
        SecretWipe.wipe(&unread)
        server.remove(client)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reads += 1
        var read = unwrapInboundIn(data)
        if unread.readableBytes == 0 {
            unread = read
        } else {
            unread.writeImmutableBuffer(read)
            SecretWipe.wipe(&read)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        answer()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            inputEnded = true
            answer()
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        server.broker.setTaking(isWritable, client)
        if isWritable { answer() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Reading goes on only when what was read is answered and the client takes its answers: that is the back-pressure.
    func read(context: ChannelHandlerContext) {
        if mayRead { context.read() } else { readIsHeldBack = true }
    }

    private var mayRead: Bool { !turnIsScheduled && mayAnswer && context != nil }

    /// Whether the client takes its answers, and its requests have not to wait for the vault.
    private var mayAnswer: Bool { isWritable && !server.broker.isHeldUp(client) }

    /// The vault is back, which so many of its requests wait for that nothing more was taken from it.
    func goOn() {
        isHeldUp = false
        answer()
    }

    /// Answers the whole lines at hand, as far as this turn goes.
    private func answer() {
        guard let context, !turnIsScheduled else { return }
        if !isHeldUp, server.broker.isHeldUp(client) {
            isHeldUp = true
            server.holdUp(self)
        }
        var lines = 0
        let end = NIODeadline.now() + .microseconds(Int64(Limits.turnMicroseconds))
        while mayAnswer, nextLine() {
            lines += 1
            guard unread.readableBytes > 0 else { continue }
            // Long answers count too: whether the client takes them shows when they have left.
            if lines == Limits.linesPerTurn || server.unclaimedBytes >= Limits.unreadAnswerBytes
                || NIODeadline.now() >= end
            {
                turnIsScheduled = true
                server.goOnLater(self)
                break
            }
        }
        if inputEnded, mayRead, unread.readableBytes > 0 { answerLastLine() }
        server.send(to: self)
        if helloTimeout != nil, server.broker.hasGreeted(client) {
            helloTimeout?.cancel()
            helloTimeout = nil
        }
        if mayRead, readIsHeldBack {
            readIsHeldBack = false
            context.read()
        }
        closeIfDone()
    }

    /// Answers one line; false when there is none.
    private func nextLine() -> Bool {
        switch unread.withUnsafeReadableBytes({ framing.next(in: $0) }) {
        case .needsMore:
            compact()
            return false
        case .line(let length):
            answerLine(of: length)
            discard(length + 1)
        case .tooLong(let dropped):
            server.reject(ProtocolProblem(.lineTooLong))
            discard(dropped)
        case .skip(let dropped):
            discard(dropped)
        }
        return true
    }

    private func answerLine(of length: Int) {
        let deferred = unread.withUnsafeReadableBytes { bytes in
            let line = UnsafeRawBufferPointer(rebasing: bytes[..<length])
            return line.isBlank ? nil : server.receive(line, from: client)
        }
        guard let deferred else { return }
        if isStopping { stopWaiting() } else { server.run(deferred, for: self) }
    }

    /// The last line may go without its line feed.
    private func answerLastLine() {
        let length = unread.readableBytes
        answerLine(of: length)
        discard(length)
    }

    /// What was answered is erased where it lies.
    private func discard(_ count: Int) {
        var answered = unread.readSlice(length: count) ?? ByteBuffer()
        SecretWipe.wipe(&answered)
    }

    private func compact() {
        if unread.readableBytes == 0 { unread = ByteBuffer() } else { unread.discardReadBytes() }
    }

    /// All others have had their turn.
    func goOnWithTurn() {
        turnIsScheduled = false
        answer()
    }

    private func refuseSilence() {
        helloTimeout = nil
        guard context != nil else { return }
        server.reject(ProtocolProblem(.helloRequired))
        server.send(to: self)
        server.close(self)
    }

    /// Sends what the socket takes at once, straight from the writer's memory; the rest waits in the channel for room.
    func transmit(_ answers: UnsafeRawBufferPointer) {
        guard let context, context.channel.isActive else { return }
        var sent = 0
        if queuedWrites == 0 {
            // An error is for the channel's own write to find, which then closes.
            sent = max(0, send(descriptor, answers.baseAddress, answers.count, Int32(MSG_NOSIGNAL)))
        }
        guard sent < answers.count else { return }
        var rest = context.channel.allocator.buffer(capacity: answers.count - sent)
        rest.writeBytes(UnsafeRawBufferPointer(rebasing: answers[sent...]))
        queuedWrites += 1
        let loopBound = NIOLoopBound((self, rest), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(rest)).whenComplete { _ in
            var (connection, rest) = loopBound.value
            connection.queuedWrites -= 1
            SecretWipe.wipe(&rest)
        }
    }

    /// Closes without the answers.
    func abort() { context?.close(promise: nil) }

    /// Writes what a request that waited got.
    func finish(_ deferred: Deferred, with derived: Deferred.Derived) {
        let next = server.resume(deferred, with: derived)
        if context != nil { server.send(to: self) } else { server.dropAnswers() }
        if let next { server.run(next, for: self) }
        if context != nil { closeIfDone() }
    }

    /// What could not be run because the service ends.
    func drop(_ deferred: Deferred) { server.broker.drop(deferred) }

    /// Sends what was written for this connection without a request.
    func sendDelivered(_ deferred: Deferred?) {
        guard context != nil else {
            server.dropAnswers()
            if let deferred { drop(deferred) }
            return
        }
        server.send(to: self)
        if let deferred { server.run(deferred, for: self) }
        answer()
    }

    private func closeIfDone() {
        guard inputEnded, !turnIsScheduled else { return }
        guard !server.broker.hasWaiting(client), unread.readableBytes == 0 else { return }
        end()
    }

    private func end() {
        guard !isEnding else { return }
        isEnding = true
        server.close(self)
    }

    /// The end, once the last answers are on their way. What the client has not read yet stays in its socket.
    func close() {
        guard let context else { return }
        // A write without bytes is done when all before it are.
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            loopBound.value.close(promise: nil)
        }
    }

    /// The service ends: what waits gets `stopping`, what has arrived is answered, and when nothing more arrives the
    /// connection closes. Closed with bytes unread, a socket would take back answers that are on their way.
    func stop() {
        guard let context else { return }
        isStopping = true
        stopWaiting()
        answer()
        closeWhenQuiet(context, after: reads)
    }

    /// Refuses what waits. What was written is this connection's before another one writes.
    private func stopWaiting() {
        server.stopWaiting(client)
        server.send(to: self)
    }

    private func closeWhenQuiet(_ context: ChannelHandlerContext, after known: Int) {
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(20)) {
            let connection = loopBound.value
            guard let context = connection.context else { return }
            let isQuiet = connection.reads == known && connection.mayRead
            if isQuiet { connection.end() } else { connection.closeWhenQuiet(context, after: connection.reads) }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the line has nothing but white space; such a line is passed over.
    fileprivate var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
