// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround
import Testing

@testable import ForeignFormats

/// KDBX 3.1, which no program at hand writes any more: made in Python by the description of the format, and read by
/// pykeepass too, to see that it is one.
@Suite(
    "KDBX 3.1", .blocking, .timeLimit(.minutes(3)),
    .enabled("built without the trait ForeignLibraries") { ForeignLibraries.areAvailable },
    .enabled("python3-pykeepass is not installed") { ProgramRun.succeeds("/usr/bin/python3 -c 'import pykeepass'") })
struct OldKeePassTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let writer = """
        import base64, gzip, hashlib, struct, sys
        from Cryptodome.Cipher import AES, Salsa20
        path, rounds, packed = sys.argv[1], int(sys.argv[2]), sys.argv[3] == 'gzip'
        sha = lambda *parts: hashlib.sha256(b''.join(parts)).digest()
        master, transform, iv = bytes(range(32)), bytes(range(32, 64)), bytes(range(16))
        stream_key, start = bytes(range(64, 96)), bytes(range(96, 128))
        def field(number, value): return struct.pack('<BH', number, len(value)) + value
        header = bytes.fromhex('03d9a29a67fb4bb5') + struct.pack('<I', 0x00030001)
        header += field(2, bytes.fromhex('31c1f2e6bf714350be5805216afc5aff')) + field(3, struct.pack('<I', packed))
        header += field(4, master) + field(5, transform) + field(6, struct.pack('<Q', rounds)) + field(7, iv)
        header += field(8, stream_key) + field(9, start) + field(10, struct.pack('<I', 2)) + field(0, b'\\r\\n\\r\\n')
        stream = Salsa20.new(sha(stream_key), bytes.fromhex('e830094b97205d2a'))
        hidden = lambda text: base64.b64encode(stream.encrypt(text.encode())).decode()
        string = lambda name, value: f'<String><Key>{name}</Key><Value>{value}</Value></String>'
        secret = lambda name, value: f'<String><Key>{name}</Key><Value Protected="True">{hidden(value)}</Value></String>'
        uuid = lambda n: base64.b64encode(bytes([n] * 16)).decode()
        times = '<Times><LastModificationTime>2024-01-15T10:30:00Z</LastModificationTime></Times>'
        entry = (f'<Entry><UUID>{uuid(3)}</UUID><Tags>a;b</Tags>{times}' + string('Title', 'Shop &amp; Co') +
            string('UserName', 'ann') + secret('Password', 'p\\u20ac') + string('URL', 'https://a.example') +
            secret('PIN', '0012') + f'<History><Entry><UUID>{uuid(3)}</UUID>{times}' + string('Title', 'Shop') +
            secret('Password', 'old') + '</Entry></History></Entry>')
        xml = ('<?xml version="1.0" encoding="utf-8"?><KeePassFile><Meta><HeaderHash>' +
            base64.b64encode(sha(header)).decode() + f'</HeaderHash></Meta><Root><Group><UUID>{uuid(1)}</UUID>' +
            f'<Name>Root</Name><Group><UUID>{uuid(2)}</UUID><Name>Work</Name>{entry}</Group></Group></Root>' +
            '</KeePassFile>').encode()
        if packed: xml = gzip.compress(xml)
        half = len(xml) // 2
        content = start
        for index, block in enumerate([xml[:half], xml[half:], b'']):
            content += struct.pack('<I', index) + (sha(block) if block else bytes(32)) + struct.pack('<I', len(block)) + block
        key = sha(sha(b'pass'))
        for _ in range(rounds): key = AES.new(transform, AES.MODE_ECB).encrypt(key)
        pad = 16 - len(content) % 16
        body = AES.new(sha(master, sha(key)), AES.MODE_CBC, iv).encrypt(content + bytes([pad]) * pad)
        open(path, 'wb').write(header + body)
        """

    private func file(rounds: Int, _ compression: String) throws -> [UInt8] {
        let path = directory.path + "/old.kdbx"
        let made = try ProgramRun(
            "/usr/bin/python3", ["-c", Self.writer, path, "\(rounds)", compression], in: directory)
        try #require(made.status == 0, "\(made.errors)")
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    @Test("It is read with its values under Salsa20, its history and its folder", arguments: ["gzip", "plain"])
    func content(_ compression: String) throws {
        let file = try file(rounds: 6000, compression)
        let script = """
            import pykeepass, sys
            entry = pykeepass.PyKeePass(sys.argv[1], password='pass').entries[0]
            print(ascii([entry.title, entry.username, entry.password, entry.get_custom_property('PIN')]))
            """
        let other = try ProgramRun("/usr/bin/python3", ["-c", script, directory.path + "/old.kdbx"], in: directory)
        #expect(other.text == "['Shop & Co', 'ann', 'p\\u20ac', '0012']\n", "\(other.errors)")
        let found = try read(file, password: "pass")
        let entry = try #require(found.entries.first)
        #expect(found.format == "kdbx" && found.entries.count == 1 && found.notConverted.isEmpty)
        #expect(entry.title == "Shop & Co" && entry.user == "ann" && entry.password?.text == "p€")
        #expect(entry.folder == "Work" && entry.tags == ["a", "b"] && entry.changed == 1_705_314_600_000)
        #expect(entry.fields.first?.value.text == "0012" && entry.history.first?.password.text == "old")
        #expect(throws: ConversionError(.wrongPassword)) { try read(file, password: "Pass") }
    }

    @Test("Cut off after any byte it is refused, and so is each one whose content was changed")
    func damage() throws {
        let file = try file(rounds: 1, "gzip")
        for length in 1..<file.count {
            #expect(throws: ConversionError.self, "\(length) bytes") {
                try read(Array(file.prefix(length)), password: "pass")
            }
        }
        // Of the header, 3.1 protects nothing but what opens the content; the content is hashed in blocks.
        // (Its last block is empty: its hash is none.)
        let padding = 80
        for index in stride(from: 300, to: file.count - padding, by: 7) {
            var damaged = file
            damaged[index] ^= 1
            #expect(throws: ConversionError.self, "byte \(index)") { try read(damaged, password: "pass") }
        }
    }

    @Test("Rounds for years are refused at once")
    func costly() throws {
        var file = try file(rounds: 1, "gzip")
        let rounds = try #require(file.indices.first { file[$0...].starts(with: [6, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0]) })
        file[rounds + 10] = 1
        #expect(throws: ConversionError(.derivationTooCostly)) { try read(file, password: "pass") }
    }
}
