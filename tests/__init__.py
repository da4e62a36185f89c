"""The tests, grouped by what they check. The modules beside the folders are shared helpers."""
