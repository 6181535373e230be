// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestGround
import Testing

@testable import AutofillCommands

@Suite("Configurations of other programs, as they are edited")
struct HelperSetupTests {
    private func docker(_ text: String) throws -> DockerConfiguration {
        try #require(DockerConfiguration(Array(text.utf8)))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        "docker's store is added behind the last member, as deep as the first; all else stays byte for byte",
        arguments: [
            ("", "{\n\t\"credsStore\": \"autofill\"\n}\n"), ("{}", "{\n\t\"credsStore\": \"autofill\"\n}\n"),
            (
                "{\n\t\"auths\": {\"a\": {}},\n\t\"psFormat\": \"x\"\n}",
                "{\n\t\"auths\": {\"a\": {}},\n\t\"psFormat\": \"x\",\n\t\"credsStore\": \"autofill\"\n}"
            ),
            (#"{"a":1e5, "b" : [ 1,2 ] }"#, #"{"a":1e5, "b" : [ 1,2 ],"credsStore": "autofill" }"#),
            (
                "{\n  \"credsStore\" : \"desktop\",\n  \"b\": 1.50\n}",
                "{\n  \"credsStore\" : \"autofill\",\n  \"b\": 1.50\n}"
            ),
            (#"{"credsStore": null}"#, #"{"credsStore": "autofill"}"#),
        ])
    func dockerStore(before: String, after: String) throws {
        let edited = try docker(before).setting("credsStore", to: "autofill")
        #expect(text(edited) == after)
        #expect(DockerConfiguration(edited)?.store == "autofill")
    }

    @Test("The member that was added to docker's configuration is removed again, wherever it is")
    func dockerRemoval() throws {
        for before in ["{\n\t\"auths\": {},\n\t\"b\": 1\n}\n", #"{"a":1}"#] {
            let added = try docker(before).setting("credsStore", to: "autofill")
            #expect(text(try #require(DockerConfiguration(added)).removing("credsStore")) == before)
        }
        #expect(text(try docker(#"{"credsStore": "autofill", "b": 1}"#).removing("credsStore")) == #"{"b": 1}"#)
        #expect(text(try docker(#"{"credsStore": "autofill"}"#).removing("credsStore")) == "{}")
        #expect(text(try docker(#"{"a":1}"#).removing("credsStore")) == #"{"a":1}"#)
    }

    @Test("What is no JSON object is not edited; a password in clear is noticed")
    func dockerState() throws {
        for wrong in ["[]", "{", "{\"a\": 1} x", "{\"a\":1,\"a\":2}"] {
            #expect(DockerConfiguration(Array(wrong.utf8)) == nil, "\(wrong)")
        }
        #expect(try docker(#"{"auths":{"a":{"auth":"YTpi"}}}"#).hasPlainPasswords)
        #expect(try !docker(#"{"auths":{"a":{"auth":""},"b":{}}}"#).hasPlainPasswords)
    }

    private static let line = #"global-credential-providers = ["cargo:token", "cargo-credential-autofill"]"#

    @Test(
        "cargo's provider is added as the last one, and removed again; comments and all else stay",
        arguments: [
            ("", "[registry]\n\(line)\n"),
            (
                "# mine\n[build]\njobs = 2 # two\n",
                "# mine\n[build]\njobs = 2 # two\n\n[registry]\n\(line)\n"
            ),
            ("[build]\njobs = 2", "[build]\njobs = 2\n\n[registry]\n\(line)\n"),
            (
                "[ registry ] # here\ndefault = \"local\"\n\n[build]\n",
                "[ registry ] # here\n\(line)\ndefault = \"local\"\n\n[build]\n"
            ),
            (
                "[registry]\nglobal-credential-providers = ['cargo:token'] # all\n",
                "[registry]\nglobal-credential-providers = ['cargo:token', \"cargo-credential-autofill\"] # all\n"
            ),
            (
                "registry.global-credential-providers = [\n  \"cargo:token\", # ] first\n]\n[alias]\nb = '''\n[registry]\n'''\n",
                "registry.global-credential-providers = [\n  \"cargo:token\", \"cargo-credential-autofill\", # ] first\n]\n[alias]\nb = '''\n[registry]\n'''\n"
            ),
            (
                "[registry]\nglobal-credential-providers = [ ]\n",
                "[registry]\nglobal-credential-providers = [\"cargo-credential-autofill\"]\n"
            ),
        ])
    func cargo(before: String, after: String) throws {
        let providers = CargoProviders(before)
        #expect(!providers.hasHelper)
        let added = try #require(providers.adding())
        #expect(added == after)
        #expect(CargoProviders(added).hasHelper)
        let removed = CargoProviders(added).removing()
        #expect(!CargoProviders(removed).hasHelper)
        let isEmptyList = before.contains("[ ]")
        #expect(isEmptyList || removed == before || removed == before + "\n", "\(removed)")
    }

    @Test("A list that is written in another way is not touched")
    func cargoStrange() {
        #expect(CargoProviders("registry = { default = \"local\" }\n").adding() == nil)
        #expect(CargoProviders("registry.default = \"local\"\n").adding() == nil)
        #expect(CargoProviders("[registry]\nglobal-credential-providers = \"cargo:token\"\n").adding() == nil)
        let array = CargoProviders(
            "[[registry]]\na = 1\n[registries.x]\nglobal-credential-providers = [\"cargo-credential-autofill\"]\n")
        #expect(!array.hasHelper)
    }

    @Test("A file keeps its mode and its symbolic link, and what it was lies beside it")
    func editedFile() throws {
        let directory = try TemporaryDirectory()
        try directory.write("kept/real", "old")
        #expect(chmod(directory.path + "/kept/real", 0o640) == 0)
        #expect(symlink("kept/real", directory.path + "/link") == 0)
        let edited = try EditedFile(directory.path + "/link")
        let backup = try edited.replace(with: Array("new".utf8))
        #expect(backup == directory.path + "/kept/real.before-autofill")
        #expect(text(try EditedFile(directory.path + "/link").bytes) == "new")
        #expect(text(try EditedFile(backup ?? "").bytes) == "old")
        var facts = stat()
        #expect(lstat(directory.path + "/link", &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(directory.path + "/kept/real", &facts) == 0 && facts.st_mode & 0o777 == 0o640)
        let made = try EditedFile(directory.path + "/made/config")
        #expect(try made.replace(with: Array("new".utf8)) == nil)
        #expect(stat(directory.path + "/made/config", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    }

    @Test("A link to a file that does not exist yet stays a link, and the file is created where it leads")
    func danglingLink() throws {
        let directory = try TemporaryDirectory()
        #expect(symlink("real", directory.path + "/link") == 0)
        _ = try EditedFile(directory.path + "/link").replace(with: Array("new".utf8))
        var facts = stat()
        #expect(lstat(directory.path + "/link", &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
        #expect(text(try EditedFile(directory.path + "/real").bytes) == "new")
    }

    @Test("Uninstall gives docker the helper back that it had before, where it had one", arguments: ["pass", nil])
    func dockerReverted(former: String?) throws {
        let directory = try TemporaryDirectory()
        let before = former.map { #"{"credsStore": "\#($0)", "b": 1}"# } ?? #"{"b": 1}"#
        try directory.write("config.json", before)
        let setup = DockerSetup(directory: directory.path)
        for _ in 0..<2 {
            #expect(try !setup.install(replacing: true).isEmpty && setup.isInstalled())
            #expect(try !setup.uninstall().isEmpty)
            #expect(text(try EditedFile(setup.file).bytes) == before)
        }
    }

    @Test("The problems in a check's answer are reported with their fixes")
    func check() {
        func problems(_ text: String) -> [String] { HelperState.problems(in: text) }
        let head = #"{"bundleID":"org.git-scm.git","assurance":"claimed","registration":"#
        #expect(problems(head + #""/a.json","reasons":[],"vault":"unlocked"}"#).isEmpty)
        #expect(
            problems(head + #""/a.json","reasons":["vault-locked"],"vault":"locked"}"#) == [
                "The vault is locked: autofillctl vault unlock"
            ])
        #expect(problems(head + #"null,"reasons":["app-not-registered"],"vault":"missing"}"#).count == 2)
        #expect(problems(#"{"trouble":"autofilld cannot be reached"}"#) == ["autofilld cannot be reached"])
        #expect(problems("") == ["The output of its check is not valid"])
    }
}
