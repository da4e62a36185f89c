"""The browser edition, and tools for a new edition: versions, vulnerabilities, URL, chapters."""
