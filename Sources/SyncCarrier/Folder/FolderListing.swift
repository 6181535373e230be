// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Glibc
internal import PathInspection

/// Reads which files a folder has. What is not a plain file, and whatever has another name, is not opened.
struct FolderListing {
    private(set) var listing = CarriedListing()
    /// All directories of groups and devices, relative to the folder: also those that have no file yet.
    private(set) var directories: [String] = []
    private var directoryCount = 0

    /// - Parameter own: nil: only the invitations of all groups.
    init(_ folder: Descriptor, own: CarrierConfiguration.Own?) {
        do throws(SystemCallFailure) {
            let groups = if let own { [own.group] } else { try folder.identifiers() }
            for group in groups.prefix(CarrierLimits.directories) {
                guard let directory = try folder.subdirectory(group) else { continue }
                directories.append(group)
                try read(directory, group, invitationsOnly: own == nil)
            }
            if groups.count > CarrierLimits.directories { stopForDirectories() }
            listing.checkSize()
        } catch {
            listing.stop(.folderUnreadable, "the folder cannot be read: \(error.message)")
        }
    }

    private mutating func read(
        _ groupDirectory: Descriptor, _ group: String, invitationsOnly: Bool
    ) throws(SystemCallFailure) {
        for device in try groupDirectory.identifiers() {
            directoryCount += 1
            guard listing.isComplete else { return }
            guard directoryCount <= CarrierLimits.directories else { return stopForDirectories() }
            var read = CarriedDirectory(group: group, device: device, descriptor: nil)
            do throws(SystemCallFailure) {
                guard let directory = try groupDirectory.subdirectory(device) else { continue }
                directories.append("\(group)/\(device)")
                read = CarriedDirectory(group: group, device: device, descriptor: directory)
                try Self.add(filesOf: directory, to: &read, invitationsOnly: invitationsOnly)
            } catch {
                read.stop(.folderUnreadable, "\(group)/\(device) cannot be read: \(error.message)")
            }
            listing.add(read)
        }
    }

    private static func add(
        filesOf directory: Descriptor, to read: inout CarriedDirectory, invitationsOnly: Bool
    ) throws(SystemCallFailure) {
        for text in try directory.names(where: { CarriedFileName($0) != nil }).sorted() where read.isComplete {
            guard let name = CarriedFileName(text), name.isInvitation || !invitationsOnly,
                let facts = try directory.plainFacts(text)
            else { continue }
            read.add(name, CarriedSource(text: text, byteCount: facts.size, changed: facts.changed))
        }
    }

    private mutating func stopForDirectories() {
        listing.stop(.tooManyFiles, "the folder has more than \(CarrierLimits.directories) groups or devices")
    }
}
