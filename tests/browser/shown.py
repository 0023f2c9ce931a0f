"""A view on a page, as a person meets it."""


class Page:
    """What every view shows."""

    def __init__(self, page):
        self.page = page
        self.root = page.locator(".seqviz").first
        self.stage = page.locator(".stage").first

    def __getitem__(self, name):
        return self.root.get_attribute(f"data-{name}")

    @property
    def sentence(self):
        return self.root.locator(".say").inner_text().replace("\u00a0", " ")

    @property
    def drawn(self):
        return self.stage.evaluate("s => [...s.querySelectorAll('text')].map(t => t.textContent)")
