// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import Testing

/// Two Syncthing programs on loopback, which carry one folder each way, at a limited rate.
final class SyncthingPair: FolderPair {
    static let program = "/usr/bin/syncthing"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    let folders: [SyncFolder]
    private let directory: String
    private var processes: [SpawnedProgram?] = [nil, nil]

    /// How much a side sends in a second, so that a file takes long enough to be interrupted.
    private static let kibibytesPerSecond = 16

    init() throws {
        directory = try TestFiles.folder()
        folders = [try SyncFolder(), try SyncFolder()]
        let ports = [try LoopbackPort.unused(), try LoopbackPort.unused()]
        var devices: [String] = []
        for side in 0...1 {
            try folders[side].make()
            // The mark without which the program takes the folder for one that is not mounted.
            try FileManager.default.createDirectory(
                atPath: folders[side].path + "/.stfolder", withIntermediateDirectories: false)
            try run(["generate", "--home", home(side), "--no-default-folder", "--skip-port-probing"])
            devices.append(
                try run(["--home", home(side), "--device-id"]).trimmingCharacters(in: .whitespacesAndNewlines))
        }
        for side in 0...1 {
            try configuration(of: side, devices, ports).write(
                toFile: home(side) + "/config.xml", atomically: false, encoding: .utf8)
        }
    }

    deinit {
        for side in 0...1 { kill(side) }
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func home(_ side: Int) -> String { "\(directory)/\(side)" }

    @discardableResult
    private func run(_ arguments: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: Self.program)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "syncthing \(arguments): \(text)")
        return text
    }

    /// `STMONITORED`: one process, and no other one that starts it again.
    private var environment: [String: String] {
        ["HOME": directory, "PATH": "/usr/bin:/bin", "STNOUPGRADE": "1", "STMONITORED": "yes"]
    }

    // MARK: - Processes

    func start() throws {
        for side in 0...1 where processes[side] == nil {
            processes[side] = try SpawnedProgram(
                Self.program, ["serve", "--home", home(side), "--no-browser", "--no-restart"], environment: environment)
        }
    }

    func kill(_ side: Int) {
        processes[side]?.kill9()
        processes[side] = nil
    }

    /// It has a temporary name.
    func isReceiving(_ side: Int) -> Bool {
        let all = FileManager.default.enumerator(atPath: folders[side].path)?.compactMap { $0 as? String } ?? []
        return all.contains { $0.hasSuffix(".tmp") && $0.contains("/.syncthing.") }
    }

    func isSending(_ side: Int) -> Bool { isReceiving(1 - side) }

    func conflictCopies(_ side: Int) -> Set<String> {
        SyncFolder.files(in: folders[side].path).filter { $0.contains(".sync-conflict-") }
    }

    // MARK: - Configuration

    private func configuration(of side: Int, _ devices: [String], _ ports: [UInt16]) -> String {
        let peers = devices.indices.map { index in
            """
                <device id="\(devices[index])" name="\(index)" compression="never">
                    <address>tcp://127.0.0.1:\(ports[index])</address>
                </device>
            """
        }
        let off = ["globalAnnounceEnabled", "localAnnounceEnabled", "relaysEnabled", "natEnabled", "startBrowser"]
        return """
            <configuration version="36">
                <folder id="passwords" path="\(folders[side].path)" type="sendreceive" rescanIntervalS="10"
                    fsWatcherEnabled="true" fsWatcherDelayS="1">
            \(devices.map { "        <device id=\"\($0)\"></device>" }.joined(separator: "\n"))
                    <maxConflicts>10</maxConflicts>
                </folder>
            \(peers.joined(separator: "\n"))
                <gui enabled="false"></gui>
                <options>
                    <listenAddress>tcp://127.0.0.1:\(ports[side])</listenAddress>
            \(off.map { "        <\($0)>false</\($0)>" }.joined(separator: "\n"))
                    <crashReportingEnabled>false</crashReportingEnabled>
                    <urAccepted>-1</urAccepted>
                    <autoUpgradeIntervalH>0</autoUpgradeIntervalH>
                    <setLowPriority>false</setLowPriority>
                    <reconnectionIntervalS>5</reconnectionIntervalS>
                    <maxSendKbps>\(Self.kibibytesPerSecond)</maxSendKbps>
                    <limitBandwidthInLan>true</limitBandwidthInLan>
                </options>
            </configuration>
            """
    }
}
