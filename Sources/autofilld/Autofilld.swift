// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Systemd

/// The daemon's program.
@main
enum Autofilld {
    static func main() {
        // First of all: it may start the program again, with memory settings that glibc reads only then.
        guard ProcessHardening.apply() else {
            StandardError.print("autofilld: the kernel refused to keep this process from being read by others")
            StandardError.exit(71)
        }
        if let options = DaemonOptions(plain: CommandLine.arguments.dropFirst()) {
            Daemon(options: options).run()
        } else {
            DaemonCommand.main()
        }
    }
}
