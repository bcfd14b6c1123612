"""How users speak in tests: no sentence of training is among these."""

from tapes_app.gallery.form_filler.users.phrases import Phrases

HELD_OUT = Phrases(
    before=("", "", "Good day. ", "Well, ", "So, ", "Right, ", "Greetings. "),
    after=("", "", ", if you would", ", cheers", ", much obliged"),
    joiners=(". Besides, ", " - oh, and ", ". On top of that, ", ". By the way, "),
    ask_form=(
        "[My plan|The idea|What brings me here] is to {request}",
        "I was [hoping|told] to {request} [here|with you]",
        "[Is this where|Would it be possible that] I {request}?",
        "Somebody [at work|upstairs] told me to {request}",
    ),
    short_form=(
        "[About|Regarding|Concerning] {thing}",
        "{thing}, that is [all|it]",
        "[Form|Paperwork|Request]: {request}",
    ),
    ask_forms=(
        "[Could you tell me|I wonder] what [services|forms] are on offer?",
        "[What|Tell me what] sort of [requests|forms] do you [handle|deal with]?",
        "I am new here. What are [my options|the possibilities]?",
        "[List|Name] everything you can do for me",
    ),
    impossible=(
        "I was hoping to [juggle seven swords|teleport home|adopt a unicorn|swim to Mars]",
        "[My plan|The idea] is to [dig a tunnel to China|become invisible|grow bananas at home]",
        "Would it be possible that you [mow my lawn|tune my piano|iron my shirts]?",
    ),
    answer=(
        "{value} [it is|will do|works for me|then]",
        "[I'd go|Let's go] [with|for] {value}",
        "[Put down|Write down|Note] {value}",
        "[For this one|Here] I'd say {value}",
        "[That'd be|It'd be] {value}",
    ),
    yes=("[absolutely|indeed]", "yeah, [why not|gladly|I think so]", "that would be a yes"),
    no=("[nah|rather not]", "that would be a no", "no [way|chance]"),
    give=(
        "my {label} ought to be {value}",
        "for the {label} take {value}",
        "put {value} down as the {label}",
        "{value} is [my|the] {label}",
        "as {label} I'd go with {value}",
    ),
    give_wrong=(
        "for the {label} take {value}",
        "my {label} ought to be {value}",
        "as {label} I'd go with {value}",
    ),
    change=(
        "On second thought, [let|have] the {label} be {value}",
        "[Scratch that|I misspoke]. For the {label} [take|put] {value}",
        "[There is a mistake|I noticed an error]: my {label} ought to be {value}",
        "[Switch|Update|Move] the {label} to {value}",
    ),
    by_trait=(
        "[Whichever|The one which] is the {trait}",
        "I'd go for the {trait} of [them|the lot]",
        "the {trait}, [obviously|I guess]",
        "[surely|definitely] the {trait} you have",
    ),
    by_position=(
        "[Number|Option] {number}",
        "I'd go for [number|option] {number}",
        "the {ordinal} you mentioned",
        "[whatever|the one that] came {ordinal}",
    ),
    skip=(
        "[Let's|We can] [omit|drop] [this|that one]",
        "Nothing [for this one|to add here]",
        "[There is no|I have no] need for [this|it]",
        "[Move on|Go on] without [it|that]",
        "I'd rather [not fill this in|leave this out]",
    ),
    skip_required=(
        "[Surely|I hope] we can [omit|drop] this",
        "I'd rather [keep that to myself|not share that], [move on|go on] without it",
        "That is [private|none of your business], [drop|omit] it",
        "[Could|Can] we [go on|move on] without that?",
    ),
    ask_fact={
        "review": (
            "[After|In] how many working days is there [a|some] decision?",
            "How [quickly|soon] will somebody [decide|look at it]?",
        ),
        "cancelling": (
            "What if I [want to|have to] [call it off|withdraw]?",
            "Is there a deadline to [withdraw|call it off]?",
        ),
        "approval": (
            "Who [signs it off|gives the green light|has to agree]?",
            "Whose [permission|signature] does it take?",
        ),
        "contact": (
            "Is there a [phone number|telephone] for [questions|problems]?",
            "Whom [can|could] I [phone|ring up]?",
        ),
        "fee": ("What [does it|will it] cost[ me|]?", "How much do I [pay|owe][ in the end|]?"),
        "archive": (
            "How long do you [store|keep] my papers?",
            "When do you [delete|throw away] the copies?",
        ),
    },
    ask_option=(
        "[Remind me|Tell me], how is {option} different?",
        "I have never heard of {option}, what's that?",
        "{option}? [What is that good for|Who picks that]?",
    ),
    ask_filled=(
        "[Could you recap|Please recap|Summarise] what you have [got|recorded]",
        "[Read back|Repeat] what we have [recorded|got] [up to now|until now]",
        "What did you [note|record] until now?",
    ),
    ask_missing=(
        "What [else|more] do you need from me?",
        "How much remains[ to be done|]?",
        "[Is there|Are there] [much|many] more to [answer|go]?",
    ),
    advice=(
        "All I know is that I'd like to {need}. What do you advise?",
        "Suppose somebody hopes to {need}: what would you suggest?",
        "[Help me choose|I cannot decide]. It matters to me to {need}",
    ),
    off_topic=(
        "[How about|What about] [those new neighbours|that concert|this heatwave]?",
        "Have you [heard|read] about the [comet|penguins|royal wedding]?",
        "Are you [a robot|married|fond of jazz]?",
        "[Tell me|Say], what is [your favourite colour|the capital of Peru]?",
    ),
    confirm=(
        "[Looks|Sounds] [good|perfect] to me",
        "[Perfect|Great|Wonderful], [let it go out|off it goes]",
        "I confirm[ everything| all of it|]",
    ),
    leave=("[Let's abort|I give up]", "Forget [about it|the whole thing]", "[I am off|Bye]"),
    stay=("No [way|need], carry on",),
)
