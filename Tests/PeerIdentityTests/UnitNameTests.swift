// SPDX-License-Identifier: Apache-2.0
import PeerIdentity
import Testing

@Suite struct UnitNameTests {
    @Test(
        "The app is read from a unit's name as desktops write it",
        arguments: [
            ("app-org.example.Shop-123.scope", nil, "org.example.Shop"),
            ("app-gnome-org.example.Shop-123.scope", "gnome", "org.example.Shop"),
            ("app-flatpak-org.example.Shop-123.scope", "flatpak", "org.example.Shop"),
            ("app-org.example.Shop.service", nil, "org.example.Shop"),
            ("app-org.example.Shop@autostart.service", nil, "org.example.Shop"),
            ("app-KDE-org.example.Shop@a1b2-c3.service", "KDE", "org.example.Shop"),
            (#"app-gnome-org.example.My\x2dShop-123.scope"#, "gnome", "org.example.My-Shop"),
            (#"app-x\x2dy-org.example.Shop-123.scope"#, "x-y", "org.example.Shop"),
        ] as [(String, String?, String)])
    func desktop(unit: String, launcher: String?, appID: String) {
        #expect(AppUnit(unit: unit) == AppUnit(source: .desktop(launcher: launcher), appID: appID))
    }

    @Test(
        "A snap's unit contains the ID of its desktop file",
        arguments: [
            ("snap.shop.shop-01234567-89ab-cdef-0123-456789abcdef.scope", "shop_shop"),
            ("snap.shop.my-app.01234567-89ab-cdef-0123-456789abcdef.scope", "shop_my-app"),
            ("snap.shop.daemon.service", "shop_daemon"),
        ])
    func snap(unit: String, appID: String) {
        #expect(AppUnit(unit: unit) == AppUnit(source: .snap, appID: appID))
    }

    @Test(
        "A name that can be read in two ways, or in none, names no app",
        arguments: [
            "app-org.example.Shop.scope", "app-a-b-org.example.Shop-1.scope", "app--org.example.Shop-1.scope",
            "app-.service", "app-@x.service", "app-org.example.Shop-1.slice", "firefox.service", "session-2.scope",
            "vte-spawn-01234567.scope", #"app-org.example\x2-1.scope"#, #"app-org.example\n-1.scope"#,
            #"app-org.example\xff-1.scope"#, #"app-org.example\x0aShop-1.scope"#, "app-org.example Shop-1.scope",
            "app-org.exämple.Shop-1.scope", "snap.shop.scope", "snap..app.scope", "",
        ])
    func none(unit: String) {
        #expect(AppUnit(unit: unit) == nil)
    }

    @Test("The unit is the first below the slices of the user's manager, whatever groups lie below it")
    func controlGroup() throws {
        let line =
            #"0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-org.kde.konsole-12.scope/app-org.example.Bank-1.scope"#
        let group = try #require(ControlGroup(procFile: Array("1:name=systemd:/x\n\(line)\n".utf8)))
        #expect(group.unit == "app-org.kde.konsole-12.scope")
        #expect(group.manager == 1000)
        #expect(group.app(of: 1000)?.appID == "org.kde.konsole")
        #expect(group.app(of: 1001) == nil, "another user's manager")
    }

    @Test(
        "A group that is named as a user's manager, and is not where systemd makes that, is none",
        arguments: [
            ("0::/user.slice/user-1000.slice/session-7.scope/user@1000.service/app.slice", "session-7.scope"),
            ("0::/user.slice/user-1001.slice/user@1000.service/app.slice", "user@1000.service"),
            ("0::/system.slice/sshd.service/user@1000.service/app.slice", "sshd.service"),
            ("0::/system.slice/user-1000.slice/user@1000.service/app.slice", "user@1000.service"),
            ("0::/user.slice/user@1000.service/app.slice", "user@1000.service"), ("0::/a/user@1000.service", nil),
            ("0::/../user@1000.service/app.slice", nil),
            ("0::/user.slice", "app-org.example.Shop-1.scope"),
            ("0::/user.slice/user-1000.slice", "app-org.example.Shop-1.scope"),
        ] as [(String, String?)])
    func otherManagers(path: String, unit: String?) throws {
        let group = try #require(ControlGroup(procFile: Array("\(path)/app-org.example.Shop-1.scope\n".utf8)))
        #expect(group.manager == nil && group.app(of: 1000) == nil)
        #expect(group.unit == unit)
    }

    @Test(
        "Only the unified hierarchy counts, and only the names of units",
        arguments: [
            ("0::/user.slice/user-1000.slice/session-7.scope", "session-7.scope", "7"),
            ("0::/system.slice/sshd.service/x", "sshd.service", nil), ("0::/", nil, nil),
            ("0::/user@1000.service/init.scope", "init.scope", nil), ("0::/a/b", nil, nil),
            ("0::/user@1000.service/app.slice/_cgroup.service", "cgroup.service", nil),
            ("0::/user@1000.service/app.slice/a\u{1B}[2J.scope", nil, nil),
            ("0::/user@1000.service/app.slice/app-org.example.Shop-1.scope (deleted)", nil, nil),
        ] as [(String, String?, String?)])
    func units(line: String, unit: String?, session: String?) throws {
        let group = try #require(ControlGroup(procFile: Array(line.utf8)))
        #expect(group.unit == unit)
        #expect(group.session == session)
        #expect(group.app(of: 1000) == nil)
    }

    @Test(
        "A file without that line, or with bytes that are no text, means nothing",
        arguments: ["", "1:name=systemd:/a.scope\n", "0:"])
    func noControlGroup(file: String) throws {
        #expect(ControlGroup(procFile: Array(file.utf8)) == nil)
        let group = try #require(ControlGroup(procFile: Array("0::/user@1000.service/\u{0}".utf8) + [0xFF]))
        #expect(group.unit == nil)
        #expect(group.path.hasSuffix(#"\x00\xff"#))
    }
}
