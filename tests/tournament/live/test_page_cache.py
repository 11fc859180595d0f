"""Pages of events are made once for all who ask at the same time, and kept within limits."""

import asyncio
import http
from functools import partial

from photofinish.tournament.director.page_cache import LARGEST, MOST, Page, PageCache
from tests.waiting import until, within


class Counted:
    """A page of this size that counts how often it was made."""

    def __init__(self, size: int) -> None:
        self._size, self.made = size, 0

    def __call__(self) -> Page:
        self.made += 1
        return Page(http.HTTPStatus.OK, b"x" * self._size, "text/plain")


async def test_the_last_large_page_is_kept_for_readers_that_must_try_again() -> None:
    cache, first, second = PageCache(), Counted(LARGEST + 1), Counted(LARGEST + 1)
    for _ in range(2):
        await cache.page("first", first)
    assert first.made == 1

    await cache.page("second", second)
    await cache.page("first", first)

    assert (first.made, second.made) == (2, 1), "only one is kept"


async def test_of_small_pages_the_last_ones_used_are_kept() -> None:
    cache = PageCache()
    pages = [Counted(10) for _ in range(MOST + 1)]
    for number, page in enumerate(pages):
        await cache.page(number, page)
        await cache.page(0, pages[0])
    for number, page in enumerate(pages):
        await cache.page(number, page)

    assert pages[0].made == 1, "it was used again and again"
    assert pages[1].made == 2, "it was the oldest when one too many came"


async def test_no_page_waits_for_an_export_and_exports_wait_for_each_other() -> None:
    cache, begun, may_end = PageCache(), [], asyncio.Event()

    async def export(name: str) -> Page:
        begun.append(name)
        async with within("the export may end"):
            await may_end.wait()
        return Page(http.HTTPStatus.OK, b"x", "application/zip")

    exports = [asyncio.create_task(cache.export(name, partial(export, name))) for name in ("one", "two")]
    await until(lambda: bool(begun), "an export is being made")
    async with within("a page is made beside it"):
        await cache.page("page", Counted(10))
    assert begun == ["one"]

    may_end.set()
    await asyncio.gather(*exports)
    assert begun == ["one", "two"]
