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
                ["A hardened process overwrites freed memory, dumps no core and cannot be read from outside"]
            ),
            (
                "Puts a registration or settings file where they are read",
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
                ]
            ),
            ("Guesses the passphrase", ["The cost is calibrated upwards only"]),
            (
                "Finds the key file on the same disk",
                [
                    "vault.create says what each kind of slot protects from, and what not, and tells the recovery key once"
                ]
            ),
            (
                "Flips, moves, swaps or removes records",
                [
                    "An altered record is named and not given out",
                    "Two records that were swapped are both named, and neither is given out for the other",
                    "A missing record is named with the time of its last change",
                ]
            ),
            (
                "Puts an older whole copy of the vault in its place",
                ["An older whole copy that is put in the vault's place is not noticed, and gives what it had"]
            ),
            (
                "Reads what lies beside it",
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
                    "An app that its site does not list is refused, with the entry that is missing, until the person approves it",
                ]
            ),
            (
                "Crashes between offer and accept, repeats itself, sends two forms",
                [
                    "A sign-up over the real socket survives kill -9 right after each answer",
                    "Accepting, declining and saving may be repeated, and say that nothing changed",
                ]
            ),
            (
                "Sends malformed lines, floods, does not read, goes silent",
                [
                    "Each kind of malformed line has its documented answer, and costs the connection nothing else",
                    "10,000 requests that nobody reads the answers of are held back, cost others nothing, and are all answered",
                    "Half a line and then silence holds up nobody, and the line can still be finished",
                ]
            ),
            (
                "Floods the journal",
                [
                    "A flood of refused requests, by a program under many names, writes little into the journal",
                    "A program has its share of the journal, whatever names it gives itself, and another program has its own",
                ]
            ),
            (
                "Asks again and again",
                [
                    "Requests that ask the same share one prompt; a remembered yes answers all, and those to come",
                    "A no holds for a while, for this app, program and service, and then the person is asked again",
                    "Only so many questions wait, of which one shows; past that it says so",
                ]
            ),
            ("Logs what it was given", []),
            (
                "Subscribes to events and does not read",
                [
                    "Of 100 subscribers one does not read through 10,000 changes: all others get all in order, it is told what it lost"
                ]
            ),
        ])

    private static let sandboxedApp = rows(
        "A sandboxed app (Flatpak)",
        [
            ("Claims another bundle ID", ["A Flatpak cannot claim to be another app"]),
            (
                "Claims it by a forged `/.flatpak-info`",
                [
                    "A forged sandbox without deployed files contradicts itself",
                    "A forged sandbox that mounts files of its own at /app contradicts itself",
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
                    "A process that lets nobody look into it is refused",
                    "A .flatpak-info that cannot be understood is refused",
                ]
            ),
            (
                "Saves and deletes, asks for offers and declines them, without end",
                [
                    "An app makes so many credentials, those counted that it has deleted; others and the person make more",
                    "So many settled offers are kept; the app with the most loses its oldest, and no other loses any",
                ]
            ),
            (
                "Fills the keychain, or has more requests wait than memory bears",
                [
                    "Keychain items and verifiers of one program leave room for others'",
                    "Requests of one program wait in so many bytes at most; what they held is free again when they have gone",
                ]
            ),
            (
                "Reads its own again and again, so that the record loses what tells of others",
                [
                    "What an app reads of its own again and again is on record once an hour, and so much of one program at most"
                ]
            ),
            (
                "Asks who is saved, or passes for another app to read that one's registration",
                [
                    "Without a grant an app cannot tell whether a user is saved, by any method that names one",
                    "Who is not the app that it says it is learns nothing of that one's registration",
                    "An app hears of its own services alone, of what it may have there, and the command hears no site",
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
                ["A careful forgery by a program of the same user passes for a sandbox, as the threat model says"]
            ),
            (
                "Makes the vault before the person does, restores one of its own, locks it, tries passphrases",
                [
                    "It neither makes the vault nor puts a backup of its own in its place",
                    "It neither shuts the vault, nor tries passphrases and keys, which would keep the person out",
                ]
            ),
            ("Is a strict snap", ["A confined snap may claim its own desktop ID and no other"]),
        ])

    private static let hostileProgram = rows(
        "A hostile program of the same user, outside any sandbox",
        [
            (
                "Says it is another app",
                [
                    "A plain process of the user is known by pid, user, start and file, and its claim is a claim",
                    "An executable that the registration does not name contradicts the claim",
                ]
            ),
            (
                "Runs the app's own executable with LD_PRELOAD, or a debugger on it",
                ["A registered program that carries another's library passes for the app"]
            ),
            (
                "Runs a delegate's executable with LD_PRELOAD, or a debugger on it",
                [
                    "A registered program that carries another's library passes for the app",
                    "A process whose descriptor was handed over is known as if it had connected itself",
                    "The assurance is the lower of the two, and the grounds begin with the delegate",
                    "A grant names both, in one way only",
                ]
            ),
            (
                "Overwrites the app's executable where that is the user's",
                [
                    "A program whose file was written to since it connected is refused",
                    "A user's program that was changed is asked about again, root's that was upgraded is not",
                ]
            ),
            (
                "Runs from a file system that a program of its own serves (FUSE) and that shows other content at each reading, tells any owner, or hangs",
                [
                    "A peer that starts a program there after it connected is refused, though that program hangs",
                    "While the user's registrations hang others are greeted and answered, by what was registered before",
                ]
            ),
            (
                "Passes files of such a file system with its first line",
                ["Who passes files that hang when they are closed delays nobody; while too many do, no more are taken"]
            ),
            (
                "Makes a scope `app-….scope`",
                ["A process in an app's scope of a real user manager is attributed"]
            ),
            (
                "Builds a sandbox of the app's deployed files with `bwrap` and a false `.flatpak-info`",
                ["A careful forgery by a program of the same user passes for a sandbox, as the threat model says"]
            ),
            (
                "Connects, then execs, while a child keeps the descriptor",
                [
                    "A process that starts another program after it connected is refused",
                    "A child that keeps the descriptor of a process that ended is refused",
                    "It ends while its child keeps the connection open, whether it is read or not",
                ]
            ),
            (
                "Passes for an app that has no grant",
                [
                    "The prompt names app, bundle ID, program, assurance and domain; the second question says for how long"
                ]
            ),
            (
                "Answers its own prompt, or forges its text",
                [
                    "It gets three descriptors, the few variables of a session, a session and the signals of a program's start",
                    "A program of root's that nobody named is not started, also where it would run the user's code",
                    "Whoever holds a terminal could answer on it: it is attached with the passphrase, and not by a prompt",
                    "Forged lines and markup stand escaped on the screen",
                    "What the user's manager says of the display is taken, whoever told it so",
                ]
            ),
            (
                "Wears the person out with prompts",
                [
                    "Only so many questions wait, of which one shows; past that it says so",
                    "A no is a no, and holds for this program's other requests to administer",
                ]
            ),
            (
                "Passes for an app that has a grant",
                [
                    "Under a grant for a script every script of the login that says it is the app gets what is granted",
                    "Under a grant for a registration that names no executables every program gets what is granted",
                ]
            ),
            (
                "Passes for an app, or registers one of its own for any domain",
                [
                    "Without the person's word an app changes nothing that another program or the person saved",
                    "Whether a password is the saved one is told only to an app that may have it",
                ]
            ),
            (
                "Passes for an app, and asks for its keychain items, its verifiers' hashes or who is signed in",
                [
                    "Another program of the same app gets, changes and lists nothing of it without the person's word",
                    "Another program may check, and may not export, replace or delete without the person's word",
                    "Another program of the app is not told who is signed in, and signs nobody out",
                ]
            ),
            (
                "Writes what is known of sites (`site-knowledge.json`)",
                [
                    "What partner sites have is suggested and filled under the person's word for each, not under the site's own"
                ]
            ),
            (
                "Claims to be an app that receives one-time codes",
                ["Only a registered app with the entitlement hands codes over, and not without end"]
            ),
            (
                "Fills the vault with offers",
                ["At most 32 offers wait for an app and service; past that nothing is dropped"]
            ),
            (
                "Fills the vault with credentials, under many names",
                ["An app makes so many credentials, those counted that it has deleted; others and the person make more"]
            ),
            (
                "Puts a FIFO, a link or a name with a huge number where backups are",
                [
                    "What is no plain file is no backup, and is not waited for",
                    "A backup's name with a number that nobody counted to stops no backup",
                ]
            ),
            (
                "Calls what administers",
                [
                    "Without passphrase and prompt no method gives a program another's secret, a grant, or a weaker setting",
                    "What needs proof refuses without it, and with a wrong one",
                ]
            ),
            (
                "Guesses the passphrase over the socket",
                ["Wrong secrets wait longer each time, five seconds at most, over a restart too, until a right one"]
            ),
            (
                "Reads the vault's file, and the key file where there is one",
                [
                    "No file of the data directory holds a domain, user, password, app, label or time",
                    "A passphrase, a key and a recovery key open the same vault; anything else does not",
                ]
            ),
            (
                "Makes the vault before the person does",
                ["Who makes the vault before the person does reads what they save in it"]
            ),
            (
                "Reads the daemon's memory",
                ["A hardened process overwrites freed memory, dumps no core and cannot be read from outside"]
            ),
            (
                "Puts its own daemon in place (a drop-in of the unit, `systemctl --user set-environment`, another socket at the path, another `autofillctl` in the PATH), or watches the keyboard",
                ["The unit's file and its drop-ins are told"]
            ),
            (
                "Puts another program at the socket of `autofill-associations`, or a drop-in in its unit",
                [
                    "A site's word that is not the site's makes the domain an app's, and releases nothing that was saved before"
                ]
            ),
            (
                "Registers a domain of its own choice, to have this machine ask it",
                ["A failed attempt is repeated after a while, and not before"]
            ),
            (
                "Locks the vault, stops the daemon, deletes the file",
                [
                    "A locked vault refuses with the event to wait for, and a missing one with the command that makes it",
                    "A vault that was moved away or replaced is not written to, and is opened anew when locked",
                ]
            ),
            (
                "Turns settings, edits registrations",
                [
                    "An edited file counts after SIGHUP, who subscribed hears of it, and what the administrator fixed stays",
                    "What protects less needs proof, each of them",
                ]
            ),
            (
                "Writes false entries into the journal",
                [
                    "With the journal's own limits and another service flooding it, the record of releases is complete all the same"
                ]
            ),
        ])

    private static func rows(_ adversary: String, _ attacks: [(String, [String])]) -> [Threat] {
        attacks.map { Threat(adversary: adversary, attack: $0.0, tests: $0.1) }
    }
}
