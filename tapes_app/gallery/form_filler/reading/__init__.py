"""How the scripts understand a user, by rules over general English and the form's own words."""
