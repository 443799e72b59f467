"""The playground's agent, and the scripted models that it may ask."""

from collections.abc import Iterator

import pytest

from tests.browser.playground.agent_view import AgentView, serve_providers
from tests.browser.playground.playground_page import Playground


@pytest.fixture
def agent(playground: Playground) -> AgentView:
    """The agent's panel, as at a first visit."""
    return AgentView(playground)


@pytest.fixture(scope="session")
def providers() -> Iterator[str]:
    """The origin of the scripted models."""
    with serve_providers() as origin:
        yield origin
