// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Keeps the vaults of several machines the same.",
        discussion: """
            Each machine writes encrypted files into a folder that another program carries (Syncthing, Nextcloud, a \
            network folder), or into a git remote, and merges what the others wrote there. Whoever has the folder can \
            read none of it. Changes of the same password on two machines are both kept: autofillctl sync conflicts.

            Examples:
              autofillctl sync start ~/Sync/passwords
              autofillctl sync invite
              autofillctl sync status
            """,
        subcommands: [
            SyncStartCommand.self, SyncInviteCommand.self, SyncJoinCommand.self, SyncStatusCommand.self,
            SyncDevicesCommand.self, SyncConflictsCommand.self, SyncRenameCommand.self, SyncRemoveCommand.self,
            SyncRecoveryCommand.self, SyncResumeCommand.self, SyncStopCommand.self,
        ])
}
