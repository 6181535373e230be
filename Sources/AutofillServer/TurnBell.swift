// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
    internal import Glibc
#endif

/// Has something done on the event loop after it has looked at all sockets again: a byte to oneself. A task would not do: the
/// loop runs all tasks, also those that tasks add, before it looks at the sockets.
final class TurnBell: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let descriptor: Int32
    private var answer: (() -> Void)?
    private var isRung = false

    private init(descriptor: Int32, answer: @escaping () -> Void) {
        self.descriptor = descriptor
        self.answer = answer
    }

    deinit { close(descriptor) }

    /// Makes one on its event loop. Fails where there are no descriptors left.
    static func make(
        on eventLoop: any EventLoop, answer: @escaping () -> Void
    ) -> EventLoopFuture<NIOLoopBound<TurnBell>> {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            return eventLoop.makeFailedFuture(IOError(errnoCode: errno, reason: "socketpair"))
        }
        let bell = NIOLoopBound(TurnBell(descriptor: ends[1], answer: answer), eventLoop: eventLoop)
        return ClientBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bell.value) }
            }
            .withConnectedSocket(ends[0])
            .map { _ in bell }
    }

    /// Rings once, however often it is called before that is heard.
    ///
    /// - Returns: false where that cannot be.
    func ring() -> Bool {
        var byte: UInt8 = 0
        if !isRung { isRung = send(descriptor, &byte, 1, Int32(MSG_NOSIGNAL)) == 1 }
        return isRung
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isRung = false
        answer?()
    }

    /// The loop has ended: nothing holds on to what is to be done.
    func handlerRemoved(context: ChannelHandlerContext) { answer = nil }
}
