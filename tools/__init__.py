"""What builds the course, makes its editions, trained its models, and grades."""
