"""Projects, the people in them, and what every request and list shares."""
