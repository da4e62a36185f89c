"""The address of a fork that nobody has set: its buttons, links and commands lead to itself.

`make set-url` writes the address into every file. Until then the files say OWNER, and what is built of them has
the address that CI or git's origin gives.
"""

from tools.build.addresses import repository_address


def find(app, config):
    options = config.html_theme_options
    app.stated_address = options["repository_url"]
    options["repository_url"] = repository_address(app.stated_address, app.confdir)


def own(app, text):
    """A text with this repository's address in place of the stated one."""
    return text.replace(app.stated_address, app.config.html_theme_options["repository_url"])


def show(app, pagename, templatename, context, doctree):
    context["body"] = own(app, context.get("body", ""))
