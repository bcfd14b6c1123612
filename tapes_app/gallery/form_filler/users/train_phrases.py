"""How users speak in training."""

from tapes_app.gallery.form_filler.users.phrases import Phrases

TRAIN = Phrases(
    before=("", "", "Hi, ", "Hello, ", "Ok, ", "Alright, ", "Hey, "),
    after=("", "", ", please", ", thanks", ", thank you"),
    joiners=(". Also, ", "; ", ". And ", ", and "),
    ask_form=(
        "I [want|would like|need] to {request}",
        "[Can|Could] you help me [to ]{request}?",
        "I am [here|writing] because I [want|have] to {request}",
        "[Please help|Help] me {request}",
    ),
    short_form=(
        "{request}",
        "[Something about|The form for|It is about] {thing}",
        "{thing}[!|...| form]",
    ),
    ask_forms=(
        "What can you [do|help with]?",
        "[Which|What] forms do you have[ here]?",
        "[What|Which things] can I [request|do|ask for] here?",
        "[How|With what] can you [help|assist] me?",
    ),
    impossible=(
        "I [want|need] to [walk my dog|knit a scarf|build a volcano|tame a dragon]",
        "[Can|Could] you [paint my fence|write my homework|feed my goldfish|sing me a song]?",
        "[Please help|Help] me [climb the moon|win a chess match|bake a wedding pie]",
    ),
    answer=(
        "{value}",
        "It [is|would be|should be] {value}",
        "That [is|would be] {value}",
        "[I say|Let us say|Make it|Take|Use] {value}",
        "My answer is {value}",
    ),
    yes=("yes", "Yes, [do that|of course|definitely|I do]", "[Sure|Yep|Certainly]"),
    no=("no", "No, [not that|I do not|never mind that]", "[Nope|Certainly not|Not really]"),
    give=(
        "[my|the] {label} is {value}",
        "{label}: {value}",
        "the {label} should be {value}",
        "set the {label} to {value}",
        "use {value} as the {label}",
    ),
    give_wrong=(
        "the {label} should be {value}",
        "set the {label} to {value}",
        "{label}: {value}",
    ),
    change=(
        "[Actually|Wait|Sorry], [please |]change the {label} to {value}",
        "I [changed my mind|was wrong]: the {label} should be {value}",
        "[Oh|Hm], make the {label} {value} instead",
        "[Can|Could] you correct the {label} to {value}?",
    ),
    by_trait=(
        "the {trait} one",
        "[I want|Give me|I take] the {trait} one",
        "whatever is {trait}",
        "the one that is {trait}",
    ),
    by_position=(
        "the {ordinal} one",
        "[I take|Give me|I want] the {ordinal} [option|choice|one]",
        "the {ordinal} [of these|in your list]",
    ),
    skip=(
        "[Skip|Please skip] [this|that] one",
        "[I would like to|Can I|Can we] skip [this|it|that]?",
        "I do not [need|want] [this|that] one",
        "Leave [it|this] [empty|blank]",
        "[Next|Pass], I have nothing to say there",
    ),
    skip_required=(
        "[Must I say that|Do I have to say that]? [Skip|I would skip] it",
        "I [want|prefer] to skip this question",
        "[Let us|We could] skip this part",
        "I do not want to [say|tell] you this, leave it empty",
    ),
    ask_fact={
        "review": (
            "How [long|many days] does [the|a] review take?",
            "When is [it|the request] reviewed?",
        ),
        "cancelling": (
            "Can [it|this] be cancelled [later|for free]?",
            "How late can I cancel [it|this]?",
        ),
        "approval": (
            "Who [approves|has to approve] [it|this]?",
            "[Whose|What] approval is needed?",
        ),
        "contact": (
            "[Which|What] extension [can|do] I call?",
            "Who answers calls about [this|it]?",
        ),
        "fee": (
            "[How high is|What is] the fee?",
            "Is a [service |]fee charged[ for it| for this]?",
        ),
        "archive": (
            "How long do copies stay [in the archive|archived]?",
            "For how many months is [it|this] in the archive?",
        ),
    },
    ask_option=(
        "What [is|means] {option}?",
        "What does {option} mean[ here| exactly]?",
        "[Please explain|Can you explain] {option} to me?",
    ),
    ask_filled=(
        "What [have I|did I] [filled in|given] [so far|already]?",
        "Which fields are filled[ in|]?",
        "[Show me|What are] the values so far?",
    ),
    ask_missing=(
        "What is [still |]missing?",
        "Which fields are [still |]missing[ now|]?",
        "How many fields are [left|missing]?",
    ),
    advice=(
        "I [have|want|need] to {need}, which one should I take?",
        "[Which|What] is [best|right] if I want to {need}?",
        "I am not sure. I [have|want] to {need}, what do you recommend?",
    ),
    off_topic=(
        "Did you [see|watch] [the match|that film|the storm] [yesterday|last night]?",
        "[What a|Such a] [lovely|grey|windy] morning, [is it not|do you like rain]?",
        "Do you know a good [joke|riddle|recipe for soup]?",
        "Who will win the [election|cup|race] [this year|next week]?",
    ),
    confirm=(
        "[Yes|Sure|Ok], [submit it|send it|go ahead]",
        "[Yes|Yep|Correct], [all good|that is right|everything is fine]",
        "Please submit[ it|]",
    ),
    leave=("I want to [leave|stop] here", "Cancel [everything|all of this]", "[Goodbye|Quit]"),
    stay=("No, [go on|let us go on|stay]",),
)
