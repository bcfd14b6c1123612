"""The shipped companies: sixty different forms, and test words that training never sees."""

from collections.abc import Iterable
from itertools import combinations

import pytest

from tapes_app.engine.errors import AgentConfigError
from tapes_app.gallery.form_filler.companies.generator import (
    VOCABULARIES,
    Company,
    Form,
    list_companies,
    make_company,
    make_form,
)
from tapes_app.gallery.form_filler.companies.made_up import list_made_up, make_up_vocabulary
from tapes_app.gallery.form_filler.companies.vocabulary import Choice
from tapes_app.gallery.form_filler.forms import FunctionSchema
from tapes_app.gallery.form_filler.steps import FunctionSchemaObservation

COMPANIES = [make_company(name) for name in VOCABULARIES]
MADE_UP = [make_company(name) for name in list_made_up(12)]
FORMS = [form for company in COMPANIES for form in company.forms]


def test_six_companies_have_ten_forms_each() -> None:
    assert [len(company.forms) for company in COMPANIES] == [10] * 6
    assert [company.name for company in list_companies("test")] == [
        "DriveCorp",
        "LuxuryCorp",
        "ShopCorp",
    ]


def test_no_two_forms_are_alike() -> None:
    slots = [frozenset(form.schema.slots) for form in FORMS]

    assert len({form.name for form in FORMS}) == len(FORMS)
    assert all(one != other for one, other in combinations(slots, 2))


@pytest.mark.parametrize(
    "form", [*FORMS, *(form for one in MADE_UP for form in one.forms)], ids=lambda form: form.name
)
def test_a_form_says_what_its_users_need(form: Form) -> None:
    schema = form.schema
    required = [name for name in schema.slots if schema.is_required(name, {})]

    assert FunctionSchemaObservation.from_form(schema).to_form() == schema
    assert 1 <= len(required) <= len(schema.slots) - 2
    assert {"categorical", "string", "date"} <= {slot.slot_type for slot in schema.slots.values()}
    for choice in form.slots.values():
        for option in choice.options if isinstance(choice, Choice) else ():
            assert f"{option.name} is the {option.trait}" in schema.description
    assert all(fact in schema.description for fact in form.facts.values())


def test_slots_of_every_type_occur_in_both_halves() -> None:
    for split in ("train", "test"):
        forms = [form.schema for company in list_companies(split) for form in company.forms]
        types = {slot.slot_type for form in forms for slot in form.slots.values()}
        assert len(types) == 9
        assert any(slot.pattern for form in forms for slot in form.slots.values())
        assert any(slot.default is not None for form in forms for slot in form.slots.values())
        assert any(form.rules for form in forms)


def _list_words(companies: Iterable[Company]) -> set[str]:
    words: set[str] = set()
    for company in companies:
        words |= {company.name, company.words.domain, *company.words.names}
        for form in company.forms:
            words |= {form.name, *form.schema.slots, form.request.thing}
            words |= {choice for slot in form.schema.slots.values() for choice in slot.enum or ()}
        words |= {sample for text in company.words.texts for sample in text.samples}
    return words


def test_nothing_of_the_test_companies_is_seen_in_training() -> None:
    words = _list_words(list_companies("test"))

    assert not words & _list_words(list_companies("train"))
    assert not words & _list_words(MADE_UP)


def test_no_two_companies_have_the_same_made_up_names() -> None:
    names = [_list_names(company) for company in MADE_UP]

    assert all(len(one) > 30 for one in names)
    assert all(len(one & other) <= 1 for one, other in combinations(names, 2))
    assert make_up_vocabulary("MadeUp3") == make_up_vocabulary("MadeUp3")


def _list_names(company: Company) -> set[str]:
    return {name for form in company.forms for name in (form.name, *form.schema.slots)}


def test_a_seed_makes_the_same_forms_and_another_one_makes_others() -> None:
    words = VOCABULARIES["FlyCorp"]
    again = [make_form(words, request, 0) for request in words.requests]
    others = [make_form(words, request, 1) for request in words.requests]

    assert again == list(make_company("FlyCorp").forms)
    assert not {_slots(form.schema) for form in others} & {_slots(form.schema) for form in again}


def _slots(form: FunctionSchema) -> tuple[str, ...]:
    return tuple(form.slots)


@pytest.mark.parametrize("seed", range(1, 40))
def test_whatever_the_seed_the_forms_can_be_filled_in(seed: int) -> None:
    for words in VOCABULARIES.values():
        for request in words.requests:
            make_form(words, request, seed)


def test_a_company_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(AgentConfigError, match="choose one of"):
        make_company("NoCorp")
    assert isinstance(make_company("ShopCorp"), Company)
