// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import PathInspection

/// One file of the folder, or of a commit.
struct CarriedSource: Hashable {
    /// The file's name in its directory, or the identifier of git's object.
    let text: String
    let byteCount: UInt64
    /// Changes with the content; 0 for git's objects.
    var changed: Int64 = 0
}

/// What there is under one name: the file, and copies of it.
struct CarriedItem {
    let name: CarriedFileName
    /// The file itself first.
    var sources: [CarriedSource]
}

/// The files of one device.
struct CarriedDirectory {
    let group: String
    let device: String
    /// Of a folder.
    let descriptor: Descriptor?
    /// By their names in the spool.
    private(set) var items: [String: CarriedItem] = [:]
    /// Whether all of it was read, and is within the limits.
    private(set) var isComplete = true
    private(set) var problems: [RoundProblem] = []
    private var fileCount = 0

    init(group: String, device: String, descriptor: Descriptor?) {
        (self.group, self.device, self.descriptor) = (group, device, descriptor)
    }

    var byteCount: UInt64 {
        items.values.reduce(0) { $0 + $1.sources.reduce(0) { $0 + $1.byteCount } }
    }

    mutating func add(_ name: CarriedFileName, _ source: CarriedSource) {
        fileCount += 1
        guard fileCount <= CarrierLimits.filesPerDevice else {
            if isComplete { stop(.tooManyFiles, "a device has more than \(CarrierLimits.filesPerDevice) files") }
            return
        }
        guard source.byteCount <= UInt64(name.byteLimit) else {
            problems.append(RoundProblem(.tooLarge, "a file has \(source.byteCount) bytes: \(name.text)"))
            return
        }
        var item = items[name.text] ?? CarriedItem(name: name, sources: [])
        if name.isConflictCopy { item.sources.append(source) } else { item.sources.insert(source, at: 0) }
        items[name.text] = item
    }

    mutating func stop(_ code: CarrierProblem, _ detail: String) {
        isComplete = false
        problems.append(RoundProblem(code, detail))
    }

    mutating func remove(_ name: String) { items[name] = nil }
}

/// All files that are carried to this machine.
struct CarriedListing {
    private(set) var directories: [CarriedDirectory] = []
    /// Whether nothing is missing that may have files; else nothing is removed from the spool, and nothing is brought.
    private(set) var isComplete = true
    private(set) var problems: [RoundProblem] = []

    mutating func add(_ directory: CarriedDirectory) {
        problems += directory.problems
        guard !directory.items.isEmpty || !directory.isComplete else { return }
        directories.append(directory)
        if isComplete, directories.count > CarrierLimits.devices {
            stop(.tooManyFiles, "more than \(CarrierLimits.devices) devices have files")
        }
    }

    mutating func stop(_ code: CarrierProblem, _ detail: String) {
        isComplete = false
        problems.append(RoundProblem(code, detail))
    }

    /// To be called when all directories are added.
    mutating func checkSize() {
        let bytes = directories.reduce(0) { $0 + $1.byteCount }
        guard bytes > CarrierLimits.totalBytes else { return }
        stop(.tooLarge, "the files have \(bytes) bytes; at most \(CarrierLimits.totalBytes) are carried")
    }

    /// Leaves out files of this machine.
    mutating func remove(_ names: some Sequence<String>, of own: CarrierConfiguration.Own) {
        for index in directories.indices
        where directories[index].group == own.group && directories[index].device == own.device {
            for name in names { directories[index].remove(name) }
        }
    }
}
