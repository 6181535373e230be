// SPDX-License-Identifier: Apache-2.0

extension ConnectionState {
    enum Stage: Hashable {
        /// A finished `hello` is awaited.
        case greeting
        case serving
        /// No more is awaited: what has arrived is answered, then the connection closes.
        case draining(Ends)
        /// Nothing more is answered: what was written leaves, then the connection closes.
        case closing(Leaving)
        case closed
    }

    /// Why a connection drains.
    struct Ends: OptionSet, Hashable {
        let rawValue: UInt8
        /// The client sends no more.
        static let input = Ends(rawValue: 1)
        /// The service ends: what waits is refused, and no more is awaited once the client is silent.
        static let service = Ends(rawValue: 2)
        /// Since the service ends, something arrived since it was last looked whether the client is silent.
        static let noise = Ends(rawValue: 4)
    }

    enum Leaving: Hashable {
        /// The answers of this turn, and what waits for room in the socket.
        case turn
        /// What waits for room in the socket.
        case output
    }

    /// Why nothing is read and answered for now, beside `Output.full`.
    struct Pauses: OptionSet, Hashable {
        let rawValue: UInt8
        /// The engine takes nothing more from it.
        static let engine = Pauses(rawValue: 1)
        /// Others have their turn.
        static let turn = Pauses(rawValue: 2)
        /// The same, before what has arrived is received.
        static let unread = Pauses(rawValue: 4)
    }

    /// What waits for room in the socket.
    enum Output: Hashable {
        case none
        case some
        /// The client does not read: nothing more is answered until half of it has left.
        case full
    }

    struct Actions: OptionSet, Hashable {
        let rawValue: UInt16
        /// Give back everything; nothing is done after it.
        static let close = Actions(rawValue: 1)
        /// Tell the engine that the client takes its answers, or does not.
        static let tellTaking = Actions(rawValue: 2)
        static let tellNotTaking = Actions(rawValue: 4)
        /// Answer `hello-required`.
        static let refuseSilence = Actions(rawValue: 8)
        /// Answer `stopping` to all that waits.
        static let refuseWaiting = Actions(rawValue: 16)
        /// Call `turnCame` after others had their turn.
        static let awaitTurn = Actions(rawValue: 32)
        /// Call `engineTakes` when the engine takes something again.
        static let awaitEngine = Actions(rawValue: 64)
        /// Call `turnLeft` when the answers of this turn have left.
        static let awaitTurnEnd = Actions(rawValue: 128)
        /// Receive once, and call `bytesArrived`, `inputEnded` or `failed`.
        static let read = Actions(rawValue: 256)
        /// Answer the whole lines that were received, as far as `mayAnswer`, then call `answered`.
        static let answer = Actions(rawValue: 512)
    }
}
