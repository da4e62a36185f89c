"""What this site takes from the inside of its dependencies, one module for each: look here when one is raised.

`tests/site/test_borrowed.py` says of each name what a reader would lose. What pages take from the theme's inside
stands in `templates`, and is tested there, too.
"""
