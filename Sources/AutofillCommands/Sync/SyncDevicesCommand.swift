// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct SyncDevicesCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "Lists the machines of the group.",
        discussion: """
            Example:
              autofillctl sync devices
            """)

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        let status = try await service.call(proof) { SyncStatus(proof: $0) }
        if format.json { return console.print { $0.member("devices", status.devices) } }
        guard !status.devices.isEmpty else {
            return console.print("There is no machine: see autofillctl sync status")
        }
        console.print(Table(status.devices))
    }
}
