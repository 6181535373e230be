// SPDX-License-Identifier: Apache-2.0
import PeerIdentity
import TestGround
import Testing

@Suite struct FlatpakInfoTests {
    /// As Flatpak 1.14 writes it.
    private let info = """
        [Application]
        name=org.example.Shop
        runtime=runtime/org.gnome.Platform/x86_64/46

        [Instance]
        instance-id=3219836592
        instance-path=/home/a/.var/app/org.example.Shop
        app-path=/var/lib/flatpak/app/org.example.Shop/x86_64/stable/0badf00d/files
        app-commit=0badf00d
        branch=stable
        arch=x86_64
        flatpak-version=1.14.4
        session-bus-proxy=true

        [Context]
        shared=network;ipc;
        sockets=x11;wayland;
        filesystems=xdg-run/autofilld:ro;

        [Environment]
        STRANGE=\\q
        """

    @Test("The app's ID, instance and deployed files are read")
    func honest() throws {
        let instance = try FlatpakInstance(parsing: Array(info.utf8))
        #expect(instance.appID == "org.example.Shop")
        #expect(instance.instanceID == "3219836592")
        #expect(instance.appPath == "/var/lib/flatpak/app/org.example.Shop/x86_64/stable/0badf00d/files")
        #expect(instance.installationPath == "/var/lib/flatpak")
        #expect(!instance.isBuild)
    }

    @Test(
        "Files that do not lie where Flatpak deploys this app belong to no installation",
        arguments: [
            "/app/org.example.Shop/x86_64/stable/c/files", "/x/app/org.example.Bank/x86_64/stable/c/files",
            "/x/app/org.example.Shop/x86_64/stable/c/export", "/x/app/org.example.Shop/x86_64/c/files",
            "x/app/org.example.Shop/x86_64/stable/c/files", "/x/../app/org.example.Shop/x86_64/stable/c/files",
            "/x//app/org.example.Shop/x86_64/stable/c/files", "/",
        ])
    func noInstallation(path: String) {
        #expect(FlatpakInstance(appID: "org.example.Shop", appPath: path).installationPath == nil)
    }

    @Test("A replaced /app is traced to the files that were deployed")
    func originalPath() {
        let instance = FlatpakInstance(
            appID: "org.example.Shop", appPath: "/home/a/build",
            originalAppPath: "/home/a/.local/share/flatpak/app/org.example.Shop/x86_64/stable/c/files")
        #expect(instance.installationPath == "/home/a/.local/share/flatpak")
    }

    @Test("Escapes in a path are undone, and a path that is not UTF-8 is no path")
    func escapes() throws {
        let text = "[Application]\nname=org.example.Shop\n[Instance]\napp-path=/a\\sb\\\\\ninstance-id="
        let instance = try FlatpakInstance(parsing: Array(text.utf8) + [0xFF])
        #expect(instance.appPath == #"/a b\"#)
        #expect(instance.instanceID == nil)
    }

    @Test(
        "What is not a key file with an app ID is malformed",
        arguments: [
            ("", .applicationID), ("[Application]\n", .applicationID), ("[Application]\nname=shop\n", .applicationID),
            ("[Application]\nname=org..Shop\n", .applicationID), ("[Application]\nname=org.9shop\n", .applicationID),
            ("[Application]\nname=org.example.Shöp\n", .applicationID), ("[Runtime]\nname=org.x.Y\n", .applicationID),
            ("name=org.example.Shop\n", .line(1)), ("[Application\n", .line(1)), ("[]\n", .line(1)),
            ("[Application]\nname=org.example.Shop\nname=org.example.Bank\n", .line(3)),
            ("[Application]\nname=org.example.Shop\n[Application]\n", .line(3)), ("[Application]\nnoise\n", .line(2)),
            ("[Application]\n=x\n", .line(2)), ("[Application]\nna\0me=x\n", .line(2)),
        ] as [(String, FlatpakInstance.Malformed)])
    func malformed(text: String, error: FlatpakInstance.Malformed) {
        #expect(throws: error) { try FlatpakInstance(parsing: Array(text.utf8)) }
    }

    @Test("Whatever the bytes, the parser returns")
    func anyBytes() {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array("[]=\\#\n\r \tAp.plication0\u{0}ä".utf8) + [0xFF]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            _ = try? FlatpakInstance(parsing: bytes)
            _ = ControlGroup(procFile: Array("0::/".utf8) + bytes)
            let printed = PrintableBytes.text(bytes)
            #expect(printed.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        }
    }
}
