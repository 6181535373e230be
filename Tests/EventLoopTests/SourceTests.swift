// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import TestGround
import Testing

/// Sources of the kernel's: real sockets, signals, processes and directories.
@Suite(.blocking) struct SourceTests {
    private let loop: EventLoop
    private let log = Log()
    init() throws { loop = try EventLoop() }

    @Test("A descriptor is reported as long as it is ready; a source that is off, or released, reports nothing")
    func io()
        throws
    {
        let (near, far) = try socketPair()
        defer { closeAll(near, far) }
        var source: IOSource? = try IOSource(on: loop, descriptor: near, events: .readable) { [log] events in
            log.add("\(events.rawValue)")
        }
        write(far, "x")
        try loop.turn()
        try loop.turn()
        #expect(log.lines == ["1", "1"])
        source?.isEnabled = false
        try loop.runUntilIdle()
        source?.isEnabled = true
        source?.setEvents(.writable)
        try loop.turn()
        #expect(log.lines == ["1", "1", "4"])
        source = nil
        try loop.runUntilIdle()
        #expect(log.lines.count == 3 && source == nil)
    }

    @Test("A source may be released by its own handler, and by that of another that is ready too") func releasing()
        throws
    {
        let (near, far) = try socketPair()
        defer { closeAll(near, far) }
        var sources: [IOSource] = []
        for descriptor in [near, far] {
            sources.append(
                try IOSource(on: loop, descriptor: descriptor, events: .writable) { [log] _ in
                    sources = []
                    log.add("once")
                })
        }
        try loop.runUntilIdle()
        #expect(log.lines == ["once"] && sources.isEmpty)
    }

    @Test("A source of higher priority is served first") func priority() throws {
        let pairs = try [socketPair(), socketPair()]
        defer { for pair in pairs { closeAll(pair.0, pair.1) } }
        var sources: [IOSource] = []
        for (name, pair, priority) in [("low", pairs[0], Int64(10)), ("high", pairs[1], -10)] {
            sources.append(
                try IOSource(on: loop, descriptor: pair.0, events: .readable, priority: priority) { [log] _ in
                    log.add(name)
                    _ = receive(pair.0)
                })
            write(pair.1, "x")
        }
        try loop.runUntilIdle()
        #expect(log.lines == ["high", "low"])
        sources = []
    }

    @Test("A signal arrives at the loop, and nowhere else", arguments: [SIGTERM, SIGINT, SIGHUP]) func signal(
        number: Int32
    ) throws {
        let source = try SignalSource(on: loop, signal: number) { [log] in log.add("arrived") }
        // To this thread alone: the others of the test program do not block it.
        raise(number)
        try loop.runUntilIdle()
        #expect(log.lines == ["arrived"])
        withExtendedLifetime(source) {}
    }

    @Test(
        "A child's end is reported once, with its status or its signal, without SIGCHLD",
        arguments: [("exit 0", ProcessEnd.exited(0)), ("exit 42", .exited(42)), ("kill -KILL $$", .signalled(9))])
    func child(script: String, end: ProcessEnd) throws {
        let process = try shell("read line; \(script)")
        var ends: [ProcessEnd] = []
        let source = try ChildSource(on: loop, process: process.id) { ends.append($0) }
        try loop.runUntilIdle()
        #expect(ends == [])
        write(process.input, "\n")
        #expect(try loop.run(until: { !ends.isEmpty }))
        try loop.runUntilIdle()
        #expect(ends == [end])
        #expect(waitpid(process.id, nil, WNOHANG) == -1, "it is still on the kernel's list")
        close(process.input)
        withExtendedLifetime(source) {}
    }

    @Test(
        "Changes in a directory are reported with the file's name; a directory that is deleted, and one that is missing, too"
    )
    func directory() throws {
        var template = Array("/tmp/autofill-loop.XXXXXX".utf8CString)
        let path = String(cString: try #require(mkdtemp(&template)))
        var seen: [String] = []
        let source = try InotifySource(on: loop, path: path, events: .directoryChanged) { events, name in
            if events.contains(.ended) { seen.append("ended") }
            if let name, !events.isDisjoint(with: [.writtenAndClosed, .movedTo, .deleted]) { seen.append(name) }
        }
        close(open("\(path)/a.json", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        #expect(try loop.run(until: { seen == ["a.json"] }))
        rename("\(path)/a.json", "\(path)/b.json")
        #expect(try loop.run(until: { seen == ["a.json", "b.json"] }))
        unlink("\(path)/b.json")
        rmdir(path)
        #expect(try loop.run(until: { seen == ["a.json", "b.json", "b.json", "ended"] }))
        #expect(throws: LoopError(operation: "sd_event_add_inotify", errno: ENOENT)) {
            try InotifySource(on: loop, path: path, events: .directoryChanged) { _, _ in }
        }
        withExtendedLifetime(source) {}
    }

    /// A shell that reads from a socket.
    private func shell(_ script: String) throws -> (id: pid_t, input: Int32) {
        let (near, far) = try socketPair()
        defer { close(far) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, far, 0)
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/sh"), strdup("-c"), strdup(script)]
        defer { for argument in arguments { free(argument) } }
        var id: pid_t = 0
        try #require(posix_spawn(&id, "/bin/sh", &actions, nil, arguments + [nil], nil) == 0)
        return (id, near)
    }
}
