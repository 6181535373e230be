// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport
import Foundation

/// What a helper's answer costs git and docker: the whole process, from its start to its end, against true(1).
struct HelperStart {
    private static let git = Array("protocol=https\nhost=git.example\n\n".utf8)
    private static let docker = Array("https://index.docker.io/v1/".utf8)
    private let environment: BenchmarkEnvironment

    init(_ environment: BenchmarkEnvironment) { self.environment = environment }

    func measure(_ figures: inout Figures) throws {
        let apps = environment.folder + "/helpers"
        try FileManager.default.createDirectory(atPath: apps, withIntermediateDirectories: true)
        for app in ["org.git-scm.git", "com.docker.cli"] {
            let registration = """
                {"bundleID":"\(app)","name":"\(app)","executables":[],
                "entitlements":{"org.autofilld.credential-helper":true}}
                """
            try registration.write(toFile: "\(apps)/\(app).json", atomically: true, encoding: .utf8)
        }
        let socket = environment.folder + "/h"
        let daemon = try Server(
            "autofilld", ["--ephemeral", "--consent", "allow", "--registrations", apps, "--socket", socket],
            socket: socket, log: environment.folder + "/log", greeting: Lines.hello)
        let variables = ["AUTOFILLD_SOCKET": daemon.socket]
        func helper(_ arguments: [String], _ input: [UInt8]) throws -> ProcessTime {
            try ProcessTime(of: Server.path(of: "autofill-credential"), arguments, variables, input: input)
        }
        _ = try helper(["git", "store"], Array("protocol=https\nhost=git.example\nusername=ann\npassword=x\n".utf8))
        _ = try helper(
            ["docker", "store"],
            Array(#"{"ServerURL":"https://index.docker.io/v1/","Username":"ann","Secret":"x"}"#.utf8))
        for (name, arguments, input) in [
            ("git-credential-autofill get", ["git", "get"], Self.git),
            ("docker-credential-autofill get", ["docker", "get"], Self.docker),
        ] {
            var (whole, bare) = (Timing(), Timing())
            for _ in 0..<(environment.isQuick ? 40 : 200) {
                bare.add(try ProcessTime(of: "/bin/true", [], [:], input: []).milliseconds)
                let run = try helper(arguments, input)
                guard run.outputBytes > 20 else { throw BenchmarkFault("\(name) was not answered") }
                whole.add(run.milliseconds)
            }
            figures.add(
                Figure(
                    name: "\(name), the whole process", unit: "ms", value: whole.median, p99: whole.percentile(0.99),
                    bare: bare.median, bareP99: bare.percentile(0.99)))
            figures.add(Figure(name: "\(name), at most", unit: "ms", value: whole.median, atMost: 25))
        }
    }
}

/// A process that was run to its end.
private struct ProcessTime {
    let milliseconds: Double
    let outputBytes: Int

    init(of program: String, _ arguments: [String], _ added: [String: String], input: [UInt8]) throws {
        var (given, written): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&given) == 0, pipe(&written) == 0 else { throw BenchmarkFault("no pipe") }
        for end in given + written { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, given[0], 0)
        posix_spawn_file_actions_adddup2(&actions, written[1], 1)
        let list = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = ProcessInfo.processInfo.environment.merging(added) { $1 }
        let environ = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in list + environ { free(text) } }
        _ = write(given[1], input, input.count)
        let start = ContinuousClock.now
        var process: pid_t = 0
        let failure = posix_spawn(&process, program, &actions, nil, list, environ)
        for end in [given[0], given[1], written[1]] { close(end) }
        guard failure == 0 else { throw BenchmarkFault("\(program) does not start") }
        var (buffer, total) = ([UInt8](repeating: 0, count: 4096), 0)
        while case let count = read(written[0], &buffer, buffer.count), count > 0 { total += count }
        close(written[0])
        waitpid(process, nil, 0)
        milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        outputBytes = total
    }
}
