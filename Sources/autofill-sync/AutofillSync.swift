// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop
internal import Glibc
internal import SyncCarrier
internal import Systemd

/// Carries sealed files between the daemon's spool and a folder or git remote. It has no key, and no connection to the
/// daemon.
@main
struct AutofillSync {
    static func main() {
        do throws(SyncOptionError) {
            let options = try SyncOptions(CommandLine.arguments.dropFirst())
            if options.wantsHelp { return print(SyncOptions.help, to: STDOUT_FILENO) }
            if options.wantsVersion { return print("\(ProductVersion.text)\n", to: STDOUT_FILENO) }
            let spool = SpoolDirectory(try options.spoolPath())
            exit(options.isOnce ? carryOnce(spool, options.readable) : serve(spool, options.readable))
        } catch {
            print("autofill-sync: \(error.text). See autofill-sync --help.\n", to: STDERR_FILENO)
            exit(EX_USAGE)
        }
    }

    /// SIGTERM is not handled: each file is written in one step, and a folder that hangs must not delay the end.
    private static func serve(_ spool: SpoolDirectory, _ readable: [String]) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        let environment = ServiceEnvironment.ofThisProcess()
        do {
            let loop = try EventLoop()
            let journal = JournalWriter(output: environment.journalOutput, identifier: "autofill-sync")
            let log = CarrierLog(journal, environment.notifier(on: loop))
            let process = CarrierProcess(spool, readable: readable, on: loop, log)
            process.start()
            return try withExtendedLifetime(process) { () throws(LoopError) in try loop.run() }
        } catch {
            print("autofill-sync: \(error)\n", to: STDERR_FILENO)
            return EX_OSERR
        }
    }

    /// One round, for `--once`.
    private static func carryOnce(_ spool: SpoolDirectory, _ readable: [String]) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        switch spool.readConfiguration() {
        case .absent: return EX_OK
        case .unusable(let problem):
            print("autofill-sync: \(problem.detail)\n", to: STDERR_FILENO)
            return EX_DATAERR
        case .read(let configuration):
            var confinement = Confinement(to: configuration.location, spool: spool, readable: readable)
            switch confinement.enter() {
            case .ready: break
            case .restart:
                print("autofill-sync: the spool is missing\n", to: STDERR_FILENO)
                return EX_TEMPFAIL
            case .full(let text):
                print("autofill-sync: \(text)\n", to: STDERR_FILENO)
                return EX_TEMPFAIL
            case .failed(let text):
                print("autofill-sync: \(text)\n", to: STDERR_FILENO)
                return EX_OSERR
            }
            var carrier = Carrier(configuration, spool: spool)
            var recorder = StateRecorder(spool)
            let now = Clocks.system.wall()
            let outcome = carrier.round(at: now)
            _ = recorder.record(outcome, at: now, for: configuration.token)
            guard let problem = outcome.problem else { return EX_OK }
            print("autofill-sync: \(problem.code.rawValue): \(problem.detail)\n", to: STDERR_FILENO)
            return EX_TEMPFAIL
        }
    }

    private static func print(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
