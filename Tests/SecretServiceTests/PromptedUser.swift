// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// The user at an administrator's prompter, which waits for the answers of the test.
struct PromptedUser {
    static let prompter = "/etc/autofilld/bin/pinentry"
    static let passphrase = "correct horse"
    static let proof = ["type": "passphrase", "passphrase": passphrase]

    private let questions: FileHandle
    private let answers: FileHandle

    init(_ stage: SecretStage) throws {
        // Open for reading and writing, neither side waits for the other to open it.
        questions = try #require(FileHandle(forUpdatingAtPath: stage.directory.path + "/asked"))
        answers = try #require(FileHandle(forUpdatingAtPath: stage.directory.path + "/answers"))
    }

    /// Waits for the next question; its first line.
    func question() throws -> String {
        var line = Data()
        while let byte = try questions.read(upToCount: 1), byte.first != UInt8(ascii: "\n") { line += byte }
        return String(decoding: line, as: UTF8.self).components(separatedBy: "%0A")[0]
    }

    /// The number of the window that the prompter received as the parent of its prompt.
    func window(_ stage: SecretStage) throws -> String {
        try String(contentsOfFile: stage.directory.path + "/window", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
    }

    /// Waits until the question that was asked last is there no more.
    func waitForEnd(_ stage: SecretStage) throws {
        let process = try String(contentsOfFile: stage.directory.path + "/prompter", encoding: .utf8)
        _ = try ForeignProgram(
            "tail", ["--pid", process.trimmingCharacters(in: .newlines), "-s", "0.02", "-f", "/dev/null"])
    }

    /// - Parameter text: `yes`, `no`, `later` for the third button, or the passphrase.
    func answer(_ text: String) throws { try answers.write(contentsOf: Data("\(text)\n".utf8)) }

    /// Answers every prompt until `body` has ended.
    ///
    /// - Returns: the questions.
    func answering(
        _ stage: SecretStage, _ answer: @escaping @Sendable (String) -> String, during body: () throws -> Void
    ) throws -> [String] {
        let ended = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var asked: [String] = []
        Thread.detachNewThread {
            while let question = try? self.question(), question != "end" {
                asked.append(question)
                try? self.answer(answer(question))
            }
            ended.signal()
        }
        let done = Result { try body() }
        try FileHandle(forWritingAtPath: stage.directory.path + "/asked")?.write(contentsOf: Data("end\n".utf8))
        ended.wait()
        try done.get()
        return asked
    }

    /// Puts the prompter, and the settings that name it, where the stage's files of /etc are.
    static func install(in directory: TemporaryDirectory) throws {
        let program = """
            #!/bin/sh
            echo OK
            while read -r command rest; do
                case $command in
                    OPTION) case $rest in parent-wid=*) echo "${rest#*=}" >'\(directory.path)/window' ;; esac; echo OK ;;
                    SETDESC) echo $$ >'\(directory.path)/prompter'; printf '%s\\n' "$rest" >'\(directory.path)/asked'; echo OK ;;
                    GETINFO) echo 'D gtk2'; echo OK ;;
                    GETPIN | CONFIRM)
                        read -r answer <'\(directory.path)/answers'
                        case $command:$answer in
                            *:no) echo 'ERR 83886179 cancelled' ;;
                            *:later) echo 'ERR 83886194 not confirmed' ;;
                            GETPIN:*) echo "D $answer"; echo OK ;;
                            *) echo OK ;;
                        esac ;;
                    *) echo OK ;;
                esac
            done

            """
        try directory.write("etc/autofilld/bin/pinentry", program)
        chmod(directory.path + "/etc/autofilld/bin/pinentry", 0o755)
        for name in ["asked", "answers"] { try #require(mkfifo("\(directory.path)/\(name)", 0o600) == 0) }
        try directory.write(
            "etc/autofilld/settings.json", #"{"siteAssociation": "advisory", "prompters": ["\#(prompter)"]}"#)
    }
}
