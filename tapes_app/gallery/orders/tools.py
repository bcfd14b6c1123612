"""The tools of an order desk: orders are the environment's state, and each task brings its own.

The state is `{"orders": {"17": {"item": "lamp", "status": "open"}}}`; a status is `open`, `sent` or
`cancelled`.
"""

from copy import deepcopy
from typing import Any

from tapes_app.engine.environment.state import EnvironmentState
from tapes_app.engine.environment.tool_functions import tool

_FIRST_ORDERS: dict[str, Any] = {
    "17": {"item": "lamp", "status": "open"},
    "18": {"item": "chair", "status": "sent"},
}
"""The orders of a task that brings none."""


@tool
def show_order(number: str, state: EnvironmentState) -> str:
    """Show one order.

    Args:
        number: of the order
        state: of the environment
    """
    order = _find(state, number)
    return f"order {number} is a {order['item']}, {order['status']}"


@tool
def cancel_order(number: str, state: EnvironmentState) -> str:
    """Cancel an order that was not sent yet.

    Args:
        number: of the order
        state: of the environment
    """
    order = _find(state, number)
    if order["status"] != "open":
        raise ValueError(f"order {number} is {order['status']} and cannot be cancelled")
    order["status"] = "cancelled"
    return f"order {number} is cancelled"


def _find(state: EnvironmentState, number: str) -> dict[str, str]:
    orders: dict[str, dict[str, str]] = state.setdefault("orders", deepcopy(_FIRST_ORDERS))
    if number not in orders:
        raise ValueError(f"there is no order {number!r}; there are {', '.join(sorted(orders))}")
    return orders[number]
