// SPDX-License-Identifier: Apache-2.0
import Forms

extension WrittenForm {
    static let all =
        signUps + signIns + changes + others + rules + surrounded + languages + names + foundWords + codes + declared

    /// A form for each rule that real forms taught.
    static let rules: [WrittenForm] = [
        WrittenForm(
            "A label that names what the field is not",
            "<input name=a label=\"Username (not your password)\"> <input type=password name=b label=\"Password, not your PIN\">",
            .signIn, "username password", because: "a: user name, because its label contains “username”"),
        WrittenForm(
            "A label with the link for the forgetful in it",
            "<input name=a label=\"E-mail Forgot your password?\"> <input type=password name=b label=\"Password Forgot it?\">",
            .signIn, "username password", because: "its label contains “forgot”"),
        WrittenForm(
            "The answer to a secret question, hidden",
            """
            <input name=user> <input type=password name=password label="Choose a password">
            <input type=password name=answer label="Answer to your security question">
            """,
            .signUp, "username newPassword other", offered: true, because: "answer: nothing to fill"),
        WrittenForm(
            "Fields without a word between the user's name and the password",
            """
            <input name=email label="Email or phone number"> <input name=q1> <input name=q2 placeholder="Phone number">
            <input name=q3 label="Favourite colour"> <input name=q4> <input type=password name=p label="Create a password">
            <input name=q5>
            """,
            .signUp, "username username other other username newPassword other", offered: true,
            because: "q1: user name, because it accepts text between the user name and the password"),
        WrittenForm(
            "A zip code is no code", "<input type=tel name=zip label=\"Zip code\" maxlength=5 pattern=[0-9]*>", .other,
            "other",
            because: "its label contains “zip code”"),
        WrittenForm(
            "A coupon's code and a country's are none either",
            "<input name=promo_code maxlength=6> <input type=tel name=country_code maxlength=4>", .other, "other other",
            because: "its name contains “promo code”"),
        WrittenForm(
            "The holder of a card is no user",
            """
            <input name=cardUser label="Name (as it appears on the card)"> <input name=n label="Card number">
            <input name=s label="Security code" maxlength=4>
            """,
            .other, "payment payment payment", because: "its label contains “appears on the card”"),
        WrittenForm(
            "A card's code alone", "<input name=security_code maxlength=4>", .other, "payment",
            because: "it accepts 4 digits, as on a card"),
        WrittenForm(
            "The same, hidden", "<input type=password label=\"Security code\" maxlength=4>", .other, "payment",
            because: "with few digits"),
        WrittenForm(
            "A gift card with its PIN",
            "<input name=gift_card_number> <input type=password name=gift_card_pin maxlength=6>", .other,
            "payment payment",
            because: "its name contains “gift card”"),
        WrittenForm(
            "A company's name beside the user's",
            """
            <input name=user_company label="Company name"> <input name=user_login> <input type=password name=user_pass>
            <input type=checkbox name=remember_me>
            """,
            .signIn, "other username password other", because: "its label contains “company name”"),
        WrittenForm(
            "new-password on a street",
            "<input name=addressLine1 autocomplete=new-password label=\"Street address\"> <input name=city>", .other,
            "other other", because: "its label contains “street”"),
        WrittenForm(
            "new-password on a name of four", "<input name=x autocomplete=new-password label=Quantity>", .other,
            "other",
            because: "its label contains “quantity”"),
        WrittenForm(
            "new-password on a sign-in, to keep browsers from filling",
            "<input type=email name=email> <input type=password name=password autocomplete=new-password>", .signIn,
            "username password", because: "does not mention a new account"),
        WrittenForm(
            "new-password beside the user name that belongs to it",
            "<input name=a autocomplete=username> <input type=password name=b autocomplete=new-password>", .signUp,
            "username newPassword", offered: true, because: "its autocomplete is new-password"),
        WrittenForm(
            "current-password on a password and its confirmation",
            """
            <input name=user> <input type=password name=a autocomplete=current-password>
            <input type=password name=b autocomplete=current-password label="Confirm password">
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "its label contains “confirm”"),
        WrittenForm(
            "A telephone number whose id mentions e-mail",
            "<input type=tel name=email_or_sms> <input type=email name=e>",
            .other, "other username", because: "its type is email"),
        WrittenForm(
            "Password/OTP", "<input name=user> <input type=password name=x label=\"Password/OTP\">", .signIn,
            "username password", because: "it is the only password field"),
        WrittenForm(
            "A one-time password is no password",
            "<input name=user> <input type=password name=x label=\"One-time password\">",
            .oneTimeCode, "other oneTimeCode", because: "its label contains “one time password”"),
        WrittenForm(
            "A lone password with the words of a sign-up",
            "<input type=email name=register_email> <input type=password name=register_password>", .signUp,
            "username newPassword", offered: true, because: "register"),
        WrittenForm(
            "A password with its rules in the label",
            "<input type=email name=e> <input type=password name=p label=\"Password: at least 8 characters\">", .signUp,
            "username newPassword", offered: true, because: "its label contains “at least”"),
        WrittenForm(
            "Words that all ids begin with are no evidence for a field",
            """
            <input name=emailFirst label="Your first name"> <input name=emailNumber label="Order"> <input name=emailTopic>
            <input type=email name=emailEmail>
            """,
            .other, "other other other username", because: "its type is email"),
        WrittenForm(
            "A bank that asks for a card's number and the password",
            "<input name=card label=\"Card number\"> <input type=password name=pw>", .signIn, "username password",
            because: "it is the only field beside the password"),
        WrittenForm(
            "A sign-in beside a sign-up",
            """
            <input name=login> <input type=password name=login_pw> <input type=email name=email>
            <input type=password name=pw1> <input type=password name=pw2>
            """,
            .signUp, "username password emailAddress newPassword confirmation", offered: true,
            because: "and also signs in"),
        WrittenForm(
            "A password that a switch shows in a second field",
            "<input name=user> <input type=password name=pw> <input type=text name=pw_shown label=Password>", .signIn,
            "username password other", because: "it is the only password field"),
        WrittenForm(
            "A trap that is labelled as one",
            "<input type=email name=email> <input name=website label=\"Should be empty\">",
            .other,
            "username hidden", because: "its label contains “should be empty”"),
        WrittenForm(
            "An app's content types that are nothing to fill",
            """
            <field id=zip contentType=postalCode> <field id=card contentType=cc-number> <field id=x contentType=passkeyName>
            <field id=tel contentType=telephoneNumber>
            """,
            .other, "other payment other other",
            because: "x: nothing to fill, because its contentType is none that AutoFill fills"),
    ]

    /// The evidence in the words around a form.
    static let surrounded: [WrittenForm] = [
        WrittenForm(
            "A heading that signs up",
            "<form heading=\"Create your account\"> <input type=email name=e> <input type=password name=p>", .signUp,
            "username newPassword", offered: true, because: "the form's heading contains “create your account”"),
        WrittenForm(
            "A button that signs up",
            "<form submit=\"Join\"> <input type=email name=e> <input type=password name=p>", .signUp,
            "username newPassword", offered: true, because: "the form's button contains “join”"),
        WrittenForm(
            "An address that signs up",
            "<form action=https://login.example.com/users/sign_up?from=login> <input name=e> <input type=password name=p>",
            .signUp, "username newPassword", offered: true, because: "the form's address contains “sign up”"),
        WrittenForm(
            "A button that signs in, over a declared new password",
            "<form submit=\"Sign in\"> <input name=e autocomplete=username> <input type=password name=p autocomplete=new-password>",
            .signIn, "username password", because: "the form's button contains “sign in”, though its autocomplete"),
        WrittenForm(
            "A heading with both is evidence for neither",
            "<form heading=\"Sign in or create an account\"> <input name=user> <input type=password name=p>", .signIn,
            "username password", because: "it is the only password field"),
        WrittenForm(
            "A heading that asks for a new password",
            "<form heading=\"Choose a new password\"> <input type=password name=p>", .signUp, "newPassword",
            because: "the form's heading contains “choose a new”"),
        WrittenForm(
            "A first page by its button", "<form submit=\"Log in|Help\"> <input type=email name=e>", .signIn,
            "username",
            because: "the password follows on another page"),
        WrittenForm(
            "A first page of a sign-up is no sign-in",
            "<form heading=\"Sign up\"> <input name=username autocomplete=username>", .other, "username",
            because: "no user name alone"),
        WrittenForm(
            "A heading that speaks of a code", "<form heading=\"Enter your verification code\"> <input name=x1>",
            .oneTimeCode,
            "oneTimeCode", because: "the form's heading contains “verification code”"),
    ]
}
