"""Reading whole streams in tests."""

from tapes_app.engine.model.llm import LLM, LLMDelta, LLMResult, Prompt


async def collect(llm: LLM, prompt: Prompt) -> tuple[list[LLMDelta], LLMResult]:
    """Return the deltas and the one result of an answer."""
    events = [event async for event in llm.stream(prompt)]
    *deltas, result = events
    assert isinstance(result, LLMResult)
    assert all(isinstance(delta, LLMDelta) for delta in deltas)
    return [delta for delta in deltas if isinstance(delta, LLMDelta)], result
