// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Glibc
import Support

/// What a program receives, and whether it may have it.
extension RandomPlay {
    /// A text of which `written` has the number. In base64 (also in a hash's salt) it is 16 characters without padding.
    static func text(_ number: Int) -> String {
        let digits = String(number)
        return "sekret" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// What names an app to others: its domain, and the file of its registration.
    private static let names: [(name: String, app: String)] =
        apps.map { ($0.key, $0.value) } + actors.compactMap(\.app).map { ("/\($0).json", $0) }

    /// An id that an answer contains for the first time belongs to the caller of its request.
    mutating func learn(_ line: String, of method: Method, _ actor: Int, _ apps: Set<String>) throws {
        for id in Self.strings(in: line) where Self.isID(id) {
            ids.append(id)
            if made[id] == nil { made[id] = Treasure(owner: actor, apps: apps) }
            // What is offered is a secret from the moment on at which it was drawn.
            guard method == .autofillSuggest, id.hasPrefix("off_") else { continue }
            requests += 1
            let fill = try user.call("autofill.fill", ["offer": id, "proof": Examples.proof])
            if let password = fill.text("password"), !password.hasPrefix("sekret"), made[password] == nil {
                made[password] = Treasure(owner: actor, apps: apps)
            }
        }
        if ids.count > 64 { ids.removeFirst(ids.count - 64) }
    }

    /// Judges all that a line reveals to a program.
    ///
    /// - Parameter request: the line that it answers; empty for an event.
    mutating func inspect(_ line: String, to request: String, of method: Method, _ actor: Int) {
        for number in Self.numbers(in: line) {
            guard written.indices.contains(number) else {
                leaks.append("\(method) gave \(Self.text(number)), which nobody wrote")
                continue
            }
            judge(written[number], Self.text(number), method, actor)
        }
        for text in Self.strings(in: line) {
            if let treasure = made[text] { judge(treasure, text, method, actor) }
        }
        for (name, app) in Self.names where app != Self.actors[actor].app && Self.has(name, in: line) {
            if !Self.has(name, in: request) { leaks.append("\(method) named \(name) to program \(actor): \(line)") }
        }
    }

    private mutating func judge(_ treasure: Treasure, _ text: String, _ method: Method, _ actor: Int) {
        let isID = Self.isID(text)
        if treasure.owner == actor {
            if !isID { own.insert(method) }
        } else if let app = Self.actors[actor].app, treasure.apps.contains(app),
            isAsked || isID && !text.hasPrefix("off_")
        {
            // The id of a credential is no secret among the apps of its domain.
            if !isID { shared.insert(method) }
        } else {
            leaks.append("\(method) gave \(text) of program \(treasure.owner) to program \(actor)")
        }
    }

    // MARK: - Searching

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 36 && ["off_", "crd_", "cod_", "itm_", "sub_"].contains { text.hasPrefix($0) }
    }

    /// Whether a text is in another, byte by byte: Foundation's search costs many times as much.
    static func has(_ text: String, in line: String) -> Bool { strstr(line, text) != nil }

    /// The numbers of all that was written and is in a line, in whatever form.
    private static func numbers(in line: String) -> [Int] {
        texts("sekret", of: 12, in: line).compactMap { Int($0.dropFirst(6)) }
            + texts("c2VrcmV0", of: 16, in: line).compactMap { text in
                Data(base64Encoded: text).flatMap { Int(String(decoding: $0.dropFirst(6), as: UTF8.self)) }
            }
    }

    /// The texts of a line that begin in a way, so many bytes of each.
    private static func texts(_ beginning: String, of length: Int, in line: String) -> [String] {
        line.withCString { line in
            var texts: [String] = []
            var place = line
            while let found = strstr(place, beginning) {
                texts.append(String(decoding: UnsafeRawBufferPointer(start: found, count: length), as: UTF8.self))
                place = UnsafePointer(found) + 1
            }
            return texts
        }
    }

    /// The texts between quotes that have the length of an id, or of a password that the service makes.
    private static func strings(in line: String) -> [String] {
        var line = line
        return line.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return [] }
            var strings: [String] = []
            var place = 0
            while let quote = memchr(start + place, 0x22, bytes.count - place) {
                let end = UnsafeRawPointer(start).distance(to: quote)
                if end - place == 36 || end - place == 20 {
                    strings.append(String(decoding: bytes[place..<end], as: UTF8.self))
                }
                place = end + 1
            }
            return strings
        }
    }
}
