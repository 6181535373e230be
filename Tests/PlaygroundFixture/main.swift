// SPDX-License-Identifier: Apache-2.0
import Glibc
import RulesPlayground
import SiteKnowledge

// A process with the real server. `serve` prints the address and serves; `idle` does the same with a clock that jumps to
// the end of the idle time; `probe` confines itself, and then reports which of the things that it must not be able to do
// fail.

/// Whether the system refused it, and not for another reason.
func report(_ what: String, _ result: Int) {
    print(what, result == -1 && errno == EPERM ? "refused" : "done", separator: ": ")
}

func probe() {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    // Opened before: only its use is refused.
    let former = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    do {
        try PlaygroundServer(Playground(PublicSiteData())).confine()
    } catch {
        return print("not confined: \(error)")
    }
    report("open", Int(open("/etc/passwd", O_RDONLY)))
    report("create", Int(open("/tmp/autofill-probe", O_WRONLY | O_CREAT, 0o600)))
    report("list", opendir("/") == nil ? -1 : 0)
    report("remove", Int(unlink("/nonexistent")))
    report("socket", Int(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)))
    let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(former, $0, size) }
    }
    report("connect", Int(isConnected))
    report("execute", Int(execv("/bin/true", [nil])))
    var child: pid_t = 0
    errno = posix_spawn(&child, "/bin/true", nil, nil, [nil], nil)
    report("spawn", errno == 0 ? 0 : -1)
    report("kill", Int(kill(getppid(), 0)))
    var thread = pthread_t()
    errno = pthread_create(&thread, nil, { _ in nil }, nil)
    report("thread", errno == 0 ? 0 : -1)
}

/// As the command does: in an asynchronous function of the main thread, which then returns.
func serve(_ now: @escaping () -> ContinuousClock.Instant) async {
    do {
        let rules = PublicSiteData.Rules(descriptor: "minlength: 8; required: digit;", isExact: false)
        let playground = Playground(PublicSiteData(rules: ["shop.example.com": rules]))
        let server = try PlaygroundServer(playground, now: now)
        print(server.address)
        fflush(nil)
        try server.confine()
        server.run()
    } catch {
        print("not started: \(error)")
    }
}

var calls = 0

switch CommandLine.arguments.dropFirst().first {
case "probe": probe()
case "idle":
    await serve {
        calls += 1
        return .now + (calls == 1 ? .zero : PlaygroundLimits.idleTime)
    }
default: await serve { .now }
}
