"""`python manage.py NAME`."""
