"""Function words that a question is phrased with, not about; dropped from queries only.

IDF does not take care of them: "did", "who" or "where" are rare in statements, so in a
store of statements they would weigh as much as the words that matter (on LoCoMo BM25's
recall@10 is 0.59 with them and 0.63 without). Rows keep them, so a query made of nothing
else ("to be or not to be") still finds its text. Words are in folded form (no accents).
Content words are not on the lists, however frequent: that is IDF's part.
"""

from __future__ import annotations

ENGLISH = """
a an the this that these those some any each every
i me my mine we us our ours you your yours he him his she her hers it its they them their
theirs myself yourself himself herself itself ourselves themselves
am is are was were be been being do does did doing done have has had having can could will
would shall should may might must ought
what which who whom whose when where why how whether
and or but nor if then than so because while as of in on at to for from by with about into
onto over under between through during before after since until up down out off again
not no yes there here also too very just only own same such both either neither
tell please s t
"""
GERMAN = """
der die das des dem den ein eine einer eines einem einen dieser diese dieses jener jene
ich mich mir mein meine du dich dir dein deine er ihn ihm sein seine sie ihr ihre ihnen es
wir uns unser unsere euch euer bin bist ist sind seid war waren warst gewesen werden wird
wurde wurden haben hat hatte hatten habe kann konnen konnte soll sollen muss mussen will
wollen darf durfen was welche welcher welches wer wen wem wessen wann wo warum wieso wie
woher wohin ob und oder aber wenn dann als so weil von in im an am auf zu zum zur fur mit
uber bei beim aus nach vor durch um bis seit nicht kein keine ja nein da hier auch sehr nur
"""
FRENCH = """
le la les l un une des du de d ce cet cette ces je j me m moi mon ma mes tu te t toi ton ta
tes il elle on se s lui son sa ses nous notre nos vous votre vos ils elles leur leurs eux
suis es est sommes etes sont etait etaient ete etre ai as a avons avez ont avait avoir fait
faire peut doit que qu quoi quel quelle quels quelles qui quand ou pourquoi comment combien
dont et mais si alors ni car en dans au aux sur sous pour par avec sans entre vers chez
depuis ne n pas non oui y la aussi tres c
"""
SPANISH = """
el la los las un una unos unas lo este esta estos estas ese esa esos esas yo me mi mis tu te
ti tus el ella se le les su sus nos nosotros nuestra nuestro vosotros os ellos ellas soy
eres es somos son era eran fue fueron ser estar estoy estan esta he has ha hemos han habia
haber hace hacer puede debe que cual cuales quien quienes cuando donde por como cuanto
cuantos cuanta y e o u pero si entonces ni porque de del en al a para con sin sobre entre
desde hasta no hay aqui alli tambien muy solo
"""
ITALIAN = """
il lo la i gli le l un uno una questo questa questi queste quello quella io mi me mio mia tu
ti te tuo tua lui lei si suo sua ci noi nostro nostra voi vi vostro loro sono sei e siamo
siete era erano essere stato ho hai ha abbiamo avete hanno aveva avere fa fare puo deve che
cosa quale quali chi quando dove perche come quanto quanti ed o ma se allora ne di del della
dei delle in nel nella a al alla da dal dalla su sul per con senza tra fra non anche molto
"""
PORTUGUESE = """
o a os as um uma uns umas este esta estes estas esse essa isso isto eu me mim meu minha tu te
teu tua voce ele ela se seu sua nos nosso nossa eles elas sou es e somos sao era eram foi
foram ser estar esta estao ter tem tinha tenho ha faz fazer pode deve que qual quais quem
quando onde por porque como quanto quantos ou mas entao nem de do da dos das em no na nos nas
ao aos para com sem sobre entre desde ate nao tambem muito so
"""
DUTCH = """
de het een deze dit die dat ik mij me mijn jij je jou jouw hij hem zijn zij ze haar wij we
ons onze jullie hun ben bent is was waren geweest worden wordt werd heb hebt heeft hebben had
kan kunnen zal zou moet mag wat welke wie wiens wanneer waar waarom hoe en of maar als dan
want omdat van in op aan te tot voor met over bij uit naar door om sinds niet geen ja nee er
hier ook heel alleen
"""
RUSSIAN = """
я меня мне мной мой моя мое мои ты тебя тебе твой твоя он его ему него она ее ей нее оно мы
нас нам наш наша вы вас вам ваш ваша они их им них себя свой быть был была было были есть
будет что чего кто кого кому чей когда где куда откуда почему зачем как какой какая какое
какие сколько ли и а но или если то же бы так в во на с со к ко у о об от до из за для по при
под над без между не ни да нет это этот эта эти тот та те там тут здесь тоже также очень
"""

STOPWORDS: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "english": ENGLISH,
        "german": GERMAN,
        "french": FRENCH,
        "spanish": SPANISH,
        "italian": ITALIAN,
        "portuguese": PORTUGUESE,
        "dutch": DUTCH,
        "russian": RUSSIAN,
    }.items()
}


def is_stopword(word: str, language: str) -> bool:
    """Whether a folded, unstemmed ``word`` is a function word of ``language``.

    Cyrillic words are looked up in the Russian list whatever the language, as they are
    stemmed (no Latin word can be meant); an unlisted language has none.
    """
    if word and "\u0400" <= word[0] <= "\u04ff":
        language = "russian"
    return word in STOPWORDS.get(language, frozenset())
