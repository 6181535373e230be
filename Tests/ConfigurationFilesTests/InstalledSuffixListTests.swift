// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import ConfigurationFiles
import Glibc
import Testing

@Suite("The installed public suffix list")
struct InstalledSuffixListTests {
    @Test(
        "The system's list is read",
        .enabled(if: access(PublicSuffixList.standardPath, R_OK) == 0, "needs Debian's package publicsuffix"))
    func installed() throws {
        let list = try #require(PublicSuffixList.installed())
        let file = try #require(fopen(PublicSuffixList.standardPath, "r"))
        defer { fclose(file) }
        var rules = 0
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0, let first = line?.pointee {
            if first != CChar(0x2F), first != CChar(0x0A) { rules += 1 }
        }
        #expect(list.count == rules)
        for (name, isSuffix) in [
            ("co.uk", true), ("github.io", true), ("foo.ck", true), ("www.ck", false), ("xn--55qx5d.cn", true),
            ("example.com", false),
        ] {
            #expect(try list.contains(DomainName(name)) == isSuffix)
        }
    }

    @Test("A list that is missing, or that the user could have written, is none")
    func untrusted() throws {
        let directory = try TemporaryDirectory()
        #expect(PublicSuffixList.installed(at: try directory.write("example.com", to: "list.dat")) == nil)
        #expect(PublicSuffixList.installed(at: "\(directory.path)/none") == nil)
        #expect(PublicSuffixList.installed(at: directory.path) == nil)
    }

    @Test("Directories refuse by it", .enabled(if: isRoot, "needs root, to make a list of root's"))
    func directories() throws {
        let directory = try TemporaryDirectory(in: "/var/lib")
        let entitlements = #"{"com.apple.developer.associated-domains": ["webcredentials:*.example.com"]}"#
        try directory.write(registration("org.example.A", entitlements: entitlements), to: "apps/org.example.A.json")
        let list = try directory.write("example.com\n", to: "list.dat")
        func load(_ list: String) -> RegistrationCatalog {
            RegistrationDirectories(["\(directory.path)/apps"], userID: 0, suffixList: list).catalog
        }
        #expect(load(list).problems.count == 1)
        #expect(load("\(directory.path)/none").registrations.count == 1)
    }
}
