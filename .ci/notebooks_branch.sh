#!/bin/sh
# Commit this tree to the branch `notebooks`, which Colab, Binder and pip open: with the notebooks that readers run,
# from _build/notebooks, and with the JavaScript of the live figures, so that none of them needs node.
set -e
git checkout -q -B notebooks
cp -R _build/notebooks/. .
git add --update
git add --force lib/figures/bundled
git -c user.name=publish -c user.email=publish@localhost commit -q --allow-empty -m "Notebooks in plain Markdown"
