// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Fixtures/recorder.c, in a process that was started with it.
struct DiskRecorder {
    private let beginning: @convention(c) (UnsafePointer<CChar>) -> Void
    private let pausing, resuming: @convention(c) () -> Void
    private let length, counting: @convention(c) () -> Int
    private let bytes: @convention(c) () -> UnsafeRawPointer?
    private let refusal: @convention(c) (Int32) -> Void

    /// nil in a process without it.
    init?() {
        guard let all = dlopen(nil, RTLD_NOW), let beginning = dlsym(all, "recorder_begin"),
            let pausing = dlsym(all, "recorder_pause"),
            let resuming = dlsym(all, "recorder_resume"), let length = dlsym(all, "recorder_length"),
            let counting = dlsym(all, "recorder_count"), let bytes = dlsym(all, "recorder_events"),
            let refusal = dlsym(all, "recorder_refuse_links")
        else { return nil }
        self.beginning = unsafeBitCast(beginning, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self)
        self.pausing = unsafeBitCast(pausing, to: (@convention(c) () -> Void).self)
        self.resuming = unsafeBitCast(resuming, to: (@convention(c) () -> Void).self)
        self.length = unsafeBitCast(length, to: (@convention(c) () -> Int).self)
        self.counting = unsafeBitCast(counting, to: (@convention(c) () -> Int).self)
        self.bytes = unsafeBitCast(bytes, to: (@convention(c) () -> UnsafeRawPointer?).self)
        self.refusal = unsafeBitCast(refusal, to: (@convention(c) (Int32) -> Void).self)
    }

    func begin(in folder: String) { beginning(folder) }
    /// How many events there are.
    var count: Int { counting() }
    func pause() { pausing() }
    func resume() { resuming() }

    /// Whether hard links fail as on a file system without them.
    func refuseLinks(_ isRefused: Bool) { refusal(isRefused ? 1 : 0) }

    /// What was done since `begin`, in order; paths are relative to the folder.
    func events(in folder: String) throws -> [DiskEvent] {
        let count = length()
        guard count > 0, let start = bytes() else { return [] }
        return try DiskEvent.all(in: UnsafeRawBufferPointer(start: start, count: count), below: folder)
    }
}

/// One thing that a process did to its files.
enum DiskEvent {
    case open(Int32, path: String, isNew: Bool, isEmptied: Bool)
    case write(Int32, at: Int, [UInt8])
    case resize(Int32, to: Int)
    /// Makes the file that long at least.
    case allocate(Int32, to: Int)
    case sync(Int32)
    case rename(String, to: String)
    case link(String, to: String)
    case remove(String)
    case makeFolder(String)

    /// Whether it changes names.
    var isOfNames: Bool {
        switch self {
        case .rename, .link, .remove, .makeFolder: true
        case .open(_, _, let isNew, _): isNew
        default: false
        }
    }

    var isWrite: Bool { if case .write = self { true } else { false } }
    var isRename: Bool { if case .rename = self { true } else { false } }

    /// For a message.
    var description: String {
        switch self {
        case .open(_, let path, let isNew, _): "\(isNew ? "make" : "open") \(path)"
        case .write(let file, let position, let bytes): "write \(bytes.count) bytes to \(file) at \(position)"
        case .resize(let file, let length): "resize \(file) to \(length)"
        case .allocate(let file, let length): "allocate \(length) for \(file)"
        case .sync(let file): "sync \(file)"
        case .rename(let old, let new): "rename \(old) to \(new)"
        case .link(let old, let new): "link \(old) as \(new)"
        case .remove(let path): "remove \(path)"
        case .makeFolder(let path): "make folder \(path)"
        }
    }

    fileprivate static func all(in bytes: UnsafeRawBufferPointer, below folder: String) throws -> [DiskEvent] {
        var events: [DiskEvent] = []
        var start = 0
        while start < bytes.count {
            let kind = bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
            let file = bytes.loadUnaligned(fromByteOffset: start + 4, as: Int32.self)
            let value = Int(bytes.loadUnaligned(fromByteOffset: start + 8, as: Int64.self))
            let counts = [16, 20].map { Int(bytes.loadUnaligned(fromByteOffset: start + $0, as: UInt32.self)) }
            let first = UnsafeRawBufferPointer(rebasing: bytes[start + 24..<start + 24 + counts[0]])
            start += 24 + counts[0]
            let second = UnsafeRawBufferPointer(rebasing: bytes[start..<start + counts[1]])
            start += counts[1]
            func path(_ bytes: UnsafeRawBufferPointer) throws -> String {
                let path = String(decoding: bytes, as: UTF8.self)
                try #require(path.hasPrefix(folder), "a rename to or from elsewhere: \(path)")
                return String(path.dropFirst(folder.count + 1))
            }
            let event: DiskEvent
            switch kind {
            case 1: event = .open(file, path: try path(first), isNew: value == 1, isEmptied: value == 2)
            case 2: event = .write(file, at: value, Array(first))
            case 3: event = .resize(file, to: value)
            case 4: event = .allocate(file, to: value)
            case 5: event = .sync(file)
            case 6: event = .rename(try path(first), to: try path(second))
            case 7: event = .link(try path(first), to: try path(second))
            case 8: event = .remove(try path(first))
            case 9: event = .makeFolder(try path(first))
            default:
                throw UnsupportedCall(name: String(decoding: first, as: UTF8.self))
            }
            events.append(event)
        }
        return events
    }

    /// A call that is not replayed: recorder.c and `SimulatedDisk` have to learn it first.
    struct UnsupportedCall: Error { let name: String }
}
