"""Extensions of Sphinx: `course` is the site's own."""
