// SPDX-License-Identifier: Apache-2.0
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import ForeignFormats

/// Profiles of browsers: a Firefox profile that Firefox wrote, and files made in Python by the descriptions of their forms.
@Suite(
    "Profiles of browsers", .blocking, .timeLimit(.minutes(5)),
    .enabled("built without the trait ForeignLibraries") { ForeignLibraries.areAvailable },
    .enabled("python3-pycryptodome is not installed") {
        ProgramRun.succeeds("/usr/bin/python3 -c 'import Cryptodome'")
    })
struct ProfileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func python(_ script: String, _ arguments: [String]) throws {
        let run = try ProgramRun("/usr/bin/python3", ["-c", script] + arguments, in: directory)
        try #require(run.status == 0, "\(run.errors)")
    }

    private func content(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: directory.path + "/" + name)))
    }

    // MARK: Firefox

    /// NSS's forms: PBES2 (since 2020, then with SHA-384), and PKCS #12's with 3DES; keys of both ciphers.
    private static let firefox = """
        import base64, hashlib, hmac, json, os, sqlite3, sys
        from Cryptodome.Cipher import AES, DES3
        folder, password, old = sys.argv[1], sys.argv[2].encode(), sys.argv[3] == 'old'
        def tlv(tag, *parts):
            body = b''.join(parts)
            size = bytes([len(body)]) if len(body) < 128 else bytes([0x82]) + len(body).to_bytes(2, 'big')
            return bytes([tag]) + size + body
        seq, octets = lambda *p: tlv(0x30, *p), lambda b: tlv(4, b)
        oid = lambda text: tlv(6, bytes.fromhex(text))
        number = lambda n: tlv(2, n.to_bytes(4, 'big').lstrip(b'\\0') or b'\\0')
        def padded(text, size):
            return text + bytes([size - len(text) % size]) * (size - len(text) % size)
        newest = sys.argv[3] == 'newest'
        global_salt = os.urandom(48 if newest else 20)
        secret = hashlib.new('sha384' if newest else 'sha1', global_salt + password).digest()
        def seal(text):
            if old:
                salt = os.urandom(16)
                key = hashlib.sha1(secret + salt).digest()
                mac = lambda data: hmac.new(key, data, 'sha1').digest()
                fill = salt + bytes(20 - len(salt))
                both = mac(fill + salt) + mac(mac(fill) + salt)
                ct = DES3.new(both[:24], DES3.MODE_CBC, both[-8:]).encrypt(padded(text, 8))
                return seq(seq(oid('2a864886f70d010c050103'), seq(octets(salt), number(1))), octets(ct))
            salt, iv = os.urandom(32), os.urandom(14)
            key = hashlib.pbkdf2_hmac('sha256', secret, salt, 10000)
            ct = AES.new(key, AES.MODE_CBC, b'\\x04\\x0e' + iv).encrypt(padded(text, 16))
            kdf = seq(oid('2a864886f70d01050c'), seq(octets(salt), number(10000), number(32), seq(oid('2a864886f70d0209'))))
            return seq(seq(oid('2a864886f70d01050d'), seq(kdf, seq(oid('60864801650304012a'), octets(iv)))), octets(ct))
        des, aes = DES3.adjust_key_parity(os.urandom(24)), os.urandom(32)
        ids = bytes.fromhex('f8000000000000000000000000000001'), os.urandom(16)
        db = sqlite3.connect(folder + '/key4.db')
        db.execute('CREATE TABLE metaData (id PRIMARY KEY UNIQUE ON CONFLICT REPLACE, item1, item2)')
        db.execute('CREATE TABLE nssPrivate (id PRIMARY KEY UNIQUE ON CONFLICT ABORT, a0, a11, a102)')
        db.execute('INSERT INTO metaData VALUES (?, ?, ?)', ('password', global_salt, seal(b'password-check')))
        for n, (key, id) in enumerate(zip((des, aes), ids)):
            db.execute('INSERT INTO nssPrivate VALUES (?, ?, ?, ?)', (n, b'', seal(key), id))
        db.commit(); db.close()
        def value(text, modern):
            if modern:
                iv = os.urandom(16)
                ct = AES.new(aes, AES.MODE_CBC, iv).encrypt(padded(text.encode(), 16))
                inner = seq(octets(ids[1]), seq(oid('60864801650304012a'), octets(iv)), octets(ct))
            else:
                iv = os.urandom(8)
                ct = DES3.new(des, DES3.MODE_CBC, iv).encrypt(padded(text.encode(), 8))
                inner = seq(octets(ids[0]), seq(oid('2a864886f70d0307'), octets(iv)), octets(ct))
            return base64.b64encode(inner).decode()
        def login(host, user, pw, modern, **more):
            return dict(more, hostname=host, formSubmitURL=host, usernameField='', passwordField='', guid='{1}', encType=1,
                encryptedUsername=value(user, modern), encryptedPassword=value(pw, modern), timeCreated=1700000000001,
                timeLastUsed=1700000000002, timePasswordChanged=1700000000003, timesUsed=1)
        # Under a key that is not in key4.db any more.
        stale = base64.b64encode(seq(octets(bytes(16)), seq(oid('60864801650304012a'), octets(bytes(16))), octets(bytes(16)))).decode()
        json.dump({'nextId': 4, 'version': 3, 'disabledHosts': ['https://never.example'], 'logins': [
            login('https://a.example', 'ann', 'p\\u20ac', False, httpRealm=None),
            login('https://b.example', 'bob', 'x' * 100, not old, httpRealm='Staff'),
            dict(login('https://old.example', '', '', True), encryptedUsername=stale, encryptedPassword=stale),
            {'id': 3, 'hostname': 'https://gone.example', 'deleted': True}]}, open(folder + '/logins.json', 'w'))
        """

    @Test("Firefox's, by the description: each form of key4.db, with and without a primary password")
    func firefox() throws {
        for (password, form) in [
            ("", "new"), ("prïmary", "new"), ("", "old"), ("prïmary", "old"), ("prïmary", "newest"),
        ] {
            try? FileManager.default.removeItem(atPath: directory.path + "/key4.db")
            try python(Self.firefox, [directory.path, password, form])
            let (logins, keys) = (try content("logins.json"), try content("key4.db"))
            let found = try read(logins, password: password.isEmpty ? nil : password, keyFile: keys)
            #expect(found.format == "firefox-profile" && found.entries.map(\.user) == ["ann", "bob"])
            #expect(found.entries.map { $0.password?.text } == ["p€", String(repeating: "x", count: 100)])
            #expect(found.entries[0].sites == ["https://a.example"] && found.entries[0].changed == 1_700_000_000_003)
            #expect(found.entries[1].fields.first?.value.text == "Staff")
            #expect(found.notConverted.map(\.reason) == [.unsupportedKind, .unreadable, .deleted])
            #expect(throws: ConversionError(.wrongPassword)) { try read(logins, password: "wrong", keyFile: keys) }
            #expect(throws: ConversionError(.keyFileMissing)) { try read(logins, password: password) }
            if !password.isEmpty {
                #expect(throws: ConversionError(.passwordMissing)) { try read(logins, keyFile: keys) }
            }
        }
    }

    @Test("A login whose values are malformed, or under another cipher, is listed, and the others are read")
    func damagedLogin() throws {
        try python(Self.firefox, [directory.path, "", "new"])
        let keys = try content("key4.db")
        let logins = String(decoding: try content("logins.json"), as: UTF8.self)
        // A sequence that is cut off, and one with an object identifier of no cipher.
        for value: [UInt8] in [[0x30], [0x30, 14, 4, 1, 0, 0x30, 6, 6, 1, 0x2A, 4, 1, 0, 4, 1, 0]] {
            let text = "\"\(Data(value).base64EncodedString())\""
            let login =
                "{\"hostname\": \"https://bad.example\", \"encryptedUsername\": \(text), "
                + "\"encryptedPassword\": \(text)}"
            let changed = logins.replacing("\"logins\": [", with: "\"logins\": [\(login), ")
            let found = try read(Array(changed.utf8), keyFile: keys)
            #expect(found.entries.map(\.user) == ["ann", "bob"])
            #expect(found.notConverted.contains(NotConverted(title: "https://bad.example", reason: .unreadable)))
        }
    }

    @Test("A key database that is cut off, or changed, is refused, or gives the same logins but for listed ones")
    func damagedKeys() throws {
        try python(Self.firefox, [directory.path, "", "new"])
        let (logins, keys) = (try content("logins.json"), try content("key4.db"))
        let good = try read(logins, keyFile: keys)
        for length in stride(from: 0, to: keys.count, by: 499) {
            #expect(throws: ConversionError.self, "\(length) bytes") {
                try read(logins, keyFile: Array(keys.prefix(length)))
            }
        }
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<100 {
            var damaged = keys
            let index = Int.random(in: 0..<keys.count, using: &generator)
            damaged[index] ^= .random(in: 1...255, using: &generator)
            guard let found = try? read(logins, keyFile: damaged) else { continue }
            let listed = found.notConverted.filter { $0.reason == .unreadable }.map(\.title)
            #expect(found.holds(good.entries.filter { !listed.contains($0.title) }), "byte \(index)")
        }
    }

    /// Marionette is Firefox's own protocol for tests; its chrome context has the browser's services.
    private static let realFirefox = """
        import json, os, socket, subprocess, sys, time
        folder, password = sys.argv[1], sys.argv[2]
        profile = folder + '/profile'
        os.makedirs(profile)
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0)); port = probe.getsockname()[1]
        with open(profile + '/user.js', 'w') as f: f.write(f'user_pref("marionette.port", {port});')
        browser = subprocess.Popen(['firefox-esr', '--headless', '--no-remote', '--profile', profile, '--marionette',
            '-remote-allow-system-access'], env=dict(os.environ, HOME=folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            end = time.time() + 90
            while True:
                try: s = socket.create_connection(('127.0.0.1', port), 1); break
                except OSError:
                    if time.time() > end or browser.poll() is not None: raise
                    time.sleep(0.2)
            s.settimeout(90)
            stream = s.makefile('rb')
            def message():
                size = b''
                while (c := stream.read(1)) != b':': size += c
                return json.loads(stream.read(int(size)))
            message()
            def call(name, arguments):
                text = json.dumps([0, 1, name, arguments]).encode()
                s.sendall(str(len(text)).encode() + b':' + text)
                _, _, error, result = message()
                if error: sys.exit(str(error)[:500])
                return result
            call('WebDriver:NewSession', {})
            call('Marionette:SetContext', {'value': 'chrome'})
            script = '''
                const done = arguments[arguments.length - 1], password = arguments[0];
                (async () => {
                    const make = (site, realm, user, secret) => {
                        const info = Cc["@mozilla.org/login-manager/loginInfo;1"].createInstance(Ci.nsILoginInfo);
                        info.init(site, realm ? null : site, realm, user, secret, "", "");
                        return Services.logins.addLoginAsync(info);
                    };
                    if (password) {
                        const token = Cc["@mozilla.org/security/internalkeytoken;1"];
                        if (token) await token.getService(Ci.nsIPKCS11Token).changePassword("", password);
                        else Cc["@mozilla.org/security/pk11tokendb;1"].getService(Ci.nsIPK11TokenDB)
                            .getInternalKeyToken().initPassword(password);
                    }
                    await make("https://a.example", null, "ann", "p\\\\u20ac");
                    await make("https://b.example", "Staff", "bob", "x".repeat(100));
                    return "saved";
                })().then(done, error => done(String(error)));'''
            result = call('WebDriver:ExecuteAsyncScript', {'script': script, 'args': [password]})['value']
            if result != 'saved': sys.exit(result)
            call('Marionette:Quit', {'flags': ['eAttemptQuit']})
            browser.wait(60)
        finally:
            if browser.poll() is None: browser.kill(); browser.wait()
        os.rename(profile + '/logins.json', folder + '/logins.json')
        os.rename(profile + '/key4.db', folder + '/key4.db')
        """

    @Test(
        "A profile that Firefox itself wrote, without and with a primary password", arguments: ["", "prïmary"])
    func writtenByFirefox(_ password: String) throws {
        guard ProgramRun.succeeds("firefox-esr --version") else { return }
        try python(Self.realFirefox, [directory.path, password])
        let (logins, keys) = (try content("logins.json"), try content("key4.db"))
        let found = try read(logins, password: password.isEmpty ? nil : password, keyFile: keys)
        #expect(found.entries.map(\.user).sorted() == ["ann", "bob"], "\(found.notConverted)")
        let passwords = found.entries.sorted { $0.user < $1.user }.map { $0.password?.text }
        #expect(passwords == ["p€", String(repeating: "x", count: 100)])
        #expect(throws: ConversionError(.wrongPassword)) { try read(logins, password: "wrong", keyFile: keys) }
    }

    // MARK: Chromium

    private static let chromium = """
        import hashlib, sqlite3, sys
        from Cryptodome.Cipher import AES
        path, wal = sys.argv[1], sys.argv[2] == 'wal'
        def seal(version, secret, text):
            key = hashlib.pbkdf2_hmac('sha1', secret, b'saltysalt', 1, 16)
            text = text.encode(); pad = 16 - len(text) % 16
            return version + AES.new(key, AES.MODE_CBC, b' ' * 16).encrypt(text + bytes([pad]) * pad)
        db = sqlite3.connect(path)
        if wal: db.execute('PRAGMA journal_mode = WAL')
        db.execute('''CREATE TABLE logins (origin_url VARCHAR NOT NULL, action_url VARCHAR, username_element VARCHAR,
            username_value VARCHAR, password_element VARCHAR, password_value BLOB, submit_element VARCHAR, signon_realm
            VARCHAR NOT NULL, date_created INTEGER NOT NULL, blacklisted_by_user INTEGER NOT NULL, scheme INTEGER NOT NULL,
            federation_url VARCHAR, id INTEGER PRIMARY KEY AUTOINCREMENT, date_last_used INTEGER NOT NULL DEFAULT 0,
            date_password_modified INTEGER NOT NULL DEFAULT 0)''')
        db.execute('CREATE TABLE password_notes (id INTEGER PRIMARY KEY, parent_id INTEGER, key VARCHAR, value BLOB)')
        at = lambda seconds: (seconds + 11644473600) * 1000000
        def add(id, url, user, password, never=0, scheme=0, federation='', realm=None):
            db.execute('INSERT INTO logins VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)', (url, url, '', user, '', password, '',
                realm or url, at(1700000000), never, scheme, federation, id, at(1700000002), at(1700000001)))
        add(1, 'https://a.example/', 'ann', seal(b'v10', b'peanuts', 'p\\u20ac'))
        add(2, 'https://b.example/', 'bob', seal(b'v11', b'c2VjcmV0', 'stored'), scheme=1, realm='https://b.example/Staff')
        add(3, 'https://never.example/', '', b'', never=1)
        add(4, 'https://c.example/', '', b'', federation='https://accounts.example')
        add(5, 'https://old.example/', 'eve', seal(b'v11', b'before it was replaced', 'x'))
        db.execute('INSERT INTO password_notes VALUES (1, 1, ?, ?)', ('', seal(b'v10', b'peanuts', 'a note')))
        db.commit(); db.execute('PRAGMA wal_checkpoint(TRUNCATE)'); db.close()
        """

    @Test("Chromium's: under the fixed key and the stored one, with notes; what it never saves is listed")
    func chromium() throws {
        for journal in ["delete", "wal"] {
            try? FileManager.default.removeItem(atPath: directory.path + "/Login Data")
            try python(Self.chromium, [directory.path + "/Login Data", journal])
            let file = try content("Login Data")
            let found = try read(file, password: "c2VjcmV0")
            #expect(found.format == "chromium-profile" && found.entries.map(\.user) == ["ann", "bob"])
            let entry = found.entries[0]
            #expect(entry.password?.text == "p€" && entry.notes?.text == "a note")
            #expect(entry.created == 1_700_000_000_000 && entry.changed == 1_700_000_001_000)
            #expect(entry.used == 1_700_000_002_000 && entry.sites == ["https://a.example/"])
            #expect(found.entries[1].password?.text == "stored")
            #expect(found.entries[1].fields.map { $0.value.text } == ["https://b.example/Staff"])
            let listed = ["https://never.example/", "https://c.example/", "https://old.example/"]
            #expect(found.notConverted.map(\.title) == listed)
            #expect(found.notConverted.last?.reason == .unreadable)
            #expect(throws: ConversionError(.passwordMissing)) { try read(file) }
            #expect(throws: ConversionError(.wrongPassword)) { try read(file, password: "wrong") }
        }
    }

    @Test("A database whose table is a view, is a virtual table, does not end, or is no SQLite is refused")
    func hostileDatabases() throws {
        for (name, statement) in [
            ("view", "CREATE VIEW logins AS SELECT 1 AS origin_url, 2 AS username_value, 3 AS password_value"),
            (
                "endless",
                "CREATE VIEW logins AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
                    + "SELECT x AS origin_url, x AS username_value, x AS password_value FROM n"
            ),
            ("virtual", "CREATE VIRTUAL TABLE logins USING fts5(origin_url, username_value, password_value)"),
            ("other", "CREATE TABLE other (a)"),
        ] {
            let path = "\(directory.path)/\(name)"
            try python("import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2])", [path, statement])
            #expect(throws: ConversionError(.unrecognised), "\(name)") { try read(try content(name)) }
        }
        #expect(throws: ConversionError(.damaged)) { try read(Array("SQLite format 3\0and no more".utf8)) }
    }

    @Test("Login Data that is cut off or changed is refused, or read without a crash")
    func damagedLogins() throws {
        try python(Self.chromium, [directory.path + "/Login Data", "delete"])
        let file = try content("Login Data")
        for length in stride(from: 16, to: file.count, by: 499) {
            #expect(throws: ConversionError.self, "\(length) bytes") {
                try read(Array(file.prefix(length)), password: "c2VjcmV0")
            }
        }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            var damaged = file
            for _ in 0..<3 {
                damaged[.random(in: 0..<file.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = try? read(damaged, password: "c2VjcmV0")
        }
    }
}
