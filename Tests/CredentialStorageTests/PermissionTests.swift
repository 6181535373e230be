// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// attacks.md, the vault, 7 and 14: the fault of a file is reported as what it is.
@Suite("Files that are not as they should be")
struct PermissionTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try Vault.new(directory.vault).close()
    }

    @Test("A folder that others may write to is closed to them, and reported; one that is closed already is not")
    func writable() throws {
        chmod(directory.vaultPath, 0o770)
        let vault = try Vault.open(directory.vault)
        #expect(vault.writableByOthers == directory.vaultPath)
        vault.close()
        #expect(try Vault.open(directory.vault).writableByOthers == nil)
        chmod(directory.database, 0o640)
        #expect(try Vault.open(directory.vault).writableByOthers == nil)
        chmod(directory.database, 0o666)
        let again = try Vault.open(directory.vault)
        #expect(again.writableByOthers == directory.database)
        #expect(
            try FileManager.default.attributesOfItem(atPath: directory.database)[.posixPermissions] as? Int == 0o600)
    }

    @Test("A FIFO or a folder at the path of vault.releases is reported as no plain file, and is not waited for")
    func notPlain() throws {
        let path = directory.vaultPath + "/vault.releases"
        for make in [{ mkfifo($0, 0o600) }, { mkdir($0, 0o700) }] as [(String) -> Int32] {
            try? FileManager.default.removeItem(atPath: path)
            try #require(make(path) == 0)
            let vault = try Vault.open(directory.vault)
            #expect(failure { try vault.unlock(.key()) } == .notPlain(path: path))
            #expect(vault.state == .locked)
        }
    }

    @Test("A link instead of vault.releases is not one of its files, and is not followed")
    func link() throws {
        let path = directory.vaultPath + "/vault.releases"
        let target = directory.path + "/target"
        try FileManager.default.moveItem(atPath: path, toPath: target)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let vault = try Vault.open(directory.vault)
        #expect(failure { try vault.unlock(.key()) } == .notPlain(path: path))
    }

    @Test("A folder that others may write to is listed also where the vault is made in it")
    func writableAtCreation() throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.vaultPath, withIntermediateDirectories: true)
        chmod(folder.vaultPath, 0o777)
        let vault = try Vault.open(folder.vault)
        try vault.create([.test()], at: .at())
        #expect(vault.writableByOthers == folder.vaultPath)
    }

    @Test("The system's errors for no space, and no permission, are reported as such")
    func errors() {
        for number in [ENOSPC, EDQUOT, EFBIG] { #expect(VaultError.system(number, path: "/x") == .storageFull) }
        for number in [EACCES, EPERM] {
            #expect(VaultError.system(number, path: "/x") == .permissionLost(path: "/x"))
        }
    }

    @Test("What belongs to another user is for the administrator to restore, the rest for the user")
    func advice() {
        let own = directory.vaultPath
        #expect(VaultError.advice(onPermissionsOf: own) == "Run chmod u+rwx \(own)")
        #expect(VaultError.advice(onPermissionsOf: directory.database) == "Run chmod u+rw \(directory.database)")
        let foreign = geteuid() == 0 ? own : "/etc/passwd"
        if geteuid() == 0 { chown(foreign, 65534, 65534) }
        let advice = VaultError.advice(onPermissionsOf: foreign)
        #expect(advice.contains("belongs to another user") && advice.contains("chown \(geteuid()) \(foreign)"))
    }

    @Test(
        "A folder that may not be searched any more is reported as that, and not as a vault that was replaced",
        .enabled(if: geteuid() == 0, "to become another user needs root"))
    func unsearchable() throws {
        let (status, output) = try runInOwnProcess("UnsearchableChild", "AUTOFILL_UNSEARCHABLE_CHILD")
        #expect(status == 0, "\(output)")
    }
}

/// In a process of its own, as root may search any folder.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["AUTOFILL_UNSEARCHABLE_CHILD"] != nil))
struct UnsearchableChild {
    @Test func lost() throws {
        let directory = try TemporaryDirectory()
        chown(directory.path, 65534, 65534)
        try #require(seteuid(65534) == 0)
        defer { seteuid(0) }
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        chmod(directory.vaultPath, 0)
        #expect(
            failure { try vault.writers.credentials.save("shop.example", "bob", "p") }
                == .permissionLost(path: directory.database))
        #expect(VaultError.advice(onPermissionsOf: directory.database) == "Run chmod u+rwx \(directory.vaultPath)")
        chmod(directory.vaultPath, 0o700)
        try vault.writers.credentials.save("shop.example", "bob", "p")
        vault.close()
    }
}
