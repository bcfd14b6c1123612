"""An agent that continues any tape: it reads the steps and needs none of their code."""
