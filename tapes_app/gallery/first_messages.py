"""A message to try each shipped agent with, which it answers by itself on its script."""

from collections.abc import Mapping

FIRST_MESSAGES: Mapping[str, str] = {
    "analyst": "Tell me about Vulcan in 3 sentences",
    "briefing": "Brief me on Vulcan Materials.",
    "chat": "How far is 5 km in miles, and what is 12 * (3 + 4)?",
    "data-science": "Compare the shares of Vulcan and Aster Mills.",
    "form_maker": "A bicycle rental named PedalCorp with 3 forms.",
    "form_student": "I want to book a charter flight, the cabin is coach.",
    "form_teacher": "I want to book a charter flight, the cabin is coach.",
    "improver": """{"steps": [
        {"kind": "user", "content": "Ann has 3 apples. She buys 4 more apples. How many apples?"},
        {"kind": "math_thought", "sentence": 1, "operation": "start"},
        {"kind": "math_calculation", "expression": "3"}, {"kind": "math_result", "result": "3"},
        {"kind": "math_thought", "sentence": 2, "operation": "subtract"},
        {"kind": "math_calculation", "expression": "3 - 4"}]}""",
    "math": "Ann has 3 apples. She buys 4 more. How many apples does she have?",
    "orders": "Please cancel order 17.",
    "questions": "In 2020, how many people lived on the island where Ada Fenwick was born?",
    "retrieval": "What does a single ferry ticket cost?",
    "web-tasks": 'Open "Assets in repair" from the menu.',
}
