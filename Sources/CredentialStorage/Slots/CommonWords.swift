// SPDX-License-Identifier: Apache-2.0

/// What passphrases that were guessed are made of: words, names and numbers that are tried first, and the rows of keyboards.
/// Of common knowledge; with what `PassphraseFloor` ignores (capitals, digits for letters, digits and punctuation around a
/// word) they stand for some ten thousand passphrases in hundreds of thousands of forms.
enum CommonWords {
    /// Whether these bytes, in lower case, are one of them.
    static func contains(_ word: UnsafeRawBufferPointer) -> Bool {
        text.utf8.split { $0 == 0x20 || $0 == 0x0A }.contains { $0.elementsEqual(word) }
    }

    /// How many there are.
    static var count: Int { text.utf8.split { $0 == 0x20 || $0 == 0x0A }.count }

    /// What lies side by side on keyboards and number pads, and in the alphabet; read in both directions.
    static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiopu", "yxcvbnm",
        "azertyuiop", "qsdfghjklm", "wxcvbn", "1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm", "8ik", "9ol",
        "qaz",
        "wsx", "edc", "rfv", "tgb", "yhn", "ujm", "147", "258", "369", "159", "357", "147896325", "123698745",
        "1q2w3e4r5t6y7u8i9o0p",
        "q1w2e3r4t5y6",
        "a1b2c3d4e5f6", "1a2b3c4d5e6f", "qawsedrftgyhujikolp", "zaq12wsx", "!@#$%^&*()", "13579", "02468", "24680",
    ].flatMap { [Array($0.utf8), Array($0.utf8.reversed())] }

    private static let text = """
        password passwort passw0rd passwd passwords passphrase pass passe passer passcode passkey password1 mypassword
        thepassword newpassword oldpassword nopassword mypass motdepasse contrasena contrasenia senha parola haslo heslo
        wachtwoord salasana losenord losen adgangskode passord jelszo parol sifre kennwort geheim geheimnis secret secrets
        topsecret secreto segredo segreto tajne private privat hidden admin administrator administrador root toor sysadmin
        superuser user username guest gast test tester testing testtest demo default changeme changeit change temp temporary
        login logon letmein letmeinn letmein1 openup opensesame sesame open enter access welcome welcome1 willkommen
        bienvenue bienvenido benvenuto hello hellohello helloworld hallo hola bonjour ciao salut aloha goodbye iloveyou
        iloveu iloveyou1 iluvu ihateyou loveyou lovely lover lovers love loveme lovelove mylove onelove ilove truelove
        iloveme ilovemyself ilovegod ilovejesus iloveyou2 teamo tequiero jetaime ichliebedich tiamo amor amore amour liebe
        schatz schatzi amormio mivida princess princesa prinzessin princesse prince king queen master masters mistress
        monkey monkeys dragon dragons dragonball dragonfly qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm
        qwaszx trustno trustnoone trustme whatever nothing anything something everything somebody nobody anybody football
        futbol fussball soccer baseball basketball volleyball hockey tennis golfer golf cricket rugby handball swimming
        boxing wrestling running runner skater skate skateboard snowboard surfer surfing sports sport player players gamer
        gaming games game playstation nintendo xbox pokemon pikachu mario luigi zelda sonic minecraft fortnite roblox
        warcraft starcraft diablo counter strike counterstrike halflife callofduty gta sims mortal kombat tekken superman
        batman spiderman ironman wolverine hulk thor avengers marvel deadpool joker robin catwoman superwoman wonderwoman
        captain america captainamerica starwars starwar startrek skywalker darthvader vader yoda jedi anakin kenobi matrix
        neo trinity morpheus gandalf frodo hobbit bilbo legolas aragorn harrypotter potter hermione voldemort hogwarts
        dumbledore narnia twilight vampire vampires zombie zombies ninja ninjas samurai naruto sasuke goku vegeta sakura
        itachi bleach hunter hunters ranger rangers warrior warriors soldier killer killers assassin pirate pirates viking
        vikings knight knights wizard magic magician mystic phantom ghost spirit angel angels angelo angelica angelina
        angelita devil demon satan lucifer heaven hell jesus christ jesuschrist god godisgood godislove godbless blessed
        blessing faith hope grace gracie glory peace church bible prayer allah muhammad mohammad mohammed buddha krishna
        ganesh sairam omsairam shalom sunshine sunflower sunset sunny sun moon moonlight star stars stardust starlight
        shadow shadows shade dark darkness darkside light lightning thunder storm rain rainbow snow snowball snowflake
        snowman winter summer spring autumn fall fruehling sommer herbst hiver ete printemps verano invierno primavera otono
        inverno estate january february march april may june july august september october november december januar februar
        maerz mai juni juli oktober dezember janvier fevrier mars avril juin juillet aout septembre octobre novembre
        decembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre monday tuesday
        wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi
        mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo red blue green yellow
        orange purple violet pink black white brown grey gray silver gold golden bronze scarlet crimson indigo turquoise
        blau gruen gelb rot schwarz weiss rouge bleu vert noir blanc rojo azul verde negro blanco one two three four five
        six seven eight nine ten hundred thousand million billion number numbers zero michael mike michelle michel miguel
        mikey daniel danielle daniela danny david davide davis john johnny johnson jonathan jonny joshua josh joseph jose
        joey jordan jordan23 jason jasmine james jamie jack jackson jackie jacob jake jeffrey jeff jennifer jenny jessica
        jessie jesse jeremy jerry jerome joanna julia julian juliana julie juan justin justinbieber karen karina katherine
        katie kathy kelly kevin kimberly kristen kyle laura lauren larry leon leonardo leo linda lisa louis louise lucas
        lucky lucy luis luke madison maggie manuel marcus maria marie mariana mariah marina mark markus martin martha mary
        mason matthew matt matthias max maximus maxwell megan melanie melissa mercedes merlin mickey miranda mitchell molly
        monica morgan nancy natalie natasha nathan nicholas nick nicole nikita nicolas nina noah oliver olivia oscar pamela
        patricia patrick paul paula pauline pedro pepper peter philip phillip phoenix rachel ralph raymond rebecca ricardo
        richard rick ricky robert roberto robbie roger romeo ronald ronaldo rosie ross roxy russell ryan sabrina sally
        samantha sammy samson samuel sandra sandy sarah sara scott scotty sean sebastian sergio shannon sharon shawn sheila
        shelby simon simone sophia sophie stefan stella stephanie stephen steve steven stewart susan sydney sylvia tamara
        tanya taylor teresa theresa thomas tiffany tim timothy tina toby tommy tony tracy travis trevor tyler valentin
        valentina valeria vanessa veronica victor victoria vincent virginia walter wayne wendy wesley whitney william
        williams willie wilson xavier yolanda yvonne zachary aaron abigail adam adrian adriana alan albert alberto alejandra
        alejandro alex alexa alexander alexandra alexandre alexis alfred alfredo alice alicia alison allison alyssa amanda
        amber amelia amy ana andrea andreas andres andrew andrey andy angela anita anna anne annie anthony antonio arthur
        ashley ashton austin barbara beatrice benjamin benny bernard bertha beth betty bianca billy bob bobby bonnie brad
        bradley brandon brandy brenda brian britney brittany brooke bruce bruno bryan caleb cameron camila camille carl
        carla carlos carmen carol carolina caroline casey cassandra cassie catherine cecilia chad charles charlie charlotte
        chelsea cheryl chloe chris christian christina christine christopher cindy claire clara clarence claudia cody colin
        connor courtney craig cristina crystal curtis cynthia dakota dallas damian darren dave dean debbie deborah denise
        dennis derek destiny diana diane diego dolores dominic dominique donald donna dorothy douglas dustin dylan eddie
        eduardo edward edwin elaine elena elizabeth ellen emily emma enrique eric erica erik esther ethan eugene eva evelyn
        felipe felix fernanda fernando florence frances francesca francesco francis francisco frank frankie franklin fred
        freddie frederick gabriel gabriela gabrielle garrett gary george georgia gerald gerard gilbert gina gloria gordon
        graham gregory guillermo gustavo hannah harley harold harry harvey hector heather heidi helen helena henry herbert
        howard hugo ian ignacio irene isaac isabel isabella isabelle ivan jaime javier jean joel jorge ali ahmed mehmet
        mustafa fatima aisha omar hassan hussein ibrahim yusuf kumar krishnan rahul priya anjali raj singh sharma patel amit
        suresh ramesh lakshmi ivanov olga svetlana natalia dmitri sergey sergei vladimir andrei wang zhang woaini wodemima
        hans klaus juergen uwe sabine petra birgit monika lovebug lovebird babygirl babyboy babyface babydoll baby babyblue
        bebe bebita mommy mummy mama mamma daddy papa mother father sister brother family familie familia famille friend
        friends friendship bestfriend bestfriends forever forever21 always together happy happiness happyday smile smiley
        smiles laugh funny crazy lucky7 sweet sweetie sweetheart sweety sweetpea honey honeybee sugar candy candyman cupcake
        chocolate cookie cookies coffee cheese cheesecake chicken banana bananas apple apples cherry strawberry blueberry
        lemon melon peach peaches pineapple mango pumpkin peanut peanuts butter butterfly butterscotch buttercup pepsi
        cocacola coke beer whiskey vodka tequila wine pizza burger bacon potato tomato onion ginger pickle pickles muffin
        pancake pudding flower flowers rose roses daisy lily tulip lotus jasmin orchid garden tree forest mountain river
        ocean beach island paradise dolphin dolphins shark turtle whale fish fishing fisherman dog doggy dogs puppy puppies
        cat cats kitty kitten kittens kitkat hellokitty bunny rabbit hamster mouse horse horses pony unicorn tiger tigers
        tigger lion lions lionking panther panthers jaguar leopard cheetah wolf wolves wolfgang fox bear bears teddy
        teddybear panda koala elephant giraffe zebra gorilla eagle eagles falcon falcons hawk hawks raven ravens cardinal
        cardinals penguin penguins duck ducks goose rooster turkey snake cobra viper python spider scorpion scorpio dinosaur
        rex buddy buster bailey bella bandit boomer brownie charly chester coco cocoa cooper dexter duke fluffy gizmo jasper
        lady lola midnight milo misty oreo patches precious rocky rusty sadie sam sasha scooter simba smokey snoopy snickers
        socks spanky sparky spike tank tinkerbell trixie whiskers winnie ziggy zoey arsenal liverpool manchester
        manchesterunited manutd mancity everton tottenham spurs newcastle westham celtic glasgow barcelona barca realmadrid
        madrid atletico juventus inter milan acmilan napoli roma lazio bayern bayernmunich dortmund schalke hamburg werder
        borussia benfica porto sporting ajax feyenoord psv galatasaray fenerbahce besiktas flamengo corinthians palmeiras
        boca messi neymar beckham zidane maradona pele yankees redsox lakers bulls celtics knicks cowboys steelers packers
        patriots broncos raiders giants dodgers cubs mets braves phillies bruins canadiens mapleleafs redwings blackhawks
        chiefs saints bengals ferrari porsche bmw audi volkswagen toyota honda yamaha suzuki kawasaki ducati harleydavidson
        mustang camaro corvette chevy chevrolet ford jeep nissan subaru mazda hyundai lamborghini bugatti maserati bentley
        google facebook twitter instagram youtube myspace yahoo hotmail gmail microsoft windows iphone ipad android samsung
        nokia sony motorola internet computer laptop desktop server network system database oracle cisco linux ubuntu debian
        redhat github linkedin amazon netflix spotify skype whatsapp telegram paypal bitcoin london paris berlin rome lisbon
        vienna moscow tokyo beijing shanghai delhi mumbai bangalore melbourne newyork losangeles chicago houston boston
        seattle denver miami orlando vegas lasvegas texas california florida hawaii arizona alaska canada mexico brazil
        brasil argentina colombia chile peru espana spain france germany deutschland italia italy portugal poland polska
        russia ukraine turkiye india china japan korea australia england scotland ireland wales usa europe africa asia world
        earth planet universe galaxy mercury venus jupiter saturn uranus neptune pluto apollo zeus athena hercules poseidon
        hades titan titanic metallica nirvana slipknot linkinpark greenday blink182 eminem tupac 50cent snoopdogg jayz
        beyonce rihanna shakira madonna elvis beatles rollingstones pinkfloyd ledzeppelin acdc ironmaiden megadeth slayer
        kornkorn michaeljackson onedirection bts blackpink music musica musik guitar piano drummer drums singer dancer
        dancing dance rockstar rocknroll rock metal punk hiphop rap jazz money dollar dollars cash rich business office work
        worker company boss manager director teacher student school college university doctor nurse police firefighter army
        navy marine marines airforce pilot sergeant asshole bastard bitch bitches bullshit cunt damn dick dickhead fuck
        fucker fucking fuckoff fuckyou fuckme fucku shit shithead sex sexy sexygirl sexyboy sexsex porn pussy penis boobs
        tits naked nude slut whore horny hottie hotgirl hotstuff hotdog playboy playgirl cowboy cowgirl gangster gangsta
        thug pimp badboy badgirl bigboy bigdog biggie biteme blahblah blah bond007 jamesbond bond boogie booger boomboom
        bubba bubbles bumblebee cheers classic compaq dell diamond diamonds ruby emerald sapphire pearl opal amethyst jade
        digital discover dreamer dreams dream eclipse element emperor empire energy enigma eternity excalibur express
        extreme fantasy fashion fire fireball firebird flash freedom liberty libertad liberte freiheit frogger froggy frog
        future fuzzy genesis genius gemini aries taurus cancer virgo libra sagittarius capricorn aquarius pisces gibson
        goldfish goodluck goodgirl goodboy grandma grandpa green1 hacker hacked hardcore hawaii50 hello1 hello123 homer
        simpson simpsons bart house home homework hummer iceman icecream imagine incredible infinity insane jackass
        jellybean jelly jester jumper jungle junior justme justice karate kungfu lacrosse ladybug laser legend legendary
        liverpool1 lollipop london1 looking looney maverick maximum megaman melody memory mexico1 miracle mission mister
        mobile monster monsters montana hannahmontana moomoo movie nascar never neverland newlife newyork1 nicenice nirvana1
        nokia1 number1 nugget october1 olympus outlaw panasonic parker passion patience perfect picasso please popcorn
        porsche1 power powers project punisher puppy1 rainbow1 random reality rebel rebels redneck remember revolution
        rootroot sample saturn1 school1 scorpio1 security senior shooter silver1 skittles skipper slayer1 smart smooth
        snapple sniper snuggles special spitfire squirrel stallion starfish stinky stranger strong stupid success super
        superstar supergirl superior superman1 surprise survivor switch sword target tattoo therock thunder1 tiger1 tigers1
        tomcat topgun tornado toyota1 triangle trouble trucker trust truth turtles tweety twister vacation valentine velvet
        vendetta venom victory viking1 volcano voyager warlock water webmaster weed welcome123 westside eastside wicked
        wildcat wildcats winner winners winston wisdom wonder woody xanadu xxxxxx yankee yellow1 yourmom young zaq1zaq1
        zenith zigzag abc abcabc abcd abcdef abc123 a1b2c3 aaa asd asdasd asdf qwe qweqwe qazwsx qazwsxedc zxc zxczxc
        q1w2e3r4 1q2w3e4r 123qwe qwe123 123abc aa123456 1qaz2wsx 112233 11223344 121212 123123 123321 131313 147147 159753
        212121 232323 246810 252525 312312 314159 31415926 3141592653 271828 27182818 420420 456456 654321 666666 696969
        741852 741852963 753951 777777 789456 789456123 87654321 951753 987654 147258 147258369 123654 123654789 147852
        147852369 159357 258456 321654 369258147 963852741 12344321 12341234 12121212 10203040 102030 1020304050 11112222
        11111222 20202020 correcthorsebatterystaple troubador troubadour tr0ub4dor mysecret mysecretpassword
        thisismypassword ihatepasswords passwordpassword iforgot forgotten dontknow idontknow iamtheone imthebest whocares
        noidea
        """
}
