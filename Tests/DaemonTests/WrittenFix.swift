// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround

/// Follows a reason's fix to the letter, as a user does: runs its commands and makes its edits. It recognises the verbs of
/// fixes, and no reason.
struct WrittenFix {
    private enum Step {
        case run(String)
        /// Runs a command that prints errors with a fix each, and follows these fixes.
        case fixMistakes(String)
        case addEntitlement(json: String)
        case addValue(String, entitlement: String)
        case writeRegistration(file: String, manual: String)
        /// An administrator writes a file there that names a program.
        case nameProgram(path: String, file: String)
        /// An administrator copies the app's registration there.
        case install(file: String, folder: String)
        case startRegistered
        /// Names the app's own program in the registration that a command prints.
        case correctExecutables(String)
        case setMember(String, Any, fieldFor: String)
        case setFieldMember(String, Any, field: String)
        case setParameter(String, Any)
        case call(String)
    }

    struct NotUnderstood: Error, CustomStringConvertible {
        let description: String
    }

    /// The alternatives: each one's text and steps.
    private let ways: [(text: String, steps: [Step])]

    init(_ text: String) throws {
        var ways: [(String, [Step])] = []
        var rest = text
        for joint in ["; or, for all apps: ", ". Or ", ", or run: ", ", or ", "; or "] {
            rest = rest.replacing(
                joint, with: "\u{1}" + (joint.contains("run: ") ? "Run: " : joint.contains("all") ? "All: " : ""))
        }
        for way in rest.split(separator: "\u{1}").map(String.init) {
            if let steps = Self.steps(way) { ways.append((way, steps)) }
        }
        guard !ways.isEmpty else { throw NotUnderstood(description: "nothing in it can be done as written: \(text)") }
        self.ways = ways
    }

    /// Follows the first alternative that was not tried before.
    func `do`(on stage: RepairStage, tried: inout Set<String>) throws {
        guard let way = ways.first(where: { !tried.contains($0.text) }) else {
            throw NotUnderstood(description: "done, and it does not help: \(ways.map(\.text))")
        }
        tried.insert(way.text)
        for step in way.steps { try Self.perform(step, stage) }
    }

    // MARK: - Reading

    /// nil where it cannot be done as written: an unknown verb, or a name that the user would have to fill in.
    private static func steps(_ way: String) -> [Step]? {
        guard way.firstMatch(of: /\b(?:DOMAIN|USER|FILE|FIELD|BUNDLE-ID|DETAIL|GROUP)\b/) == nil else { return nil }
        if let found = way.wholeMatch(of: /Correct the registration; this command lists each error: (autofillctl .+)/) {
            return [.fixMistakes(String(found.1))]
        }
        if let found = way.wholeMatch(of: /Request (?:a new )?one: ([a-z]+\.[a-z]+)|Set it first: ([a-z]+\.[a-z]+)/) {
            return [.call(String(found.1 ?? found.2 ?? ""))]
        }
        if way.wholeMatch(of: /Start the program that the registration of \S+ names/) != nil {
            return [.startRegistered]
        }
        if let found = way.wholeMatch(of: /correct "executables" there: (autofillctl .+)/) {
            return [.correctExecutables(String(found.1))]
        }
        if let found = way.wholeMatch(
            of:
                /Have an administrator install (\S+) in (\S+), with (".+": .+?) in its entitlements(?:\. An app that .+)?/
        ) {
            return [
                .addEntitlement(json: "{\(found.3)}"), .install(file: String(found.1), folder: String(found.2)),
            ]
        }
        if let found = way.wholeMatch(
            of: /Have an administrator install (\S+) in (\S+), and a file (\S+): both with (\S+) in "executables"/)
        {
            return [
                .install(file: String(found.1), folder: String(found.2)),
                .nameProgram(path: String(found.4), file: String(found.3)),
            ]
        }
        if let found = way.wholeMatch(of: /(.+); an administrator must install the registration in (\S+)/) {
            return edit(String(found.1)).map {
                [$0, .install(file: "\(RepairStage.app).json", folder: String(found.2))]
            }
        }
        if let found = way.wholeMatch(of: /(.+?),? (?:then|and) run: (autofillctl [^;]+)/) {
            return edit(String(found.1)).map { [$0, .run(String(found.2))] }
        }
        if let found = way.wholeMatch(of: /[A-Za-z' ]+: (autofillctl [^;,]+)(?:; .*)?/) {
            return [.run(String(found.1))]
        }
        return edit(way).map { [$0] }
    }

    private static func edit(_ clause: String) -> Step? {
        if let found = clause.wholeMatch(of: /Add (".+": .+) to the entitlements of \S+/) {
            return .addEntitlement(json: "{\(found.1)}")
        }
        if let found = clause.wholeMatch(of: /Add "([^"]+)" to (\S+) of \S+/) {
            return .addValue(String(found.1), entitlement: String(found.2))
        }
        if let found = clause.wholeMatch(of: /Write (\S+\.json) \(man (\S+)\)/) {
            return .writeRegistration(file: String(found.1), manual: String(found.2))
        }
        if let found = clause.wholeMatch(
            of: /Set (\w+) "(\w+)"(?: \(not "\w+"\))? on the field for (.+?)(?:, on the same screen)?/)
        {
            return .setMember(String(found.1), String(found.2), fieldFor: String(found.3))
        }
        if let found = clause.wholeMatch(of: /Send (\w+): true for field (\w+), and try again when its text is hidden/)
        {
            return .setFieldMember(String(found.1), true, field: String(found.2))
        }
        if let found = clause.wholeMatch(of: /Send (\w+) "(\w+)"/) {
            return .setParameter(String(found.1), String(found.2))
        }
        return nil
    }

    // MARK: - Doing

    private static func perform(_ step: Step, _ stage: RepairStage) throws {
        let own = stage.work + "/\(RepairStage.app).json"
        switch step {
        case .run(let command): try stage.run(command)
        case .fixMistakes(let command):
            let shown = try stage.run(command, mayFail: true)
            try fixMistakes(String(command.split(separator: " ").last ?? ""), shown, stage)
        case .addEntitlement(let json):
            let added = try RepairStage.object(json)
            try stage.edit(own) { registration in
                var entitlements = registration["entitlements"] as? [String: Any] ?? [:]
                entitlements.merge(added) { $1 }
                registration["entitlements"] = entitlements
            }
        case .addValue(let value, let entitlement):
            try stage.edit(own) { registration in
                var entitlements = registration["entitlements"] as? [String: Any] ?? [:]
                entitlements[entitlement] = (entitlements[entitlement] as? [String] ?? []) + [value]
                registration["entitlements"] = entitlements
            }
        case .writeRegistration(let file, let manual):
            try stage.write(try example(of: manual), to: stage.work + "/" + file)
        case .nameProgram(let path, let file):
            try stage.administer(file, #"{"executables": ["\#(path)"]}"#)
        case .install(let file, let folder): try stage.install(file, in: folder)
        case .startRegistered:
            let registration = try RepairStage.object(try String(contentsOfFile: own, encoding: .utf8))
            for path in registration["executables"] as? [String] ?? [] { try stage.start(path) }
        case .correctExecutables(let command):
            let shown = try stage.run(command, mayFail: true)
            guard let found = shown.firstMatch(of: /\/\S+\/org\.example\.Shop\.json/) else {
                throw NotUnderstood(description: "no registration is named: \(shown)")
            }
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            try stage.edit(String(found.0)) { $0["executables"] = [program] }
        case .setMember(let name, let value, let purpose): setField(try field(for: purpose), name, value, stage)
        case .setFieldMember(let name, let value, let field): setField(field, name, value, stage)
        case .setParameter(let name, let value): stage.parameters[name] = value
        case .call(let method): try call(method, stage)
        }
    }

    /// The developer's knowledge of the form.
    private static func field(for purpose: String) throws -> String {
        switch purpose {
        case "the new password": return "new"
        case "the user name or e-mail address": return "mail"
        default: throw NotUnderstood(description: "the form has no field for \(purpose)")
        }
    }

    private static func setField(_ id: String, _ name: String, _ value: Any, _ stage: RepairStage) {
        var form = stage.parameters["form"] as? [String: Any] ?? [:]
        form["fields"] = (form["fields"] as? [[String: Any]] ?? []).map { field in
            field["id"] as? String == id ? field.merging([name: value]) { $1 } : field
        }
        stage.parameters["form"] = form
    }

    /// The registration in a manual page, with the app's own program instead of the page's.
    private static func example(of manual: String) throws -> String {
        let page = try String(contentsOfFile: TestFiles.root + "systemd/man/\(manual).5", encoding: .utf8)
        guard let found = page.firstMatch(of: /\.SH EXAMPLE\n\.EX\n((?:.|\n)+?)\.EE/) else {
            throw NotUnderstood(description: "\(manual) has no example")
        }
        return String(found.1).replacing("\\-", with: "-").replacing("\"/usr/bin/example-shop\"", with: "")
    }

    /// Calls a method with the app's parameters, and keeps the offer of its answer.
    private static func call(_ method: String, _ stage: RepairStage) throws {
        let parameters =
            method == "autofill.suggest"
            ? try RepairStage.object(WrongSetUp.signUp())
            : stage.parameters.merging(["data": ["base64": "QQ=="]]) { $1 }
        let answer = try stage.ask(method, parameters)
        guard answer.result != nil else { throw NotUnderstood(description: "\(answer)") }
        if let offer = answer.suggestion("strongPassword")?["offer"] { stage.parameters["offer"] = offer }
    }

    /// Follows the fix of each error that a check has printed: `FILE: PATH: what is wrong`, and below it the fix.
    private static func fixMistakes(_ file: String, _ shown: String, _ stage: RepairStage) throws {
        // On a terminal a line is wrapped between words, and continues below, indented. By scalars: CR LF is one character.
        let plain = String(String.UnicodeScalarView(shown.unicodeScalars.filter { $0 != "\r" }))
        let text = plain.replacing(/\n +/, with: " ")
        var count = 0
        for found in text.matches(of: /autofillctl: (\S+): (\S+): [^\n]*? Fix: ([^\n]+)/) where found.1 == file {
            let path = found.2.matches(of: /"([^"]+)"|\[(\d+)\]|([^."\[]+)/).map { String($0.1 ?? $0.2 ?? $0.3 ?? "") }
            try stage.edit(file) { object in
                var value: Any = object
                try edit(&value, path[...], String(found.3))
                object = value as? [String: Any] ?? object
            }
            count += 1
        }
        if count == 0 { throw NotUnderstood(description: "no mistake is named: \(shown)") }
    }

    /// Follows an error's fix at its path in the file.
    private static func edit(_ value: inout Any, _ path: ArraySlice<String>, _ fix: String) throws {
        guard let name = path.first else { throw NotUnderstood(description: fix) }
        if var array = value as? [Any], let index = Int(name), array.indices.contains(index) {
            if path.count > 1 {
                try edit(&array[index], path.dropFirst(), fix)
            } else if fix.hasPrefix("Remove it") {
                array.remove(at: index)
            } else {
                throw NotUnderstood(description: fix)
            }
            value = array
        } else if var object = value as? [String: Any], var inner = object[name] {
            if path.count > 1 {
                try edit(&inner, path.dropFirst(), fix)
                object[name] = inner
            } else if let found = fix.firstMatch(of: /^Did you mean "(\w+)"\?/) {
                object[name] = nil
                object[String(found.1)] = inner
            } else if fix.hasPrefix("Remove it") {
                object[name] = nil
            } else {
                throw NotUnderstood(description: fix)
            }
            value = object
        } else {
            throw NotUnderstood(description: "there is no \(path)")
        }
    }
}
