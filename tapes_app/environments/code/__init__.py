"""Python code of models, interpreted apart from the studio; its variables are on the tape."""
