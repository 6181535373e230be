// SPDX-License-Identifier: Apache-2.0
internal import AutofillCommands

/// The command line of autofilld.
@main
enum Autofillctl {
    static func main() async { await AutofillCommand.runProgram() }
}
