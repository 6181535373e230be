// SPDX-License-Identifier: Apache-2.0
import AssociationFetch
import AutofillProtocol
import Testing

@Suite("The options of the program that fetches")
struct FetcherOptionsTests {
    @Test("Without options nothing replaces the internet")
    func none() throws {
        let options = try FetcherOptions([])
        #expect(options.ground.address == nil)
        #expect(options.ground.allowed.isEmpty)
        #expect(options.ground.port == nil)
        #expect(options.ground.authority == nil)
        #expect(!options.ground.coversStandardMode)
        #expect(options.timeLimit == Limits.associationMilliseconds)
        #expect(!options.wantsHelp && !options.wantsVersion)
    }

    @Test("A value follows its option, or after an equals sign")
    func values() throws {
        let options = try FetcherOptions([
            "--address", "127.0.0.1", "--allow-address=127.0.0.1/32", "--allow-address", "::1/128", "--port=8443",
            "--certificate-authority", "/dev/null", "--test-all-modes", "--test-time-limit", "200",
        ])
        #expect(options.ground.address == NetworkAddress("127.0.0.1"))
        #expect(options.ground.allowed == [AddressRange("127.0.0.1/32"), AddressRange("::1/128")])
        #expect(options.ground.port == 8443)
        #expect(options.ground.authority == "/dev/null")
        #expect(options.ground.coversStandardMode)
        #expect(options.timeLimit == 200)
    }

    @Test("A site is never given more time than the product promises")
    func time() throws {
        #expect(try FetcherOptions(["--test-time-limit", "999999"]).timeLimit == Limits.associationMilliseconds)
    }

    @Test(
        "What cannot be used is refused with the option",
        arguments: [
            (["--proxy", "x"], OptionError.unknown("--proxy")), (["x"], .unknown("x")),
            (["--help=1"], .unknown("--help")),
            (["--port"], .missing("--port")), (["--port", "0"], .wrong("--port", "1 to 65535")),
            (["--port=65536"], .wrong("--port", "1 to 65535")),
            (["--address", "example.com"], .wrong("--address", "an IP address")),
            (
                ["--allow-address", "127.0.0.1"],
                .wrong("--allow-address", "addresses with a prefix length, such as 127.0.0.1/32")
            ),
            (
                ["--certificate-authority", "/nowhere"],
                .wrong("--certificate-authority", "a file that can be read")
            ),
            (["--test-time-limit", "-1"], .wrong("--test-time-limit", "milliseconds")),
        ] as [([String], OptionError)])
    func refused(arguments: [String], error: OptionError) {
        #expect(throws: error) { try FetcherOptions(arguments) }
    }

    @Test("Help and version are asked for", arguments: [["--help"], ["-h"], ["--version"]])
    func help(arguments: [String]) throws {
        let options = try FetcherOptions(arguments)
        #expect(options.wantsHelp == (arguments != ["--version"]))
        #expect(options.wantsVersion == (arguments == ["--version"]))
    }
}
