"""The course's own Sphinx extension: what Jupyter Book does not do by itself, and a reader would miss.

The modules of this package do the work; this file alone says when. Sphinx calls the listeners of an event in the
order in which they were connected. `_config.yml` lists this extension last, so each of them comes after those of
MyST-NB and of the theme.
"""

import gc

from _ext.course import (
    api_reference,
    chapter_head,
    code_folds,
    drawings,
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
    term_index,
    warning_locations,
    widget_assets,
)

HOOKS = (
    # event, listener, why, and why there
    ("config-inited", drawings.draw_in_kernels, "kernels draw each plot for day, night, page and phone"),
    ("config-inited", formulas.use_renderer, "formulas are HTML when the page arrives"),
    ("config-inited", public_address.find, "a fork's buttons lead to the fork; before the theme reads it"),
    ("config-inited", notebook_edition.name_branch, "the buttons of a page open the plain notebooks"),
    (
        "config-inited",
        site_assets.key_on_sources,
        "an edit of lib executes again, one of `_ext` reads again",
    ),
    (
        "builder-inited",
        execute_ahead.execute_ahead,
        "chapters execute in parallel, before the first is read",
    ),
    ("builder-inited", formulas.start, "node loads MathJax while Sphinx reads"),
    ("builder-inited", site_assets.collect_assets, "pages load everything from the site itself"),
    ("source-read", ledger_page.fill_page, "the ledger is Markdown before it is parsed"),
    ("autodoc-process-docstring", api_reference.link, "eq:… and doi:… become links; before napoleon's 500", 400),
    ("autodoc-skip-member", api_reference.skip_fields, "fields of a named tuple are documented once"),
    ("doctree-read", code_folds.name_folds, "a fold says what it holds"),
    ("doctree-read", search_sections.read_sections, "the search finds sections; before letters get colours"),
    ("doctree-read", role_colors.color_formulas, "letters are coloured by role, and a legend names them"),
    ("doctree-read", chapter_head.fold_head, "a chapter opens with its idea; folds the legend too, so after it"),
    ("env-check-consistency", search_sections.write_sections, "before a page names the file"),
    ("html-page-context", social_card.describe, "a shared link shows a title, a sentence and a picture"),
    ("html-page-context", public_address.show, "the commands of a page name the fork, too"),
    ("html-page-context", search_sections.load_search, "two pages search"),
    ("html-page-context", site_assets.load_parts, "a page loads the scripts it has a place for"),
    (
        "html-page-context",
        widget_assets.share_parts,
        "pages share code and photographs; after MyST-NB",
    ),
    ("html-page-context", site_assets.finish_parts, "no script delays the page; after the last was added"),
    ("html-page-context", slides.add_deck, "a deck takes its chapter's scripts, so it comes last"),
    ("html-collect-pages", slides.pages, "two decks per chapter"),
    ("build-finished", formulas.finish, "style sheet and fonts of the formulas that pages use"),
    ("build-finished", notebook_edition.write_edition, "the notebooks that people run"),
    ("build-finished", site_assets.drop_unused, "nothing is published that no page loads"),
    (
        "build-finished",
        site_headers.write_headers,
        "what a server should send; after all pages are written",
    ),
)
# In this order, after Sphinx has resolved references and images: a mark beside an equation, images, whole lines.
POST_TRANSFORMS = (ledger_page.MarkEquations, drawings.Drawings, line_breaks.LineBreaks)


def setup(app):
    gc.disable()  # a build keeps nearly all that it makes, and to look through it takes a quarter of the time
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
