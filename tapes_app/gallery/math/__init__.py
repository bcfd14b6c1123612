"""An agent that solves word problems sentence by sentence, with a calculator."""
