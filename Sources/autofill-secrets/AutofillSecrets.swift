// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CWipingHeap
internal import DaemonSocket
internal import EventLoop
internal import Glibc
internal import SecretService
internal import Systemd

/// `org.freedesktop.secrets` on the user's bus, for the programs that keep their secrets by the Secret Service API. It hands what
/// they ask to autofilld, and keeps nothing.
@main
struct AutofillSecrets {
    static func main() {
        do throws(BridgeOptionError) {
            let options = try BridgeOptions(CommandLine.arguments.dropFirst())
            if options.wantsHelp { return say(BridgeOptions.help, to: STDOUT_FILENO) }
            if options.wantsVersion { return say("\(ProductVersion.text)\n", to: STDOUT_FILENO) }
            exit(serve(options))
        } catch {
            say("autofill-secrets: \(error.text). See autofill-secrets --help.\n", to: STDERR_FILENO)
            exit(EX_USAGE)
        }
    }

    private static func serve(_ options: BridgeOptions) -> Int32 {
        af_wipe_freed_memory()
        ProcessMemory.keepOneHeap()
        signal(SIGPIPE, SIG_IGN)
        forbidCoreDumps()
        DescriptorLimit.raise()
        let environment = ServiceEnvironment.ofThisProcess()
        let output = environment.journalOutput
        do {
            let loop = try EventLoop()
            let bus = try Bus(on: loop, address: options.bus.map(Bus.Address.at) ?? .session) {
                loop.stop(exitCode: 0)
            }
            let journal = BridgeJournal(JournalWriter(output: output, identifier: "autofill-secrets"), on: loop)
            let surroundings = Surroundings(
                loop: loop, bus: bus, daemon: .ofThisProcess(path: options.socket), journal: journal, user: getuid(),
                hold: options.hold)
            let bridge = SecretBridge(surroundings, isNumbered: options.isNumbered)
            let name = options.name
            try bridge.assumeIsolated { bridge in
                try bridge.serve(as: name) { error in
                    say("autofill-secrets: \(name) cannot be had on the bus: \(error)\n", to: STDERR_FILENO)
                    loop.stop(exitCode: EX_UNAVAILABLE)
                }
            }
            return try loop.run()
        } catch {
            say("autofill-secrets: \(error)\n", to: STDERR_FILENO)
            return EX_OSERR
        }
    }

    /// The process must stay open to the daemon's looks, and so cannot be PR_SET_DUMPABLE 0.
    private static func forbidCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    private static func say(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
