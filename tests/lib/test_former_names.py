"""Former names: each still works and warns with the current name."""

from importlib import import_module

import pytest

from lib.former_names import FORMER_NAMES, REMOVED
from lib.language_model import load

OF_MODULES = [(place, *names) for place in FORMER_NAMES if "." in place for names in FORMER_NAMES[place].items()]


@pytest.mark.parametrize("module, former, name", OF_MODULES)
def test_former_name_returns_current_object(module, former, name):
    module = import_module(module)
    assert former not in vars(module)
    with pytest.warns(DeprecationWarning, match=f"'{former}' is now called '{name}'"):
        assert getattr(module, former) is vars(module)[name]
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = module.nonsense


@pytest.mark.parametrize("name", REMOVED)
def test_removed_import_says_what_to_use(name):
    module, attribute = name.rsplit(".", 1)
    statements = [f"from {module} import {attribute}"]
    if attribute.islower():  # a module; some share their name with a function, which is imported instead
        statements = [f"import {name}", f"from {name} import something"]
    for statement in statements:
        with pytest.raises(ImportError, match=REMOVED[name].partition(":")[0]):
            exec(statement, {})


def test_unknown_import_keeps_usual_error():
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'lib\.filters\.nonsense'$"):
        import_module("lib.filters.nonsense")
    with pytest.raises(ImportError, match="cannot import name 'nonsense'"):
        exec("from lib.random_features.attention import nonsense", {})


def test_former_kernel_name_gives_same_run():
    model = load()
    tokens = model.encode("The King")
    expected = model.run(tokens, {"all": ("position", 2.0)}).logits
    with pytest.warns(DeprecationWarning, match="'place' is now called 'position'"):
        result = model.run(tokens, {"all": ("place", 2.0)}).logits
    assert (result == expected).all()
