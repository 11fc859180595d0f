"""One answer an id, whatever the asker does in between. Real sockets."""

from tests.attacks.house import house, knock
from tests.attacks.test_limits import ask


async def test_an_id_sent_again_after_leaving_opens_no_second_room(redis_url: str) -> None:
    async with house(redis_url) as app, knock(app) as one:
        await ask(one, 0, "hello", v=1, name="Ada")
        made = await ask(one, 1, "create", game="cambio")
        await ask(one, 2, "leave")

        assert await ask(one, 1, "create", game="cambio") == made
        assert len(app.directory) == 1


async def test_a_leave_sent_again_is_answered_as_before(redis_url: str) -> None:
    async with house(redis_url) as app, knock(app) as one:
        await ask(one, 0, "hello", v=1, name="Ada")
        await ask(one, 1, "create", game="cambio")
        left = await ask(one, 2, "leave")

        assert await ask(one, 2, "leave") == left
