"""The course's Sphinx extension: everything the site needs beyond Jupyter Book.

The modules of this package do the work; this file only connects them to Sphinx's events. Sphinx calls an event's
listeners in the order in which they were connected. `_config.yml` lists this extension last, so its listeners run
after those of MyST-NB and of the theme.
"""

import gc

from _ext.course import (
    api_reference,
    chapter_head,
    code_folds,
    drawings,
    embed_pages,
    execute_ahead,
    formulas,
    ledger_page,
    line_breaks,
    notebook_edition,
    private_api,
    public_address,
    role_colors,
    search_sections,
    site_assets,
    site_headers,
    slides,
    social_card,
    tables,
    term_index,
    warning_locations,
    widget_assets,
)

HOOKS = (
    # event, listener, purpose and, where it matters, the reason for the order
    ("config-inited", drawings.draw_in_kernels, "kernels draw plots for both modes and three widths"),
    ("config-inited", formulas.use_renderer, "formulas are part of the page's HTML"),
    ("config-inited", public_address.find, "a fork's buttons link to the fork; before the theme reads the URL"),
    ("config-inited", notebook_edition.name_branch, "the buttons of a page open the plain notebooks"),
    (
        "config-inited",
        site_assets.key_on_sources,
        "edits of data execute notebooks again, edits in `_ext` read pages again",
    ),
    (
        "builder-inited",
        execute_ahead.execute_ahead,
        "chapters execute in parallel, before the first is read",
    ),
    ("builder-inited", formulas.start, "Node loads MathJax while Sphinx reads the sources"),
    ("builder-inited", site_assets.collect_assets, "pages load everything from the site itself"),
    ("env-get-outdated", execute_ahead.pages_to_read, "edits in lib read the pages that import the module"),
    ("env-before-read-docs", private_api.number_through_book, "Sphinx finds what changed"),
    ("env-get-updated", private_api.number_by_chapter, "Fig. 5.3; after Sphinx has numbered", 900),
    ("source-read", ledger_page.fill_page, "the ledger is Markdown before it is parsed"),
    ("autodoc-process-docstring", api_reference.link, "eq:… and doi:… become links; before napoleon's 500", 400),
    ("autodoc-skip-member", api_reference.skip_fields, "fields of a named tuple are documented only once"),
    ("doctree-read", code_folds.name_folds, "a collapsed cell says what it contains"),
    ("doctree-read", search_sections.read_sections, "the search finds sections; before symbols are coloured"),
    ("doctree-read", role_colors.color_formulas, "symbols are coloured by role, with a legend"),
    ("doctree-read", chapter_head.fold_head, "the chapter's header; after the legend, which it collapses"),
    ("env-check-consistency", search_sections.write_sections, "before a page refers to the file"),
    ("html-page-context", social_card.describe, "link previews show a title, a sentence and an image"),
    ("html-page-context", public_address.show, "commands on a page also use the fork's URL"),
    ("html-page-context", search_sections.load_search, "two pages search"),
    ("html-page-context", site_assets.load_parts, "a page loads only the scripts it uses"),
    (
        "html-page-context",
        widget_assets.share_parts,
        "pages share code and photographs; after MyST-NB",
    ),
    ("html-page-context", site_assets.finish_parts, "no script delays the page; after the last was added"),
    ("html-page-context", slides.add_deck, "last, because a deck uses its chapter's scripts"),
    ("html-collect-pages", slides.pages, "two decks per chapter"),
    ("build-finished", formulas.finish, "style sheet and fonts for the formulas in use"),
    ("build-finished", notebook_edition.write_edition, "the notebooks that people run"),
    ("build-finished", site_assets.drop_unused, "remove files that no page loads"),
    ("build-finished", embed_pages.write_pages, "each figure has a page of its own"),
    (
        "build-finished",
        site_headers.write_headers,
        "HTTP headers; after all pages are written",
    ),
)
# Post-transforms in order, after Sphinx has resolved references and images
POST_TRANSFORMS = (ledger_page.MarkEquations, drawings.Drawings, line_breaks.LineBreaks, tables.CountColumns)


def setup(app):
    gc.disable()  # a build keeps nearly all its objects, and scanning them takes a quarter of the time
    private_api.apply()
    warning_locations.install()
    for event, listener, _, *priority in HOOKS:
        app.connect(event, listener, *priority)
    app.add_transform(term_index.IndexTerms)
    for number, transform in enumerate(POST_TRANSFORMS):
        transform.default_priority = 800 + number
        app.add_post_transform(transform)
    chapter_head.add_nodes(app)
    formulas.add_renderer(app)
    site_assets.add_files(app)
    return {"env_version": 2, "parallel_read_safe": True, "parallel_write_safe": False}
