// SPDX-License-Identifier: Apache-2.0

extension Threat {
    /// What runs as the user, outside a sandbox.
    static let hostileProgram = rows(
        "A hostile program of the same user, outside any sandbox",
        [
            (
                "Claims to be another app",
                [
                    "A plain process of the user is identified by pid, user, start and file, and its claim is a claim",
                    "An executable that the registration does not name contradicts the claim",
                ]
            ),
            (
                "Is a script, or Python with code of its own, and claims to be an app of the same interpreter",
                [
                    "Another script that claims to be the app gets, changes and lists nothing of it without a prompt that names it",
                    "The user's consent is for one script as it was, and for all that is the app's own; until logout or always",
                    "A script is identified by its path and content, by its interpreter's arguments, and code on the command line is none",
                ]
            ),
            (
                "Gives a program of its own the app's path in mounts of its own",
                [
                    "A process in a mount namespace of its own contradicts itself, and is not seen to be outside any sandbox",
                    "A program that is run through another process's root lies nowhere for us, whatever that one calls it",
                    "An AppImage has one name though it is mounted elsewhere each time; a program of other mounts has not that of ours",
                    "It states whole that a program has namespaces of its own, however long its path is",
                    "A program with namespaces of its own is on record as one",
                ]
            ),
            (
                "Changes, in a user namespace of its own, the kernel's record of its file to the app's (PR_SET_MM_MAP)",
                [
                    "A process with namespaces of its own, in no recognised sandbox, contradicts itself, whatever it claims to run",
                    "A program that has files, users or processes of its own is in a sandbox, whatever made that",
                ]
            ),
            (
                "Puts itself into a sandbox that is not Flatpak's",
                [
                    "A sandbox without .flatpak-info is seen to be one, and is no app",
                    "A program that has files, users or processes of its own is in a sandbox, whatever made that",
                ]
            ),
            (
                "Runs the app's own executable with LD_PRELOAD, or a debugger on it",
                ["A registered program that carries another's library passes for the app"]
            ),
            (
                "Starts a real browser with a copy of the extension, or one of its own, or replaces the browser that started the host",
                [
                    "The grant is for the site and the browser; a mixed-script name shows as its A-label",
                    "With the setting, one word is for all sites: it ends with the login, and is asked for again after 20 sites in ten minutes",
                ]
            ),
            (
                "Runs a credential helper",
                ["A helper that is a delegate asks by its own entitlement, and its grant names both programs"]
            ),
            (
                "Is a web page, or a frame in one",
                [
                    "http on a public host is refused, and what was saved over https is never filled over http",
                    "A frame in another site's page gets its own, and the prompt names the page; one in a public http page gets nothing",
                ]
            ),
            (
                "Runs a delegate's executable with LD_PRELOAD, or a debugger on it",
                [
                    "A registered program that carries another's library passes for the app",
                    "A process whose descriptor was handed over is identified as if it had connected itself",
                    "The assurance is the lower of the two, and the grounds begin with the delegate",
                    "A grant names both, in one way only",
                ]
            ),
            (
                "Overwrites the app's executable where that is the user's",
                [
                    "A program whose file was written to since it connected is refused",
                    "A user's program that was changed is asked about again, root's that was upgraded is not",
                    "A file is read once any later change leaves another time than the last one did",
                ]
            ),
            (
                "Runs the app's path from a removable medium whose files state root as their owner",
                ["Nothing on a removable medium is root's alone, whatever owner it reports"]
            ),
            (
                "Runs from a file system that a program of its own serves (FUSE) and that shows other content at each reading, reports any owner, or hangs",
                [
                    "A peer that starts a program there after it connected is refused, though that program hangs",
                    "While the user's registrations hang others are greeted and answered, by what was registered before",
                ]
            ),
            (
                "Passes files of such a file system, or sockets whose close waits for a peer (SO_LINGER)",
                [
                    "A client that passes files that hang on close delays nobody; while too many hang, no more are accepted",
                    "A socket that lingers delays nobody, with the first line or a later one, alone or beside others",
                    "What a client has sent last, and nobody has received, is closed beside the loop",
                ]
            ),
            (
                "Creates a scope `app-….scope`",
                ["A process in an app's scope of a real user manager is attributed"]
            ),
            (
                "Builds a sandbox of the app's deployed files with `bwrap` and a false `.flatpak-info`",
                ["A careful forgery by a program of the same user passes for a sandbox, as in the threat model"]
            ),
            (
                "Connects, then execs, while a child keeps the descriptor",
                [
                    "A process that starts another program after it connected is refused",
                    "A child that keeps the descriptor of a process that ended is refused",
                    "It ends while its child keeps the connection open, whether it is read or not",
                    "Of 150 that connect, ask and become an allowed program at once none is given what that may have",
                    "A child that keeps the descriptor of a process that continues as an allowed program is refused",
                    "A request that was sent before the program was inspected gets no secret, and the same after the answer to hello gets it",
                    "Nor does such a request of a sandboxed app get what the app has been allowed",
                    "Once the process that connected has ended, or is another program, nothing is saved, listed, signed in or locked for it",
                ]
            ),
            (
                "Starts many large programs of its own, each to be hashed",
                ["Of programs that wait to be read the smallest is first, in any order of arrival"]
            ),
            (
                "Passes for an app that has no grant",
                [
                    "The prompt names app, bundle ID, program, assurance and domain; the second question states for how long"
                ]
            ),
            (
                "Asks through Secret Service",
                [
                    "No secret, label or attribute of the other is in any answer without a grant",
                    "A user's program that has changed is asked about once, and finds what it kept before",
                    "A tool that sends messages for others is named after its starter, whatever unit that runs in",
                ]
            ),
            (
                "Connects to the session's bus, then execs the victim, while a child or another process uses the connection to ask through Secret Service",
                [
                    "A program that connects and then executes a victim, while its child makes calls, receives nothing of the victim's",
                    "A connection that the program may have inherited is asked about, and the program's own are not any more",
                ]
            ),
            (
                "Asks through Secret Service as a script, or as a program that runs others",
                ["A script's items are its own with the user's consent, once a login, also in the next one"]
            ),
            (
                "Reads everything through Secret Service where `secretService.isolation` is `none`",
                ["With isolation off everything is everybody's, and each release is on record"]
            ),
            (
                "Runs git, docker or cargo, or another program that was allowed, to get what its credential helper returns",
                ["A grant names the program that ran the helper, and serves whatever program runs that one"]
            ),
            (
                "Answers its own prompt, or forges its text",
                [
                    "It gets three descriptors, the few variables of a session, a session and the signals of a program's start",
                    "A program of root's that is not an allowed prompter is not started, nor is an interpreter that would run the user's code",
                    "A terminal is attached with the passphrase and not by a prompt, which its holder could answer",
                    "Forged lines and markup are escaped on the screen",
                    "The display is that of the user's manager, whichever program set it",
                ]
            ),
            (
                "Sends prompts until the user gives in",
                [
                    "Only so many questions wait, of which one shows; past that the refusal states so",
                    "A no is a no, and holds for this program's other requests to administer",
                    "After three noes no fourth that systemd or bwrap started gets a prompt, but other programs do, and it later",
                ]
            ),
            (
                "Passes for an app that has a grant",
                [
                    "Under a grant for a script every script of the login that claims to be the app gets what is granted",
                    "Under a grant for a registration that names no executables every program gets what is granted",
                ]
            ),
            (
                "Passes for an app, or registers one of its own for any domain",
                [
                    "Without the user's consent an app changes nothing that another program or the user saved",
                    "Whether a password is the saved one is returned only to an app that may have it",
                ]
            ),
            (
                "Reads what is typed into `autofillctl` out of its memory",
                ["What is typed into it can be read by no other program of the user, and it dumps no core"]
            ),
            (
                "Passes for an app, and asks for its keychain items, its verifiers' hashes or which user is signed in",
                [
                    "Another program of the same app gets, changes and lists nothing of it without the user's consent",
                    "Another program may check, and may not export, replace or delete without the user's consent",
                    "Another program of the app does not learn who is signed in, and signs nobody out",
                ]
            ),
            (
                "Writes the public site data (`site-knowledge.json`)",
                [
                    "What partner sites have is suggested and filled under the user's consent for each, not under the site's own"
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
                ["An app makes so many credentials, those counted that it has deleted; others and the user make more"]
            ),
            (
                "Puts a FIFO, a link or a name with a huge number where backups are",
                [
                    "What is no plain file is no backup, and is not waited for",
                    "A backup's name with a number that nobody counted to stops no backup",
                ]
            ),
            (
                "Calls an administering method",
                [
                    "Without passphrase and prompt no method gives a program another's secret, a grant, or a weaker setting",
                    "What needs proof refuses without it, and with a wrong one",
                ]
            ),
            (
                "Runs `autofillctl` at the terminal where the user has just typed the passphrase",
                [
                    "A typed passphrase holds for the next connections of the same program in the same session, and for no other",
                    "Another program at the same terminal has to prove itself again, and a program that has left the terminal receives nothing",
                    "What opens the vault is changed with the secret itself only",
                ]
            ),
            (
                "Reads the environment of a command that `autofillctl run` started",
                ["run has the values in the command's environment only, with its exit status and its signals"]
            ),
            (
                "Guesses the passphrase over the socket",
                [
                    "Wrong secrets wait longer each time, five seconds at most, over a restart too, until a right one",
                    "Wrong guesses of apps keep nobody waiting who types the passphrase at a terminal, and those there none of the apps'",
                ]
            ),
            (
                "Reads the vault's file, and the key file where there is one",
                [
                    "No file of the data directory holds a domain, user, password, app, label or time",
                    "A passphrase, a key and a recovery key open the same vault; anything else does not",
                ]
            ),
            (
                "Creates the vault before the user does",
                ["A program that creates the vault before the user does reads what they save in it"]
            ),
            (
                "Reads the daemon's memory",
                ["A hardened process prints nothing at a crash, dumps no core and cannot be read from outside"]
            ),
            (
                "Installs a daemon of its own (a drop-in of the unit, `systemctl --user set-environment`, another socket at the path, another `autofillctl` in the PATH), or watches the keyboard",
                ["The unit's file and its drop-ins are reported"]
            ),
            (
                "Puts another program at the socket of `autofill-associations`, or a drop-in in its unit",
                [
                    "A forged site statement makes the domain an app's, and releases nothing that was saved before"
                ]
            ),
            (
                "Registers a domain of its own choice, to have this machine fetch from it",
                ["A failed attempt is repeated after a while, and not before"]
            ),
            (
                "Locks the vault, stops the daemon, deletes the file",
                [
                    "A locked vault refuses with the event to wait for, and a missing one with the command that makes it",
                    "A vault that was moved away or replaced is not written to, and is opened again when locked",
                ]
            ),
            (
                "Changes settings, edits registrations",
                [
                    "An edited file takes effect after SIGHUP, subscribers are notified, and the administrator's settings stay",
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
}
