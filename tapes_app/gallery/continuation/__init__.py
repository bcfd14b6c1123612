"""An agent that goes on from any tape: it reads the steps and needs none of their code."""
