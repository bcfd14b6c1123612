"""An agent that makes a company and its forms, as data for the assistants of this folder."""
