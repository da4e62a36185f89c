"""The browser edition, and what an author runs for a new edition: versions, vulnerabilities, address, chapters."""
