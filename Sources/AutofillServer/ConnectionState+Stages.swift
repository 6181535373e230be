// SPDX-License-Identifier: Apache-2.0

extension ConnectionState {
    enum Stage: Hashable {
        /// A complete `hello` is awaited.
        case greeting
        case serving
        /// No more is awaited: what has arrived is answered, then the connection closes.
        case draining(Ends)
        /// Nothing more is answered: what was written is sent, then the connection closes.
        case closing(Leaving)
        case closed
    }

    /// Why a connection drains.
    struct Ends: OptionSet, Hashable {
        let rawValue: UInt8
        /// The client sends no more.
        static let input = Ends(rawValue: 1)
        /// The service ends: requests that wait are refused, and no more is awaited once the client is silent.
        static let service = Ends(rawValue: 2)
        /// While the service ends, something arrived since the last check whether the client is silent.
        static let noise = Ends(rawValue: 4)
    }

    enum Leaving: Hashable {
        /// The answers of this turn, and what waits for space in the socket.
        case turn
        /// What waits for space in the socket.
        case output
    }

    /// Why nothing is read and answered for now, beside `Output.full`.
    struct Pauses: OptionSet, Hashable {
        let rawValue: UInt8
        /// The engine accepts nothing more from it.
        static let engine = Pauses(rawValue: 1)
        /// Other programs are answered.
        static let slice = Pauses(rawValue: 2)
        /// The same, before what has arrived is received.
        static let unread = Pauses(rawValue: 4)
        /// It passes descriptors, and too many others wait to be closed.
        static let descriptors = Pauses(rawValue: 8)
    }

    /// What waits for space in the socket.
    enum Output: Hashable {
        case none
        case some
        /// The client does not read: nothing more is answered until half of it is sent.
        case full
    }

    struct Actions: OptionSet, Hashable {
        let rawValue: UInt16
        /// Release everything; no action follows.
        static let close = Actions(rawValue: 1)
        /// Notify the engine that the client reads its answers, or does not.
        static let notifyReading = Actions(rawValue: 2)
        static let notifyNotReading = Actions(rawValue: 4)
        /// Answer `hello-required`.
        static let refuseSilence = Actions(rawValue: 8)
        /// Answer `stopping` to all requests that wait.
        static let refuseWaiting = Actions(rawValue: 16)
        /// Call `sliceBegins` after other programs were answered.
        static let awaitSlice = Actions(rawValue: 32)
        /// Call `engineIsReady` when the engine accepts requests again.
        static let awaitEngine = Actions(rawValue: 64)
        /// Call `turnHasEnded` when the answers of this turn are sent.
        static let awaitTurnEnd = Actions(rawValue: 128)
        /// Call `descriptorsMayArrive` when fewer descriptors wait to be closed.
        static let awaitDescriptors = Actions(rawValue: 256)
        /// Receive once, and call `bytesArrived`, `inputEnded`, `descriptorsMustWait` or `failed`.
        static let read = Actions(rawValue: 512)
        /// Answer the whole lines that were received, as far as `mayAnswer`, then call `answered`.
        static let answer = Actions(rawValue: 1024)
    }
}
