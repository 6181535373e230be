// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CWipingHeap
internal import DaemonSocket
internal import EventLoop
internal import Glibc
internal import SecretMemory
internal import SecretService
internal import Systemd

/// `org.freedesktop.secrets` on the user's bus, for programs that store their secrets by the Secret Service API. It
/// passes their requests to autofilld, and stores nothing.
@main
struct AutofillSecrets {
    static func main() {
        do throws(BridgeOptionError) {
            let options = try BridgeOptions(CommandLine.arguments.dropFirst())
            if options.wantsHelp { return print(BridgeOptions.help, to: STDOUT_FILENO) }
            if options.wantsVersion { return print("\(ProductVersion.text)\n", to: STDOUT_FILENO) }
            exit(serve(options))
        } catch {
            print("autofill-secrets: \(error.text). See autofill-secrets --help.\n", to: STDERR_FILENO)
            exit(EX_USAGE)
        }
    }

    private static func serve(_ options: BridgeOptions) -> Int32 {
        af_wipe_freed_memory()
        ProcessMemory.keepOneHeap()
        signal(SIGPIPE, SIG_IGN)
        ProcessSecrecy.forbidCoreDumps()
        DescriptorLimit.raise()
        let output = ServiceEnvironment.ofThisProcess().journalOutput
        do {
            let loop = try EventLoop()
            let bus = try Bus(on: loop, address: options.bus.map(Bus.Address.at) ?? .session) {
                loop.stop(exitCode: 0)
            }
            let journal = BridgeJournal(JournalWriter(output: output, identifier: "autofill-secrets"), on: loop)
            let environment = BridgeEnvironment(
                loop: loop, bus: bus, daemon: .ofThisProcess(path: options.socket), journal: journal, user: getuid(),
                hold: options.hold)
            let bridge = SecretBridge(environment, isNumbered: options.isNumbered)
            let name = options.name
            try bridge.assumeIsolated { bridge in
                try bridge.serve(as: name) { error in
                    print("autofill-secrets: cannot acquire the bus name \(name): \(error)\n", to: STDERR_FILENO)
                    loop.stop(exitCode: EX_UNAVAILABLE)
                }
            }
            return try loop.run()
        } catch {
            print("autofill-secrets: \(error)\n", to: STDERR_FILENO)
            return EX_OSERR
        }
    }

    private static func print(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
