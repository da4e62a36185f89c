"""The URL of a fork that has not set one: its buttons, links and commands refer to the fork itself.

`make set-url` writes the URL into every file. Until then the files contain OWNER, and the build uses the URL that
CI or git's origin gives.
"""

from tools.build.addresses import repository_address


def find(app, config):
    options = config.html_theme_options
    app.stated_address = options["repository_url"]
    options["repository_url"] = repository_address(app.stated_address, app.confdir)


def own(app, text):
    """Replace the stated repository URL in a text with this repository's."""
    return text.replace(app.stated_address, app.config.html_theme_options["repository_url"])


def show(app, pagename, templatename, context, doctree):
    context["body"] = own(app, context.get("body", ""))
