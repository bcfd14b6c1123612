"""Recipes of base models: what decides the weights, and what they learn."""

import json
from itertools import pairwise

from optimize_app.finetune.base_recipe import BaseRecipe
from optimize_app.finetune.trainer.far_documents import list_far


def test_a_recipe_of_an_earlier_studio_is_still_the_same() -> None:
    # A base whose recipe has another digest would have to be made again, under another name.
    assert BaseRecipe().digest.startswith("7287f388")
    assert BaseRecipe(reach="far").digest.startswith("94e009c7")
    assert BaseRecipe(reach="far", short_share=0.5).digest != BaseRecipe(reach="far").digest


def test_the_short_share_says_where_far_documents_begin() -> None:
    recipe = BaseRecipe(steps=20, reach="far", short_share=0.5)

    lengths = [len(example.text) for example in recipe.list_examples()]

    near = [len(example.text) for example in BaseRecipe(steps=20).list_examples()]
    assert lengths[:80] == near[:80]
    assert sum(lengths[80:]) > 1.5 * sum(near[80:])


def test_the_second_edition_asks_for_what_is_left() -> None:
    asked = 0
    for document in list_far(300, 1, edition=2):
        whole = "".join(turn.text for turn in document)
        for question, answer in pairwise(document):
            _, found, values = question.text.rpartition("First after ")
            if not found or answer.role != "assistant":
                continue
            asked += 1
            filled = json.loads(values)
            assert answer.text in whole
            assert answer.text not in filled
    assert asked > 100
    assert not any("First after" in turn.text for one in list_far(300, 1) for turn in one)
