"""The tests, by kind. A module beside the folders is what several of them use."""
