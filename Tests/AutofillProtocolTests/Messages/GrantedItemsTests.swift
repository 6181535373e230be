// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Testing

@Suite("Keychain items of a grant")
struct GrantedItemsTests {
    private static let id = "itm_0123456789abcdef0123456789abcdef"

    @Test(
        "The notation of commands and of the vault is read as what it was written of",
        arguments: [
            (GrantedItems.namespace("tokens", accessGroup: "org.example.suite"), "org.example.suite/tokens"),
            (.namespace("a/b", accessGroup: "org.example.suite"), "org.example.suite/a/b"),
            (.item(id, accessGroup: "org.example.suite"), "org.example.suite/\(id)"),
            (.item(id, accessGroup: "org.freedesktop.secrets"), "org.freedesktop.secrets/\(id)"),
            (.app("org.example.Mail"), "org.freedesktop.secrets/org.example.Mail"),
            (.imported, "org.freedesktop.secrets/imported"), (.own, "org.freedesktop.secrets/own"),
            (.group("org.freedesktop.secrets"), "org.freedesktop.secrets/*"),
        ])
    func paths(_ items: GrantedItems, _ path: String) throws {
        #expect(items.path == path && GrantedItems(path: path) == items)
    }

    @Test("On the wire a grant names a site or items, and the items by their type")
    func wire() throws {
        func target(_ text: String) throws -> GrantTarget {
            try GrantDeny(line: #"{"bundleID":"org.example.Shop",\#(text)}"#.utf8).target
        }
        let items = #"{"type":"namespace","accessGroup":"org.example.Shop","namespace":"tokens"}"#
        let tokens = GrantedItems.namespace("tokens", accessGroup: "org.example.Shop")
        #expect(try target(#""keychain":\#(items)"#) == .keychain(tokens))
        let service = #"{"type":"domain","value":"shop.example.com"}"#
        #expect(try target(#""service":\#(service)"#).service?.value == "shop.example.com")
        for (text, member) in [
            (#""service":\#(service),"keychain":\#(items)"#, "service"), (#""proof":null"#, "service"),
            (#""keychain":"org.example.Shop/tokens""#, "keychain"),
            (#""keychain":{"accessGroup":"a.b","namespace":"tokens"}"#, "keychain.type"),
            (#""keychain":{"type":"namespace","accessGroup":"a.b"}"#, "keychain.namespace"),
            (#""keychain":{"type":"group","accessGroup":"a.b"}"#, "keychain.type"),
        ] {
            let problem = #expect(throws: ProtocolProblem.self) { try target(text) }
            #expect(problem?.member == member, "\(text)")
        }
    }
}
