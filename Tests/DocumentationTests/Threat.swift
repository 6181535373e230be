// SPDX-License-Identifier: Apache-2.0

/// An attack of the threat model, and the tests that show what comes of it, also where it succeeds.
struct Threat {
    let adversary: String
    let attack: String
    /// Empty where there is nothing that a test could do.
    let tests: [String]

    static let all = otherUser + thief + carelessApp + sandboxedApp + hostileProgram

    private static let otherUser = rows(
        "Another user of the machine",
        [
            ("Connects to the socket", ["A process of another user is refused"]),
            (
                "Reads the vault or the key file",
                [
                    "Socket and data directory are for the user alone, whatever the umask",
                    "A key file must be the user's own, closed to others, and 32 bytes long",
                ]
            ),
            (
                "Reads the daemon's memory or a core dump",
                [
                    "A hardened process prints nothing at a crash, dumps no core and cannot be read from outside",
                    "After a lock it holds no user, site, account nor item's name that was saved, listed, given out, checked or refused",
                ]
            ),
            (
                "Connects to the page of `autofillctl rules playground`",
                [
                    "Without the token, with a wrong one, or with one in the address, no figure is answered",
                    "Confined, it can open no file, directory or socket, connect, start no program or thread, and signal nobody",
                ]
            ),
            (
                "Has the user import a file that it made (KDBX, an archive, CSV, a browser's database)",
                [
                    "From the inside: it can open no file, make no socket, start no program, and map no code",
                    "Without the filter, Landlock and the limits hold what each is for; without any, everything is possible",
                    "A file above the limit is refused before it is read; one that never ends when it is",
                    "A key derivation that asks for a terabyte, or for years, is refused at once",
                ]
            ),
            (
                "Reads what the user has exported",
                [
                    "A file that is exported, imported into another vault and exported there again has the same bytes, or content",
                    "Killed at any moment, or interrupted where it may replace a file, it leaves the whole file or none",
                    "Without proof nothing is begun or read; the proof is the secret itself, and a refusal is on record",
                    "Each exported credential is on record before the answer, and the journal has one line for a page",
                ]
            ),
            (
                "Puts a registration or settings file where the daemon reads them",
                ["What others could have written is refused", "A file that others could have written is refused"]
            ),
            (
                "Is root",
                [
                    "After a lock, with connections still open, it holds no key, passphrase, recovery key, password, secret of codes nor item"
                ]
            ),
        ])

    private static let thief = rows(
        "A thief of the file (the disk, a backup)",
        [
            (
                "Reads the vault",
                [
                    "No file of the data directory holds a domain, user, password, app, label or time",
                    "Sealed records of different lengths in one size class are equally long",
                    "The table of look-ups shows which items of one group share an attribute, and nothing across groups",
                ]
            ),
            (
                "Guesses the passphrase",
                [
                    "The cost is calibrated upwards only",
                    "One of those that are tried first is refused, however it is dressed up",
                ]
            ),
            (
                "Finds the key file on the same disk",
                [
                    "admin.vault.create states what each kind of slot protects from, and what not, and returns the recovery key once"
                ]
            ),
            (
                "Flips, moves, swaps or removes records",
                [
                    "An altered record is named and not returned",
                    "Two records that were swapped are both named, and neither is returned for the other",
                    "A missing record is named with the time of its last change",
                    "A row that is flipped, missing, added or of no record is found at the unlock and by a check, and a repair makes it as it was",
                ]
            ),
            (
                "Replaces the vault with an older one, removes or damages its log, removes the root of its manifest",
                [
                    "An older file, a log that is missing or damaged, a lost root: none is served as new without a finding",
                    "While the daemon runs it has recorded how new its vault is, and detects that vault.releases was removed",
                ]
            ),
            (
                "Overwrites, cuts off, empties, replaces or removes `vault.releases`, so that a release is forgotten",
                [
                    "What is missing is named, or was recorded after the vault's last commit, and no intact entry is lost",
                    "A damaged entry is a finding, and is listed as missing, also after a repair; the others are listed",
                ]
            ),
            (
                "Replaces all the vault's files with an older copy of all of them, while no daemon runs",
                ["An older complete copy that replaces the vault is not detected, and returns what it had"]
            ),
            (
                "Reads the files beside the vault",
                ["User name and password of a sign-up are in no file and no journal line, the domain in no file either"]
            ),
        ])

    private static let carelessApp = rows(
        "A careless app",
        [
            (
                "Asks for a domain that is not its own",
                [
                    "An app that is not registered, and one that asks for a domain that is not its own, are refused",
                    "An app that its site does not list is refused, with the entry that is missing, until the user approves it",
                ]
            ),
            (
                "Crashes between offer and accept, repeats itself, sends two forms",
                [
                    "A sign-up over the real socket survives kill -9 right after each answer",
                    "Accepting, declining and saving may be repeated, and return that nothing changed",
                ]
            ),
            (
                "Sends malformed lines, floods, does not read, goes silent",
                [
                    "Each kind of malformed line has its documented answer, and does not end the connection",
                    "10,000 requests whose answers are not read are held back, cost others nothing, and are all answered",
                    "Half a line and then silence delays nobody, and the line can still be finished",
                ]
            ),
            (
                "Has a registration that names files on a file system that hangs (a dead NFS server)",
                [
                    "While what one registration names hangs it has one thread, and what others name is inspected",
                    "While work about a subject is late no other about it begins, also none that waits, and all other work does",
                ]
            ),
            (
                "Floods the journal",
                [
                    "A flood of refused requests, by a program under many names, writes little into the journal",
                    "A program has its quota of the journal, whatever names it gives itself, and another program has its own",
                ]
            ),
            (
                "Asks repeatedly",
                [
                    "Requests that ask the same share one prompt; a remembered yes answers all, and those to come",
                    "A no holds for a while, for this app, program and service, and then the user is asked again",
                    "Only so many questions wait, of which one shows; past that the refusal states so",
                ]
            ),
            ("Logs what it was given", []),
            (
                "Creates an item in Secret Service that another program has",
                [
                    "Another's item is neither replaced nor doubled without the user's consent; one's own may exist twice"
                ]
            ),
            (
                "Searches an access group that it shares",
                [
                    "What another program wrote is returned only as what the search named, and read with the user's consent"
                ]
            ),
            (
                "Subscribes to events and does not read",
                [
                    "Of 100 subscribers one does not read through 10,000 changes: all others get all in order, and it is notified of its loss"
                ]
            ),
        ])

    private static let sandboxedApp = rows(
        "A sandboxed app (Flatpak)",
        [
            (
                "Asks through Secret Service (`--talk-name=org.freedesktop.secrets`)",
                [
                    "A Flatpak is named after its ID, through its proxy of the bus too, and no program inside can choose another",
                    "Flatpak's proxy of the bus is identified as the app whose mark it has",
                    "A tool that sends messages for others is named after its starter, whatever unit that runs in",
                    "A starter that starts every program distinguishes nothing that it starts",
                    "What one stores behind a proxy that bwrap or systemd started is given behind another with a consent each time",
                    "The answer to a question about one behind such a proxy is none about another that asks the same meanwhile",
                    "Another's item is returned as what was named, and read with the user's consent for that one item",
                ]
            ),
            ("Claims another bundle ID", ["A Flatpak cannot claim to be another app"]),
            (
                "Claims it by a forged `/.flatpak-info`",
                [
                    "A forged sandbox without deployed files contradicts itself",
                    "A forged sandbox that mounts files of its own at /app contradicts itself",
                    "Flatpak's proxy of the bus contradicts itself where no delegate handed it over: it does not connect itself",
                ]
            ),
            (
                "Starts another program after it connected",
                [
                    "A process that starts another program after it connected is refused",
                    "A peer that has ended or become another program gets nothing more",
                ]
            ),
            (
                "Hides its executable or root directory",
                [
                    "A process that does not permit inspection is refused",
                    "A .flatpak-info that cannot be understood is refused",
                ]
            ),
            (
                "Saves and deletes, asks for offers and declines them, without end",
                [
                    "An app makes so many credentials, those counted that it has deleted; others and the user make more",
                    "So many settled offers are kept; the app with the most loses its oldest, and no other loses any",
                ]
            ),
            (
                "Fills the keychain, or keeps more requests waiting than memory holds",
                [
                    "Keychain items and verifiers of one program leave capacity for others'",
                    "Requests of one program wait in so many bytes at most; what they held is free again when they have ended",
                    "All processes of a sandboxed app are one program, and have so many connections; another app has as many",
                    "All programs in sandboxes that are no deployed Flatpak's have as many connections together as one Flatpak",
                    "Connections of programs in sandboxes that wait for their inspections are no more than one sandboxed app may have",
                    "Programs in sandboxes that are no deployed Flatpak's have one quota, and no other program's or Flatpak's",
                ]
            ),
            (
                "Has the user decline its prompts, or withdraws them, so that others cannot have the vault unlocked",
                [
                    "A no to unlock of a program in a sandbox is none for another one, nor for the program whose file it runs",
                    "A proxy uses the quota of what started it; a no is for the process where that starts every program",
                ]
            ),
            (
                "Makes its inspection take long, by a great many mounts with long paths",
                [
                    "A mount beyond the first MiB of a sandbox's is not searched for: it is unknown, and none of the process's",
                    "A sandbox whose root's mount is beyond the first MiB of its own is not determined; with the session's it is",
                    "Programs in sandboxes are inspected on threads of their own, one connection at a time; one outside waits for none",
                ]
            ),
            (
                "Has an overlay over a file system that it serves itself (FUSE), and that hangs, as its root directory",
                [
                    "Roots that are overlays over it hold three threads at most; a peer with our root is inspected meanwhile",
                    "While the inspection of a program in a sandbox hangs no other one's of its mounts begins, and all others' do",
                    "A process in a sandbox has other threads; while its inspection hangs no other with its mounts is inspected",
                ]
            ),
            (
                "Reads its own data repeatedly, so that the release log loses the entries about others",
                [
                    "What an app reads of its own again and again is on record once an hour, and so much of one program at most"
                ]
            ),
            (
                "Asks which users are saved, or passes for another app to read its registration",
                [
                    "Without a grant an app cannot learn whether a user is saved, by any method that names one",
                    "A program that is not the app that it claims to be learns nothing of that one's registration",
                    "An app receives events of its own services alone, of what it may have there, and the command receives no site",
                ]
            ),
            (
                "Has sites fetched that never answer, or names below a wildcard as messages to a server outside",
                [
                    "256 silent domains of one app use its own quota, and another app's site is asked at once",
                    "Names below a wildcard are asked of nobody: what speaks for them is the wildcard's own domain",
                ]
            ),
            (
                "Runs a program of any size from a folder that it shares",
                [
                    "Only a program is read that a grant would name by its content, and none in a sandbox",
                    "What does not end in time has no hash until it is back, and is not read a second time meanwhile",
                ]
            ),
            (
                "Has `--filesystem=home` or the session bus",
                ["A careful forgery by a program of the same user passes for a sandbox, as in the threat model"]
            ),
            (
                "Creates the vault before the user does, restores one of its own, locks it, tries passphrases",
                [
                    "It neither creates the vault nor replaces it with a backup of its own",
                    "It neither shuts the vault, nor tries passphrases and keys, which would keep the user out",
                ]
            ),
            ("Is a strict snap", ["A confined snap may claim its own desktop ID and no other"]),
        ])

    static func rows(_ adversary: String, _ attacks: [(String, [String])]) -> [Threat] {
        attacks.map { Threat(adversary: adversary, attack: $0.0, tests: $0.1) }
    }
}
