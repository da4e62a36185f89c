"""Build the course and its editions, train its models, and grade submissions."""
