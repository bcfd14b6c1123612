"""Turns of an assistant, written by hand: clean ones, and the same with one fault each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tapes_app.engine.tape.dialog_steps import ReasoningThought, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.greadth.turns import AssistantTurn
from tapes_app.gallery.form_filler.users.labels import TurnLabel, with_label
from tests.gallery.form_filler.berths import read_berth

FORM = "BookBerth"
CANDIDATES = steps.FunctionCandidates.model_validate(
    {
        "candidates": [
            {"function": FORM, "short_description": "Books a berth."},
            {"function": "RentCrane", "short_description": "Rents a crane."},
        ]
    }
)
CHOOSE = steps.InspectFunctionAction(function=FORM)
SCHEMA = steps.FunctionSchemaObservation.from_form(read_berth())
SAY = steps.PromptUserForTextMessageAction


def put(*skip: str, **values: Any) -> Step:
    return steps.UpdateFunctionParametersThought(function=FORM, assign=values, skip=list(skip))


def ask(slot: str) -> Step:
    return steps.RequestFunctionParametersThought(function=FORM, parameters=[slot])


def refuse(slot: str, value: str) -> Step:
    return steps.RefuseInvalidFunctionParameterValueThought(
        function=FORM, parameter=slot, parameter_value=value
    )


def keep(slot: str) -> Step:
    return steps.RefuseSkippingParameterThought(function=FORM, parameter=slot)


ANSWER = steps.AnswerFromFunctionSchemaThought(function=FORM)
UNKNOWN = steps.NoAnswerInFunctionSchemaThought(function=FORM)
ENGAGE = steps.RefuseToEngageThought()
NO_FORM = steps.RefuseInexistentFunctionThought()
WHICH = steps.RequestFunctionThought(functions=[FORM, "RentCrane"])
CONFIRM = steps.RequestFunctionCallConfirmationThought(function=FORM)
END = steps.RequestExitConfirmationThought()
AGREED = ReasoningThought(reasoning="The user confirmed.")
SUBMIT = steps.CallFunctionAction(function=FORM)
LEAVE = steps.ExitAction(text="Goodbye.")


@dataclass(frozen=True)
class Planted:
    """A turn: what was filled in and asked for before, what the user wrote, and the answer."""

    text: str
    thoughts: Sequence[Step]
    message: str = ""
    asked: Step | None = None
    filled: Mapping[str, Any] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    label: Mapping[str, Any] = field(default_factory=dict)
    is_first: bool = False

    @cached_property
    def turn(self) -> AssistantTurn:
        label = TurnLabel.model_validate({"behaviour": "UserHappyPath", **self.label})
        past = [*self._list_past(), with_label(UserStep(content=self.text), label)]
        said = [SAY(prompt=self.message)] if self.message else []
        return AssistantTurn(tuple(past), label, (*self.thoughts, *said))

    def _list_past(self) -> Iterator[Step]:
        yield SAY(prompt="Hi, how can I help you?")
        if self.is_first:
            return
        yield UserStep(content="I need a berth")
        yield from (steps.ResolveFunctionAction(query="I need a berth"), CANDIDATES, CHOOSE, SCHEMA)
        if self.filled or self.skipped:
            yield put(*self.skipped, **self.filled)
        if self.asked is not None:
            yield self.asked
        yield SAY(prompt="Please answer.")


BOAT = {"boat": "Sea Breeze"}
SMALL = {**BOAT, "berth": "small"}
CAME = {**SMALL, "arrival": "2027-05-03"}
LATE = ("departure", "hour", "email", "site", "length", "crew", "power")
OPEN = (steps.ResolveFunctionAction(query="a berth"), CANDIDATES)


def _gives(**values: Any) -> dict[str, Any]:
    return {"values": values}


CLEAN: Mapping[str, Planted] = {
    "form": Planted(
        "I need a berth",
        (*OPEN, CHOOSE, SCHEMA, put(), ask("boat")),
        "Let me help you with a berth. What is the boat?",
        label={"behaviour": "UserInitMessageShort", "form": FORM},
        is_first=True,
    ),
    "no form": Planted(
        "Can you juggle?",
        (*OPEN, NO_FORM, WHICH),
        "I have no form for that. Do you need to book a berth or to rent a crane?",
        label={"behaviour": "UserBadInitMessage"},
        is_first=True,
    ),
    "boat": Planted(
        "Sea Breeze",
        (put(boat="Sea Breeze"), ask("berth")),
        "The boat is Sea Breeze. Which berth: small, large or dry dock?",
        ask("boat"),
        label=_gives(boat="Sea Breeze"),
    ),
    "berth": Planted(
        "the small one",
        (put(berth="small"), ask("arrival")),
        "The berth is now small. What is the arrival?",
        ask("berth"),
        BOAT,
        label=_gives(berth="small"),
    ),
    "arrival": Planted(
        "on 3 May 2027",
        (put(arrival="2027-05-03"), ask("departure")),
        "Arrival: 2027-05-03. What is the departure? You may skip it.",
        ask("arrival"),
        SMALL,
        label=_gives(arrival="2027-05-03"),
    ),
    "two values": Planted(
        "dry dock, from 4 May 2027",
        (put(berth="dry dock", arrival="2027-05-04"), ask("departure")),
        "So the berth is dry dock and the arrival 2027-05-04. What is the departure? It is "
        "optional.",
        ask("berth"),
        BOAT,
        label=_gives(berth="dry dock", arrival="2027-05-04"),
    ),
    "skip": Planted(
        "leave that out",
        (put("departure"), ask("hour")),
        "Departure is skipped. What is the hour? By default it is 12:00, or leave it empty.",
        ask("departure"),
        CAME,
        label={"skips": ("departure",)},
    ),
    "wrong berth": Planted(
        "huge please",
        (put(), refuse("berth", "huge"), ask("berth")),
        "'huge' is not valid for the berth. Do you choose small, large or dry dock?",
        ask("berth"),
        BOAT,
        label={"invalid": {"berth": "huge"}},
    ),
    "wrong date": Planted(
        "31 February 2027",
        (put(), refuse("arrival", "31 February 2027"), ask("arrival")),
        "31 February 2027 cannot be the arrival. What is the arrival?",
        ask("arrival"),
        SMALL,
        label={"invalid": {"arrival": "31 February 2027"}},
    ),
    "wrong email": Planted(
        "ann(at)harbour",
        (put(), refuse("email", "ann(at)harbour"), ask("email")),
        "Sorry, ann(at)harbour is no valid email. What is the email? You may skip it.",
        ask("email"),
        CAME,
        ("departure", "hour"),
        {"invalid": {"email": "ann(at)harbour"}},
    ),
    "keep boat": Planted(
        "I would rather not say",
        (put(), keep("boat"), ask("boat")),
        "The boat is required. What is the boat?",
        ask("boat"),
        label={"skips": ("boat",)},
    ),
    "keep arrival": Planted(
        "skip it",
        (put(), keep("arrival"), ask("arrival")),
        "The arrival cannot be skipped. What is the arrival?",
        ask("arrival"),
        SMALL,
        label={"skips": ("arrival",)},
    ),
    "fact": Planted(
        "what is a large berth for?",
        (put(), ANSWER, ask("berth")),
        "A large berth is for boats from 12 metres on. Do you take small, large or dry dock as "
        "the berth?",
        ask("berth"),
        BOAT,
        label={"asks_about": "fact", "answer": "A large berth is for boats from 12 metres on."},
    ),
    "advice": Planted(
        "my boat has 15 metres, what is good?",
        (put(), ANSWER, ask("berth")),
        "A large berth is good for a boat of 15 metres. Which berth: small, large, dry dock?",
        ask("berth"),
        BOAT,
        label={"asks_about": "advice", "answer": "large"},
    ),
    "filled": Planted(
        "what do you have so far?",
        (put(), ANSWER, ask("arrival")),
        "The boat is Sea Breeze, the berth small. What is the arrival?",
        ask("arrival"),
        SMALL,
        label={"asks_about": "filled"},
    ),
    "missing": Planted(
        "what is missing?",
        (put(), ANSWER, ask("power")),
        "The power and the plate are missing. What is the power? You may skip it.",
        ask("power"),
        CAME,
        LATE[:-1],
        {"asks_about": "missing"},
    ),
    "topic": Planted(
        "do you like music?",
        (put(), ENGAGE, ask("boat")),
        "Sorry, I can only help with this form. What is the boat?",
        ask("boat"),
        label={"behaviour": "UserChangesTopic", "is_off_topic": True},
    ),
    "unknown": Planted(
        "who painted the dock?",
        (put(), UNKNOWN, ask("boat")),
        "The form does not say who painted the dock. What is the boat?",
        ask("boat"),
    ),
    "change": Planted(
        "make the berth dry dock",
        (put(berth="dry dock"), ask("email")),
        "The berth is dry dock now. What is the email? You may leave it out or skip it.",
        ask("email"),
        CAME,
        ("departure", "hour"),
        _gives(berth="dry dock"),
    ),
    "truth": Planted(
        "yes",
        (put(power=True), ask("plate")),
        "Power: yes. What is the plate? It is optional.",
        ask("power"),
        CAME,
        LATE[:-1],
        _gives(power=True),
    ),
    "number": Planted(
        "we are 4",
        (put(crew=4), ask("power")),
        "The crew is 4. Do you need power? You may skip the power.",
        ask("crew"),
        CAME,
        LATE[:-2],
        _gives(crew=4),
    ),
    "complete": Planted(
        "AB-123",
        (put(plate="AB-123"), CONFIRM),
        "The plate is AB-123. The form is complete, shall I submit it?",
        ask("plate"),
        CAME,
        LATE,
        _gives(plate="AB-123"),
    ),
    "agreed": Planted(
        "yes, send it",
        (put(), AGREED, SUBMIT),
        "",
        CONFIRM,
        CAME,
        (*LATE, "plate"),
        {"confirms": True},
    ),
    "stop": Planted(
        "let me stop",
        (put(), END),
        "Shall I end here, without submitting the form?",
        ask("boat"),
        label={"behaviour": "UserLeaves"},
    ),
    "left": Planted("yes", (put(), AGREED, LEAVE), "", END, label={"confirms": True}),
}

_DID: Mapping[str, Sequence[tuple[str, Sequence[Step]]]] = {
    "accurate": [
        ("form", (*OPEN, WHICH)),
        ("form", (*OPEN, CHOOSE, SCHEMA, put(boat="Berth"), ask("berth"))),
        ("no form", (*OPEN, CHOOSE, SCHEMA, put(), ask("boat"))),
        ("boat", (put(), ask("boat"))),
        ("boat", (put(boat="Sea"), ask("berth"))),
        ("boat", (put(boat="Sea Breeze", berth="small"), ask("arrival"))),
        ("berth", (put(berth="large"), ask("arrival"))),
        ("berth", (put(boat="small"), ask("berth"))),
        ("arrival", (put(arrival="2027-03-05"), ask("departure"))),
        ("arrival", (put("departure", arrival="2027-05-03"), ask("hour"))),
        ("two values", (put(berth="dry dock"), ask("arrival"))),
        ("two values", (put(arrival="2027-05-04"), ask("berth"))),
        ("skip", (put(), ask("departure"))),
        ("skip", (put("hour"), ask("departure"))),
        ("wrong berth", (put(berth="large"), ask("arrival"))),
        ("wrong date", (put(arrival="2027-02-28"), ask("departure"))),
        ("fact", (put(berth="large"), ask("arrival"))),
        ("change", (put(), ask("email"))),
        ("truth", (put(power=False), ask("plate"))),
        ("agreed", (put(), CONFIRM)),
        ("left", (put(), ask("boat"))),
    ]
}

_SAID: Mapping[str, Sequence[tuple[str, str]]] = {
    "disciplined": [
        ("form", "Let me help you with a berth."),
        ("form", "What is the arrival?"),
        ("no form", "Do you need to book a berth or to rent a crane?"),
        ("boat", "The boat is Sea Breeze. Small, large or dry dock?"),
        ("boat", "The boat is Sea Breeze. What is the arrival?"),
        ("berth", "The berth is now small. What else do you need?"),
        ("berth", "The berth is small. What is the arrival? What is the departure?"),
        ("arrival", "Arrival: 2027-05-03. Shall I submit the form?"),
        ("skip", "Departure is skipped. At twelve, then?"),
        ("wrong berth", "Which berth: small, large or dry dock?"),
        ("wrong berth", "The berth is huge. Which berth: small, large or dry dock?"),
        ("wrong date", "Sorry, not possible. When do you come?"),
        ("wrong email", "What is the email? You may skip it."),
        ("keep boat", "What is the boat?"),
        ("keep arrival", "The arrival is open. What is the arrival?"),
        ("topic", "What is the boat?"),
        ("unknown", "The dock was painted by a master. What is the boat?"),
        ("complete", "The plate is AB-123. The form is complete."),
        ("complete", "The plate is AB-123. Is the weekend fine?"),
        ("stop", "What is the boat?"),
        ("stop", "Are you the sender of the form?"),
        ("stop", "Shall I send a friend on the weekend?"),
    ],
    "transparent": [
        ("boat", "Which berth: small, large or dry dock?"),
        ("boat", "The boat is noted. Which berth: small, large or dry dock?"),
        ("boat", "Sea Breeze, fine. Which berth: small, large or dry dock?"),
        ("boat", "The boat is Sea. Which berth: small, large or dry dock?"),
        ("berth", "What is the arrival?"),
        ("berth", "The berth is smaller. What is the arrival?"),
        ("berth", "The berths are small-ish. What is the arrival?"),
        ("arrival", "What is the departure? You may skip it."),
        ("arrival", "Arrival: 2027-05. What is the departure? You may skip it."),
        ("arrival", "Arrival: 12027-05-03. What is the departure? You may skip it."),
        ("two values", "The berth is dry dock. What is the departure? It is optional."),
        ("two values", "The arrival is 2027-05-04. What is the departure? It is optional."),
        ("skip", "What is the hour? By default it is 12:00, or skip it."),
        ("skip", "One slot is skipped. What is the hour? By default 12:00, or skip it."),
        ("change", "What is the email? You may skip it."),
        ("change", "The berth is changed. What is the email? You may skip it."),
        ("truth", "What is the plate? It is optional."),
        ("truth", "Power is noted. What is the plate? It is optional."),
        ("number", "The crew is 14. Do you need power? You may skip it."),
        ("number", "The crew is 4.5. Do you need power? You may skip it."),
        ("complete", "The form is complete, shall I submit it?"),
        ("complete", "The plate is AB-1234. Shall I submit the form?"),
    ],
    "helpful": [
        ("form", "Let me help you with a berth."),
        ("no form", "I have no form for that."),
        ("boat", "The boat is Sea Breeze. Which berth?"),
        ("boat", "The boat is Sea Breeze. Which berth: small or large?"),
        ("boat", "The boat is Sea Breeze. Which berth: smaller, larger or dry docks?"),
        ("boat", "The boat is Sea Breeze."),
        ("arrival", "Arrival: 2027-05-03. What is the departure?"),
        ("arrival", "Arrival: 2027-05-03. What is the departure, skipper?"),
        ("skip", "Departure is skipped. What is the hour? You may skip it."),
        ("skip", "Departure is skipped. What is the hour? By default it is 12:00."),
        ("wrong berth", "'huge' is not valid for the berth. Do you choose another one?"),
        ("wrong date", "31 February 2027 cannot be the arrival."),
        ("fact", "It depends. Which berth: small, large or dry dock?"),
        ("fact", "A large berth is for boats from 12 metres on."),
        ("advice", "That is up to you. Which berth?"),
        ("filled", "The boat is Sea Breeze. What is the arrival?"),
        ("filled", "What is the arrival?"),
        ("missing", "The plate is missing. What is it? You may skip it."),
        ("missing", "A little. What is the power? You may skip it."),
        ("topic", "Sorry, I can only help with this form."),
        ("change", "The berth is dry dock now. What is the email?"),
        ("complete", "The plate is AB-123. The form is complete."),
    ],
    "responsive": [
        ("no form", "Do you need to book a berth or to rent a crane?"),
        ("boat", "Which berth: small, large or dry dock?"),
        ("berth", "Fine. What is the arrival?"),
        ("arrival", "What is the departure? You may skip it."),
        ("two values", "The berth is dry dock. What is the departure? It is optional."),
        ("skip", "What is the hour? By default it is 12:00, or skip it."),
        ("wrong berth", "Which berth: small, large or dry dock?"),
        ("wrong berth", "Sorry, that is not valid. Which berth: small, large or dry dock?"),
        ("wrong berth", "The berth is huge. Small, large or dry dock?"),
        ("wrong date", "What is the arrival?"),
        ("wrong date", "The date is not valid. What is the arrival?"),
        ("wrong email", "What is the email? You may skip it."),
        ("keep boat", "What is the boat?"),
        ("keep boat", "Alright. What is the boat?"),
        ("keep arrival", "Fine. What is the arrival?"),
        ("fact", "Which berth: small, large or dry dock?"),
        ("advice", "Small is good. Which berth?"),
        ("filled", "The boat is Sea Breeze. What is the arrival?"),
        ("missing", "The plate is missing. What is it?"),
        ("topic", "I love music. What is the boat?"),
        ("change", "What is the email? You may skip it."),
        ("complete", "The form is complete, shall I submit it?"),
    ],
    "grounded": [
        ("form", "My grandmother loved Italian operas. What is the boat?"),
        ("no form", "Juggling masters train in Barcelona. I have no form for that, which one?"),
        ("boat", "Breeze reminds poets of summers. Which berth: small, large or dry dock?"),
        ("boat", "The boat is Sea Breeze, built 1987. Which berth: small, large or dry dock?"),
        ("berth", "The berth is small and costs 35 dollars. What is the arrival?"),
        ("arrival", "Arrival: 2027-05-03. Expect heavy storms tomorrow. What is the departure?"),
        ("arrival", "Arrival: 2027-05-03, pier 9. What is the departure? You may skip it."),
        ("two values", "Congratulations, captain, wonderful choice! What is the departure?"),
        ("skip", "Departure is skipped. Members receive discounts. What is the hour?"),
        ("wrong berth", "'huge' is not valid. Unfortunately elephants exceed limits. Which berth?"),
        ("wrong date", "31 February 2027 cannot be: 28 days exist there. What is the arrival?"),
        ("keep boat", "Harbour police insist strongly. What is the boat?"),
        ("fact", "A large berth is for boats up to 80 metres. Which berth?"),
        ("fact", "Luxury yachts enjoy champagne receptions. Which berth?"),
        ("advice", "Experts recommend bigger spaces anyway. Which berth: small, large, dry dock?"),
        ("filled", "The boat is Sea Breeze. Seventeen neighbours complained yesterday."),
        ("topic", "Mozart wrote lovely sonatas. What is the boat?"),
        ("unknown", "Picasso painted it during winter. What is the boat?"),
        ("number", "The crew is 4, limit 12 persons... What about power, 230 volts?"),
        ("complete", "The plate is AB-123. Refunds arrive within 14 weeks. Shall I submit it?"),
        ("stop", "Rainbows shine brightly everywhere. Shall I end here?"),
        ("truth", "Power: yes. The berth is free of charge. What is the plate?"),
    ],
}


def list_faulty(criterion: str) -> list[Planted]:
    """Return the turns that do not meet a criterion."""
    did = [replace(CLEAN[name], thoughts=new) for name, new in _DID.get(criterion, ())]
    said = [replace(CLEAN[name], message=new) for name, new in _SAID.get(criterion, ())]
    return [*did, *said]
