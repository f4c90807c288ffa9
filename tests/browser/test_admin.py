"""The admin as a person uses it, in a real browser on a whole platform.

Needs a Chromium (Debian: `apt-get install chromium`); skipped where there is none, failed in CI. With
METRONIX_SCREENSHOTS set to a folder (`make screenshots` sets docs/images) it leaves pictures of the pages there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser import chromium, log_in
from tests.browser.scene import Agent, furnish
from tests.support.live import LivePlatform

SCREENSHOTS = os.environ.get("METRONIX_SCREENSHOTS", "")
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 400, "height": 800}
LISTS = ["memory/memoryrecord", "memory/session", "memory/machineevent", "memory/delivery"]
LISTS += ["metronix/agent", "metronix/workspace", "metronix/user", "metronix/apikey"]


@pytest.fixture(scope="module")
def login(live_platform: LivePlatform) -> tuple[str, str]:
    """The first administrator, as `up` printed it."""
    found = re.search(r"(\S+@\S+) / (\S+)\s+\(shown once", live_platform.printed())
    assert found, live_platform.printed()
    return found[1], found[2]


@pytest.fixture(scope="module")
def furnished(live_platform: LivePlatform) -> dict[str, str]:
    """Memories, some of which are meant to break the pages."""
    return furnish(live_platform.base_url)


@pytest.fixture
def page(live_platform: LivePlatform, login: tuple[str, str]) -> Iterator[Page]:
    """A logged-in browser; an error in any script or a file that is missing fails the test."""
    problems: list[str] = []
    with chromium() as browser:
        page = browser.new_context(viewport=WIDE, base_url=live_platform.base_url, reduced_motion="reduce").new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "response",
            lambda answer: problems.append(f"{answer.status} {answer.url}") if answer.status in (404, 500) else None,
        )
        log_in(page, live_platform.base_url, *login)
        yield page
    assert problems == []


def picture(page: Page, name: str) -> None:
    if SCREENSHOTS:
        Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
        page.wait_for_timeout(300)
        page.screenshot(path=Path(SCREENSHOTS) / f"admin-{name}.png")


def test_a_key_is_made_and_an_edit_becomes_a_version(
    page: Page, furnished: dict[str, str], live_platform: LivePlatform
) -> None:
    page.get_by_role("link", name="API keys").click()
    page.goto("/admin/metronix/apikey/add/")
    page.locator("#select2-id_workspace-container, .select2-selection").first.click()
    page.get_by_role("option", name="MTRNIX").click()
    page.get_by_label("Label").fill("browser")
    page.get_by_role("button", name="Save", exact=True).click()
    secret = page.get_by_label("API key for MTRNIX").input_value()
    assert re.fullmatch(r"mtk_[0-9a-f]{64}", secret)
    stored = Agent(live_platform.base_url, secret).store("courier", "The courier comes on Mondays at nine.")
    page.get_by_role("link", name="I have it").click()
    assert secret not in page.content()

    page.get_by_role("link", name="Records").click()
    # Other tests on this platform make workspaces of their own, and meaning is searched in one.
    page.goto("/admin/memory/memoryrecord/?workspace__id__exact=MTRNIX")
    page.get_by_placeholder("What should it be about? Or an id").fill("when does the courier come?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("best matches")
    page.get_by_role("link", name="The courier comes on Mondays").first.click()
    assert stored in page.url
    page.locator("summary", has_text="Edit").click()
    page.get_by_role("textbox", name="Content").fill("The courier comes on Tuesdays at nine.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#record-content")).to_have_text("The courier comes on Tuesdays at nine.")
    expect(page.get_by_text("Content changed: version 1 became 2")).to_be_visible()
    expect(page.locator("del")).to_have_text("Mondays")
    expect(page.locator("ins")).to_have_text("Tuesdays")
    page.get_by_role("button", name="Undo the last change of content").click()
    expect(page.locator("#record-content")).to_have_text("The courier comes on Mondays at nine.")
    page.get_by_role("button", name="Archive").click()
    expect(page.get_by_text("Now archived.")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_the_window(page: Page, furnished: dict[str, str], scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    pages = ["", *(f"{name}/" for name in LISTS), "metronix/apikey/add/", "metronix/user/add/"]
    pages += [f"memory/memoryrecord/{key}/change/" for key in furnished.values()]
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        for address in pages:
            page.goto(f"/admin/{address}")
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["width"], (address, size, width)
            assert "owned" not in page.title()


def test_every_field_has_a_label_and_can_be_reached_by_keyboard(page: Page, furnished: dict[str, str]) -> None:
    for address in ("metronix/user/add/", f"memory/memoryrecord/{furnished['first']}/change/"):
        page.goto(f"/admin/{address}")
        unnamed = page.evaluate(
            """() => [...document.querySelectorAll('#main input, #main textarea, #main select, #main button')]
                .filter(e => e.type !== 'hidden' && e.offsetParent && !e.labels?.length && !e.getAttribute('aria-label')
                    && !e.textContent.trim() && !e.title && !e.classList.contains('select2-search__field'))
                .map(e => e.outerHTML.slice(0, 200))"""
        )
        assert unnamed == [], address
    page.locator("summary", has_text="Edit").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="Content")).to_be_focused()


def test_pictures(page: Page, furnished: dict[str, str]) -> None:
    record = f"/admin/memory/memoryrecord/{furnished['first']}/change/"
    for name, address in {"dashboard": "/admin/", "records": "/admin/memory/memoryrecord/", "record": record}.items():
        for suffix, size in {"": WIDE, "-narrow": NARROW}.items():
            page.set_viewport_size(size)
            assert page.goto(address).status == 200  # type: ignore[union-attr]
            picture(page, name + suffix)
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="dark")
    page.goto(record)
    picture(page, "record-dark")
    page.emulate_media(color_scheme="light")
    for name, address in {
        "users": "metronix/user/",
        "key": "metronix/apikey/add/",
        "events": "memory/machineevent/",
    }.items():
        page.goto(f"/admin/{address}")
        picture(page, name)
