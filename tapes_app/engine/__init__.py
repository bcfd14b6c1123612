"""Steps, tapes, nodes, agents and their orchestration: pydantic only."""
