"""Groups of words that say nearly the same in short notes; own choice from general language."""

from __future__ import annotations

from .lexicon import stems

_GROUPS = """
like love prefer enjoy favourite rather keen fond want fancy best adore
dislike hate detest loathe stand
need require must have necessary mandatory should obligatory depend
begin start commence kick launch begun
end finish complete conclude done over ended finished
stop cease quit halt
buy purchase
house home flat apartment live reside residence dwell
near close nearby next beside by
located situated found sit lie stored kept lives hosted served held is housed
kid child children son daughter boy girl
wife husband spouse married marry marriage wedding wed
doctor physician medic
teach teacher teaches taught
manage manager run head lead leader charge responsible supervise supervisor own owner belong
boss supervisor manager
job work role position
employee staff worker
firm company employer
client customer
user person
quick fast rapid
big large huge
small little tiny
short brief concise
answer reply response
question query
error bug fault defect failure problem issue
fix repair solve resolve mend
cause reason due root because
outage downtime down unreachable unavailable
crash die fail broken
slow sluggish
show display print list see
find look search locate
use utilise utilize employ
set configure configured setting
enable activate on turn turned switched enabled
disable deactivate off disabled
limit cap maximum max limited
minimum least min lowest oldest
default standard defaults
environment env
database db
configuration config
document doc docs documentation
repository repo
application app
information info
administrator admin
production prod live
development dev
statistics stats
number count amount
address url link located
directory folder dir path
flag option switch parameter
command cmd
version release
upgrade update updated upgraded went
newest latest current newer
pin pinned fixed
change modify alter edit
delete remove erase wipe
copy backup backups
meeting meet meets session appointment call
take takes place happen occur held
deadline due
postpone delay defer
cancel cancelled
birthday born birth
job shift
car vehicle
bike bicycle
bill invoice
pay cost price fee charge costs
salary wage income
rise increase grow up growth rose gain
fall decrease drop decline down fell
approve approval approved sign
allow permit permitted allowed may can let
forbid prohibit ban forbidden prohibited disallow
decide decision agree agreed settle chose choose choice pick opt outcome
plan intend intention
wait waiting blocked block pending
ask request want wants asked
tell inform say
call name called named
phone telephone
mail email
image picture photo
film movie
shop store
holiday vacation leave
ill sick unwell
allergic allergy intolerant
medicine tablet pill drug medication
dose dosage
weigh weight
long length lasts last duration
high height tall
wide width
capacity hold holds size
free gratis
noon midday
also too
no without lack lacks
every each all any daily
everyone everybody
nobody none
before prior
after following
old former previous
person one people
two both pair twins
quarterly quarter
mode theme
dark black
sometimes occasionally
often frequently
evening night nightly
morning am
plane flight flights fly
talk speak speaks
write put
read reads
send sent sends
support supported
works working work runs run
install installed
test tests testing
eat eats meat
"""
#: Groups that are too loose to equate texts are left out; a word may be in several groups.
_TABLE: dict[str, set[int]] = {}
for _index, _line in enumerate(_GROUPS.strip().splitlines()):
    for _word in _line.split():
        for _form in stems(_word):
            _TABLE.setdefault(_form, set()).add(_index)
_NONE: set[int] = set()


def groups(stem: str) -> set[int]:
    """The groups a stem is in."""
    return _TABLE.get(stem, _NONE)


def alike(one: str, two: str) -> bool:
    """Whether two stems share a group."""
    mine = _TABLE.get(one)
    return mine is not None and not mine.isdisjoint(_TABLE.get(two, _NONE))
