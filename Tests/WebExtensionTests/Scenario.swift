// SPDX-License-Identifier: Apache-2.0
import Testing

/// What Driver/scenarios.py holds a browser to, by the name that it has there.
enum Scenario: String, CaseIterable, CustomTestStringConvertible {
    case signUp = "sign_up"
    case signUpAndKill9 = "sign_up_and_kill_9"
    case anotherAndOwn = "another_and_own"
    case unfilledOfferIsDeclined = "unfilled_offer_is_declined"
    case filledOfferIsKept = "filled_offer_is_kept"
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
    case aFormInAModalDialog = "a_form_in_a_modal_dialog"
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
    case aDoubleClickFromElsewhereFillsNothing = "a_double_click_that_began_in_another_window_fills_nothing"
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
    case httpAuthenticationOfSubresources = "http_authentication_of_subresources"
    case aClickInAFrame = "a_click_in_a_frame"
    case frameInAFrame = "frame_in_a_frame"
    case credentiallessFrame = "credentialless_frame"
    case aFormThatChanges = "a_form_that_changes"
    case aPasswordFieldThatComesLater = "a_password_field_that_comes_later"
    case theMarkAndTheMenu = "the_mark_and_the_menu"
    case resetPassword = "reset_password"
    case changeOfOneOfSeveral = "change_of_one_of_several"
    case promptsAtANewSite = "prompts_at_a_new_site"
    case privateWindow = "private_window"
    case ownPasswordManager = "own_password_manager"
    case fencedFrame = "fenced_frame"
    case menuKeptReady = "menu_kept_ready"
    case refusedSignUp = "refused_sign_up"
    case refusedSignIn = "refused_sign_in"
    case refusedChange = "refused_change"
    case interruptedByTheUser = "interrupted_by_the_user"
    case outcomeUnknown = "outcome_unknown"
    case changeAfterAnUnknownOutcome = "change_after_an_unknown_outcome"
    case changeByTheOneWhoHasSignedIn = "change_by_the_one_who_has_signed_in"
    case changeAfterAnotherSignUp = "change_after_another_account_was_made"
    case movedByItsOpener = "moved_by_its_opener"
    case failureAndThenALink = "failure_and_then_a_link"
    case acceptedWhileLocked = "accepted_while_locked"
    case acceptedOnAFullDisk = "accepted_on_a_full_disk"
    case aSecondStrongPassword = "a_second_strong_password"
    case pendingAtAnotherOrigin = "pending_at_another_origin"
    case outcomeAfterARestart = "outcome_after_a_restart"
    case signInAfterAReload = "sign_in_after_a_reload"
    case leftAfterARefusal = "left_after_a_refusal"
    case barSaves = "bar_saves"
    case barUpdates = "bar_updates"
    case popupFillsAndRestores = "popup_fills_and_restores"
    case popupItem = "popup_item"
    case optionsPage = "options_page"
    case barNever = "bar_never"
    case barInThePopup = "bar_in_the_popup"
    case barAfterARestart = "bar_after_a_restart"
    case barIsGuarded = "bar_is_guarded"
    case languages
    case accessibility
    case ownPasswords = "own_passwords"

    /// Those that mostly wait for the delay of a menu: they have browsers of their own, beside the others.
    static let ofClicks: [Scenario] = [
        .clickjacking, .aPlainClickFills, .aDoubleClickFromElsewhereFillsNothing, .anEarlyClickFillsNothing,
        .clickjackingFromAround, .aClickInAFrame,
    ]
    /// Those at a site that refuses and answers late: the same.
    static let ofSaving: [Scenario] = [
        .refusedSignUp, .refusedSignIn, .refusedChange, .interruptedByTheUser, .outcomeUnknown,
        .changeAfterAnUnknownOutcome, .changeByTheOneWhoHasSignedIn, .changeAfterAnotherSignUp,
        .movedByItsOpener, .failureAndThenALink, .acceptedWhileLocked, .acceptedOnAFullDisk, .aSecondStrongPassword,
        .pendingAtAnotherOrigin, .outcomeAfterARestart, .signInAfterAReload, .leftAfterARefusal,
    ]
    /// Those of the bar that asks whether a password is saved: the same.
    static let ofTheBar: [Scenario] = [
        .barSaves, .barUpdates, .popupFillsAndRestores, .popupItem, .optionsPage, .barNever, .barInThePopup,
        .barAfterARestart, .barIsGuarded, .languages, .accessibility, .ownPasswords,
    ]
    static let others = allCases.filter { !(ofClicks + ofSaving + ofTheBar).contains($0) }

    var testDescription: String {
        switch self {
        case .signUp:
            """
            The password meets the page's rules, is filled into both fields, and is saved with the user name when \
            the form is sent
            """
        case .signUpAndKill9:
            """
            A daemon that is killed between fill and submit still has the password, and saves it with its user name
            """
        case .anotherAndOwn:
            "'Use another' fills another password and declines the first; 'choose my own' empties the fields"
        case .unfilledOfferIsDeclined: "An offer that was not filled is declined when the page is unloaded"
        case .filledOfferIsKept:
            "A password that was filled is not declined, neither when the page changes its form nor when it is unloaded"
        case .signInOneAccount:
            """
            Without a grant the menu lists no saved account; with one it lists the account, and a choice fills it
            """
        case .signInThreeAccounts: "The chosen account is filled, and no other one is released"
        case .savedAtAnotherHostOfTheSite:
            "An account saved for example.com is offered at login.example.com, and not at example.net"
        case .twoSteps: "The first page gets the user name, the second the password of the same account"
        case .twoStepsTyped: "A password typed on a second page is saved with the user name of the first"
        case .typedPasswordIsSaved:
            "After a sign-in with a typed password the user is asked, and the prompt stays when the page is unloaded"
        case .changePassword:
            "The old password is filled into its field, a new one into both others, and replaces the old one"
        case .oneTimeCode:
            """
            A code of the site's account is filled into its field; after a sign-in the code of the same account is the \
            first
            """
        case .singlePageApp:
            """
            In a page without a form and a submit event, typed values are saved when the fields disappear after a click
            """
        case .controlledInputs: "Fields whose framework resets unexpected values keep the filled values"
        case .shadowDom:
            "A form in nested shadow trees, with fields in separate trees, is filled, from each field of it"
        case .closedShadowDom: "A form in a closed shadow tree is filled"
        case .aFormInAModalDialog:
            """
            A form in a modal dialog, also in a shadow tree, is filled by keyboard and by a click, and the key in its \
            field opens the menu
            """
        case .frameOfTheSameOrigin: "A frame of the page's own origin is served like the page"
        case .frameOfAnotherOrigin:
            """
            A frame gets its own accounts and none of the page around it; the page gets none of the frame's. One of the \
            page's own site gets those of the site
            """
        case .srcdocFrame: "A srcdoc frame has the origin of the page around it"
        case .sandboxedFrame: "A frame with an opaque origin gets nothing, with the reason"
        case .httpPage: "A public http page gets nothing, with the reason; accounts saved over https are not used"
        case .hiddenFields: "Invisible fields stay empty"
        case .lockedVault: "The menu offers to unlock; when the vault is open, it lists the items"
        case .daemonRestarted: "A daemon that was restarted serves the same page"
        case .noDaemon: "Without a daemon the page works unchanged, and the toolbar and the menu show what is missing"
        case .toolbar:
            """
            The popup lists the site's accounts after a yes, copies a password, and empties the clipboard later
            """
        case .siteSwitchedOff:
            "Where the user has switched it off, no menu opens, and typed passwords cause no prompt"
        case .clickjacking:
            """
            A click on a menu that is not fully visible fills nothing. A click on one that was raised over the \
            page's cover fills
            """
        case .aPlainClickFills: "A click on a visible menu fills, also in a page with a zoom of its own"
        case .aDoubleClickFromElsewhereFillsNothing:
            "A click on a menu to which the pointer has just come fills nothing; one half a second later fills"
        case .anEarlyClickFillsNothing: "A click in the first half second fills nothing"
        case .clickjackingFromAround:
            "In a frame that the page around it makes transparent or draws over, a click fills nothing"
        case .embedderPolicy: "A page that embeds only consenting resources (COEP) gets the menu"
        case .contentPolicy: "A page whose policy allows no frames and no styles gets the menu"
        case .sandboxedPage: "A page with an opaque origin by its policy (CSP sandbox) gets nothing, with the reason"
        case .aPageCannotChoose: "Events that a page dispatches open nothing and choose nothing"
        case .generatedInTheToolbar:
            """
            A new password by the page's rules is copied, removed from the clipboard, and saved with a user name; \
            an unused one is declined
            """
        case .searchInAll:
            """
            A search lists nothing before the user's yes; a password of another site needs a yes for that site
            """
        case .contextMenu:
            "The context menu fills an account or a strong password into the clicked field, or shows why not"
        case .keyboardCommands:
            "Keys fill the only account without the menu, open the menu where there are several, and fill a strong password"
        case .aPageCannotCommand:
            "A message of a page, or with an unknown name, is no command"
        case .freshMenu:
            "An open menu shows what another program saves; at a site without a grant nothing shows it"
        case .oneRefusedHello:
            "Where the host may act for no browser the daemon refuses that once a run, not at each connection"
        case .changePasswordPage:
            "An account's button opens the site's page for a change; the new password replaces the old one when the form was sent"
        case .httpAuthentication:
            "A page with HTTP authentication is served by a window of the extension: on a click, and once"
        case .httpAuthenticationOfSubresources:
            "No window opens for an image, a frame or a script's request; a user who wants to type gets the browser's dialog"
        case .aClickInAFrame:
            "In a frame a click fills after the pointer was on the menu for half a second"
        case .frameInAFrame:
            """
            A frame in a frame, all of one origin, gets the menu; with another origin between them the toolbar \
            serves it if the menu's visibility cannot be determined
            """
        case .credentiallessFrame:
            "A frame without credentials gets nothing, with the reason, and passwords typed there cause no prompt"
        case .aFormThatChanges:
            """
            A form is filled as it is when an item is chosen: with fields that came later, were replaced, or are \
            read-only until the focus
            """
        case .aPasswordFieldThatComesLater:
            "In a page that asks for the password after the user name, it is filled when its field comes"
        case .theMarkAndTheMenu:
            """
            The key and the badge are inside the field, beside the page's own button, in both directions of text; \
            every text of the menu has contrast
            """
        case .resetPassword:
            """
            A page with new passwords alone gets a strong one, which is for the account of a field that the user \
            does not see, or of what is saved after a question
            """
        case .changeOfOneOfSeveral:
            "A new password typed where several accounts are saved is for the one that the user chooses"
        case .promptsAtANewSite:
            """
            The first sign-in at a site shows no prompt where the user types it, and one where another program has saved the account; the \
            next ones none
            """
        case .privateWindow:
            "In private windows it fills where the user allows it, and passwords typed there cause no prompt"
        case .ownPasswordManager:
            "The browser's own password manager is switched off and on again in the options"
        case .fencedFrame:
            "A document in a fenced frame gets nothing, with the reason, and passwords typed there cause no prompt"
        case .menuKeptReady:
            "A menu's page that is loaded early is invisible and cannot be hit, and is the menu that opens"
        case .refusedSignUp:
            """
            A sign-up that the site refuses saves nothing; after the correction the same offer is saved, with the \
            corrected user name
            """
        case .refusedSignIn:
            "A wrong password that is typed replaces nothing, and a right one that is typed after it is saved"
        case .refusedChange:
            "A change that the site refuses keeps the password; one that it accepts replaces it"
        case .interruptedByTheUser:
            "A page that the user opens before the site has answered decides nothing; the popup shows that, and saves"
        case .outcomeUnknown:
            "Where a page shows no answer nothing is saved; the next sign-in that works decides"
        case .changeAfterAnUnknownOutcome:
            """
            A change without a user name is of the account whose sign-up is not settled, and not of the only one that \
            is saved
            """
        case .changeByTheOneWhoHasSignedIn:
            """
            A change without a user name is of the account whose sign-in was accepted last, and not of one that the \
            site refused or whose user name alone was sent
            """
        case .changeAfterAnotherSignUp:
            """
            After a form that made another account, or a later sign-in in another tab, the user is asked whose \
            password a change is
            """
        case .movedByItsOpener:
            """
            A page that another site has opened, and moves to another page before an answer or after a refusal, \
            decides nothing
            """
        case .failureAndThenALink:
            "A page with an error and a link from there to another page are not an acceptance"
        case .acceptedWhileLocked:
            """
            What a site accepts while the vault is locked, or without a daemon, is saved or asked about once that has \
            ended; the popup has it meanwhile
            """
        case .acceptedOnAFullDisk:
            """
            Where the daemon cannot write what a site has accepted, the bar has the reason, and saves it once the \
            daemon can
            """
        case .aSecondStrongPassword: "After a form was accepted the same form gets another strong password"
        case .pendingAtAnotherOrigin:
            "A sign-in that works decides about earlier ones at its own origin, and not at another one of the site"
        case .outcomeAfterARestart:
            "A background that the browser ends before the site has answered decides when it runs again"
        case .signInAfterAReload:
            "A form that a script sends is judged by its own answer, also in a page that the user had reloaded before"
        case .leftAfterARefusal:
            "A user who leaves the page of a refusal at once, by a link, has not been accepted"
        case .barSaves:
            """
            The bar asks about a typed password on the next pages too, and saves it for the user name as it is changed \
            there; undo removes it
            """
        case .barUpdates:
            """
            The bar says that a password replaces another where the browser may know, and undo restores the former one; \
            else the daemon asks
            """
        case .popupFillsAndRestores:
            """
            A click on an account in the popup fills it; its former passwords are listed after a prompt, and one is \
            restored; a click locks the vault
            """
        case .optionsPage:
            """
            The options decide when the user is asked, and the colours of all pages; they have the keys, the sites that \
            are switched off, and the daemon's state with a command to copy
            """
        case .popupItem:
            """
            The popup is searched by keyboard; an account's page has its password, code and notes on a click, and \
            changes and deletes it
            """
        case .languages:
            "The popup, the options, the search, the menu and the bar are in the user's language and fit at 200 %"
        case .accessibility:
            "axe-core finds nothing serious in the popup, the options, the search, the menu and the bar"
        case .ownPasswords:
            "What the browser itself has saved is imported from its profile; Firefox imports our CSV, and exports the same"
        case .barNever:
            "After 'never' the site's passwords are not asked about; undo brings the question back"
        case .barInThePopup:
            "Where a page cannot hold the bar, the badge shows that there is a question, and the popup has it"
        case .barAfterARestart:
            "A background that the browser has ended still has the question, and the answer of a bar that was open"
        case .barIsGuarded:
            """
            A click where the bar is covered, faded or moved saves nothing, and neither do a page's own events, keys, \
            and its own copy of the bar
            """
        }
    }
}
