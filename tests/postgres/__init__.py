"""PostgreSQL for tests: empties its tables in less time."""
