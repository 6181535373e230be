// SPDX-License-Identifier: Apache-2.0
import Testing

/// What Driver/scenarios.py holds a browser to, by the name that it has there.
enum Scenario: String, CaseIterable, CustomTestStringConvertible {
    case signUp = "sign_up"
    case signUpAndKill9 = "sign_up_and_kill_9"
    case anotherAndOwn = "another_and_own"
    case notFilledOfferGoes = "not_filled_offer_goes"
    case signInOneAccount = "sign_in_one_account"
    case signInThreeAccounts = "sign_in_three_accounts"
    case savedAtAnotherHostOfTheSite = "saved_at_another_host_of_the_site"
    case twoSteps = "two_steps"
    case twoStepsTyped = "two_steps_typed"
    case typedPasswordIsSaved = "typed_password_is_saved"
    case changePassword = "change_password"
    case oneTimeCode = "one_time_code"
    case singlePageApp = "single_page_app"
    case controlledInputs = "controlled_inputs"
    case shadowDom = "shadow_dom"
    case closedShadowDom = "closed_shadow_dom"
    case frameOfTheSameOrigin = "frame_of_the_same_origin"
    case frameOfAnotherOrigin = "frame_of_another_origin"
    case srcdocFrame = "srcdoc_frame"
    case sandboxedFrame = "sandboxed_frame"
    case httpPage = "http_page"
    case hiddenFields = "hidden_fields"
    case lockedVault = "locked_vault"
    case daemonRestarted = "daemon_restarted"
    case noDaemon = "no_daemon"
    case toolbar
    case siteSwitchedOff = "site_switched_off"
    case clickjacking
    case aPlainClickFills = "a_plain_click_fills"
    case anEarlyClickFillsNothing = "an_early_click_fills_nothing"
    case clickjackingFromAround = "clickjacking_from_around"
    case embedderPolicy = "embedder_policy"
    case contentPolicy = "content_policy"
    case sandboxedPage = "sandboxed_page"
    case aPageCannotChoose = "a_page_cannot_choose"
    case generatedInTheToolbar = "generated_in_the_toolbar"
    case searchInAll = "search_in_all"
    case contextMenu = "context_menu"
    case keyboardCommands = "keyboard_commands"
    case aPageCannotCommand = "a_page_cannot_command"
    case freshMenu = "fresh_menu"
    case oneRefusedHello = "one_refused_hello"
    case changePasswordPage = "change_password_page"
    case httpAuthentication = "http_authentication"
    case httpAuthenticationOfParts = "http_authentication_of_parts"
    case aClickInAFrame = "a_click_in_a_frame"
    case frameInAFrame = "frame_in_a_frame"
    case credentiallessFrame = "credentialless_frame"
    case changeOfOneOfSeveral = "change_of_one_of_several"
    case privateWindow = "private_window"
    case ownPasswordManager = "own_password_manager"
    case fencedFrame = "fenced_frame"
    case menuKeptReady = "menu_kept_ready"

    /// Those that mostly wait for a menu to have stood long enough: they have browsers of their own, beside the others.
    static let ofClicks: [Scenario] = [
        .clickjacking, .aPlainClickFills, .anEarlyClickFillsNothing, .clickjackingFromAround, .aClickInAFrame,
    ]
    static let others = allCases.filter { !ofClicks.contains($0) }

    var testDescription: String {
        switch self {
        case .signUp:
            """
            The password meets the page's rules, stands in both fields, and is saved with the user once the \
            form is sent
            """
        case .signUpAndKill9:
            """
            A daemon that is killed between filling and sending has the password all the same, and saves it \
            with its user
            """
        case .anotherAndOwn:
            "'Use another' is another password, the first is put aside; 'choose my own' empties the fields"
        case .notFilledOfferGoes: "An offer that nobody took is nobody's when the page has gone"
        case .signInOneAccount:
            """
            Before a grant the menu says nothing of what is saved; after it the account is named, and a choice \
            fills it
            """
        case .signInThreeAccounts: "The one that is chosen is filled, and no other one is released"
        case .savedAtAnotherHostOfTheSite:
            "What is saved for example.com is offered at login.example.com, and not at example.net"
        case .twoSteps: "The user name on the first page, the password on the second, of the same account"
        case .twoStepsTyped: "What is typed on two pages is saved with the user of the first"
        case .typedPasswordIsSaved:
            "After a sign-in with what was typed the person is asked, and the question outlives the page"
        case .changePassword:
            "The old password goes into its field, a new one into both others, and takes the old one's place"
        case .oneTimeCode: "A code of the site's account goes into its field"
        case .singlePageApp:
            """
            A page without a form and without a submit event: what was typed is saved when the fields have gone \
            after a click
            """
        case .controlledInputs: "Fields whose framework puts back what it does not know of keep what was filled"
        case .shadowDom: "A form in nested shadow trees, its fields in trees of their own"
        case .closedShadowDom: "The same in a closed one"
        case .frameOfTheSameOrigin: "A frame of the page's own origin is served as the page is"
        case .frameOfAnotherOrigin:
            """
            A frame gets what is its own, never what is the page's around it; and the page gets nothing of the \
            frame's
            """
        case .srcdocFrame: "A srcdoc frame has the origin of the page around it"
        case .sandboxedFrame: "A frame with an opaque origin gets nothing, with the reason"
        case .httpPage: "A public http page gets nothing, with the reason; what was saved over https stays there"
        case .hiddenFields: "Fields that nobody sees stay empty"
        case .lockedVault: "The menu offers to unlock; when the vault is open, it has what there is"
        case .daemonRestarted: "A daemon that has ended and is back serves the same page"
        case .noDaemon: "Without a daemon the page works as ever, and the toolbar says what is missing"
        case .toolbar:
            """
            The popup shows what is saved for the site after a yes, copies a password, and the clipboard is \
            emptied again
            """
        case .siteSwitchedOff:
            "Where the person has switched it off, nothing comes, and nothing that is typed is asked about"
        case .clickjacking:
            """
            Nothing is filled by clicks on a menu that is not plainly to be seen. One that was raised over what \
            the page put there is
            """
        case .aPlainClickFills: "A click on the menu as it stands is enough"
        case .anEarlyClickFillsNothing: "A click in the first half second does nothing"
        case .clickjackingFromAround:
            "A page around a frame that makes it transparent, or draws over it, gets nothing of the frame's filled"
        case .embedderPolicy: "A page that embeds only what agrees (COEP) has the menu too"
        case .contentPolicy: "A page whose policy allows no frames and no styles has the menu too"
        case .sandboxedPage: "A page with an opaque origin by its policy (CSP sandbox) gets nothing, with the reason"
        case .aPageCannotChoose: "Events that a page makes itself open and choose nothing"
        case .generatedInTheToolbar:
            """
            A new password by the page's rules, copied and taken out of the clipboard, saved for a user; one that \
            nobody took is nobody's
            """
        case .searchInAll:
            """
            A search lists nothing before the person's yes; after it, a password of another site is copied under that \
            site's own yes
            """
        case .contextMenu:
            "The context menu fills an account, or a strong password, or says why not, in the field that was clicked"
        case .keyboardCommands:
            "Keys fill the only account without a look at the menu, open it where there are several, and fill a strong password"
        case .aPageCannotCommand:
            "What comes from a page, or from a name that nobody gave, is no command"
        case .freshMenu:
            "What another program saves is in the menu that stands; at a site without a grant nothing shows that it was saved"
        case .oneRefusedHello:
            "Where the host may speak for no browser the daemon refuses that once a run, not at each connection"
        case .changePasswordPage:
            "An account's button opens the site's page for it; the old password stays until the form is through"
        case .httpAuthentication:
            "A page that asks by HTTP is served by a window of the extension: on a click, and once"
        case .httpAuthenticationOfParts:
            "Nothing is asked for an image, a frame or a script's request; who wants to type gets the browser's own dialog"
        case .aClickInAFrame:
            "In a frame a click fills when the pointer was on the menu for half a second"
        case .frameInAFrame:
            """
            A frame in a frame, all of one origin, has the menu; with another origin between it is left to the \
            toolbar where nobody can tell
            """
        case .credentiallessFrame:
            "A frame without credentials gets nothing, with the reason, and what is typed there is not asked about"
        case .changeOfOneOfSeveral:
            "A new password typed where several accounts are saved is for the one that the person picks"
        case .privateWindow:
            "In private windows it fills where the person lets it in, and what they type there is not asked about"
        case .ownPasswordManager:
            "The browser's own password manager is switched off and on again in the options"
        case .fencedFrame:
            "A document in a fenced frame gets nothing, with the reason, and what is typed there is not asked about"
        case .menuKeptReady:
            "A menu's page that is loaded early is nowhere to be seen or hit, and is the menu that opens"
        }
    }
}
