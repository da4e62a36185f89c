"""The built site in a real browser."""


def test_front_page_opens(site, page):
    page.goto(f"{site}/intro.html")
    assert "kernel regression" in page.title()
