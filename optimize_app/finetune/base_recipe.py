"""How the tiny demo base is made: everything that determines its weights."""

import hashlib
from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from optimize_app.finetune.trainer.base_corpus import list_documents
from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.documents import Document, write_document
from optimize_app.finetune.trainer.far_documents import list_far
from optimize_app.training_sets.samples import Span, TextExample
from tapes_app.engine.frozen_model import FrozenModel

BASE_KIND = "base_model"
_DOCUMENTS_PER_EXAMPLE = 3
_BATCH = 8
_HELD_OUT = 64
_FAR_FROM = 0.3
_FAR_OF, _NEAR = 4, 1
"""Of four examples after the short ones, one is still of short documents."""
_CONTEXT_WEIGHT = 0.1
"""Weight of tokens that cannot be predicted: names and values that are made up on the spot."""


class BaseRecipe(FrozenModel):
    """The request for a base model; the same recipe always gives the same model."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$")] = (
        "tiny-base"
    )
    """Name of its folder among the base models."""

    steps: int = Field(default=2400, ge=1, le=1_000_000)
    width: int = Field(default=128, ge=32, le=4096, multiple_of=32)
    layers: int = Field(default=4, ge=1, le=64)
    vocabulary: int = Field(default=512, ge=300, le=65_536)
    learning_rate: float = Field(default=7e-3, gt=0, le=0.1)
    seed: int = Field(default=0, ge=0, lt=2**32)
    corpus: Literal[3] = 3
    """Edition of the documents to learn; it increases when they change, which gives another
    model."""

    reach: Literal["near", "far"] = "near"
    """far: after a first part, most documents are hundreds of tokens long, so that the model
    learns to look up what stands far away. It has half as many tokens again."""

    short_share: float = Field(default=_FAR_FROM, ge=0, le=1)
    """Share of the steps before far documents begin. Copying is learnt there, or not at all."""

    far_edition: Literal[1, 2] = 1
    """Which far documents; those of 2 ask more about what comes next and what is left."""

    @property
    def digest(self) -> str:
        """SHA-256 of everything that determines the weights; the name does not."""
        # Bases are older than these fields, and were made with their defaults.
        later = ("reach", "short_share", "far_edition")
        usual = {name: type(self).model_fields[name].default for name in later}
        left_out = {"name", *(name for name in later if getattr(self, name) == usual[name])}
        return hashlib.sha256(self.model_dump_json(exclude=left_out).encode()).hexdigest()

    def configure(self, blank: str) -> FinetuneConfig:
        """Return the trainer's config that starts from the random weights in folder `blank`."""
        return FinetuneConfig(
            base=blank,
            method="full",
            optimizer="muon",
            learning_rate=self.learning_rate,
            weight_decay=0.01,
            warmup_steps=min(40, self.steps // 10),
            final_fraction=0.01,
            steps=self.steps,
            batch_size=_BATCH,
            max_length=1024,
            tokens_per_pass=8192,
            order="given",  # easy documents come first
            checkpoint_every=200,
            evaluate_every=400,
            generations=4,
            generation_tokens=48,
            seed=self.seed,
        )

    def list_examples(self) -> Iterator[TextExample]:
        """Yield what is learnt, in order; each document is seen once, however long the run."""
        count = self.steps * _BATCH
        documents = list_documents(count * _DOCUMENTS_PER_EXAMPLE, self.seed)
        groups: Iterator[tuple[Document, ...]] = zip(
            *[documents] * _DOCUMENTS_PER_EXAMPLE, strict=False
        )
        far = list_far(count, self.seed, self.far_edition)
        for number, group in enumerate(groups):
            is_far = (
                self.reach == "far"
                and number >= count * self.short_share
                and number % _FAR_OF >= _NEAR
            )
            learnt = (next(far),) if is_far else group
            yield _join(f"base-{number}", [write_document(document) for document in learnt])

    def list_held_out(self) -> Iterator[TextExample]:
        """Yield documents of another seed, of which only the assistant's words count."""
        seed = self.seed + 1_000_003
        for number, document in enumerate(
            list_documents(_HELD_OUT, seed)
            if self.reach == "near"
            else chain(
                list_documents(_HELD_OUT // 2, seed),
                list_far(_HELD_OUT // 2, seed, self.far_edition),
            )
        ):
            text, spans = write_document(document)
            yield TextExample(
                id=f"held-out-{number}",
                text=text,
                spans=tuple(Span(start=start, end=end) for start, end in spans),
            )


class MadeBase(BaseRecipe):
    """What stands in the folder of a base: its recipe, and where it was made."""

    projects: tuple[UUID, ...] | None = None
    """Those that made it, and no other sees it; `None`: it is older than this list."""

    @property
    def recipe(self) -> BaseRecipe:
        return BaseRecipe(**self.model_dump(exclude={"projects"}))


def _join(name: str, written: list[tuple[str, list[tuple[int, int]]]]) -> TextExample:
    text, spans, at = "", [], 0
    for part, answers in written:
        for start, end in answers:
            begin = len(text) + start
            spans.append(Span(start=at, end=begin, weight=_CONTEXT_WEIGHT))
            spans.append(Span(start=begin, end=len(text) + end))
            at = len(text) + end
        text += part
    return TextExample(id=name, text=text, spans=tuple(spans))
