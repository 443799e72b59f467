"""An address in a page names a file of the site, or is refused."""

from pathlib import Path

import pytest

from treeglass.authoring.addresses import file_at
from treeglass.authoring.demo import DemoInvalid, NotRecordable


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("shop.zip", "docs/shop.zip"),
        ("./a/../shop.zip?v=1&x=/../..#top", "docs/shop.zip"),
        ("../shop.zip", "shop.zip"),
        ("/shop.zip", "shop.zip"),
        ("%2e%2E/caf%C3%A9%20%25.zip", "café %.zip"),
        ("\n trees\\sh\nop.zip ", "docs/trees/shop.zip"),
        ("a+b.zip", "docs/a+b.zip"),
    ],
)
def test_an_address_is_resolved_as_a_browser_does(tmp_path: Path, address: str, file: str) -> None:
    (tmp_path / "docs").mkdir()

    assert file_at(address, tmp_path / "docs", tmp_path) == tmp_path / file


@pytest.mark.parametrize(
    ("address", "refused"),
    [
        pytest.param("../../x.zip", DemoInvalid, id="out of the root"),
        pytest.param("/../x.zip", DemoInvalid, id="out of the root from the root"),
        pytest.param("%2e%2e/%2e%2e/x.zip", DemoInvalid, id="out, percent-encoded"),
        pytest.param("..%2f..%2fx.zip", DemoInvalid, id="a slash in a name"),
        pytest.param("..%5c..%5cx.zip", DemoInvalid, id="a backslash in a name"),
        pytest.param("a%00.zip", DemoInvalid, id="a NUL"),
        pytest.param("%ff.zip", DemoInvalid, id="no UTF-8"),
        pytest.param("?x", DemoInvalid, id="a query alone"),
        pytest.param("trees/", DemoInvalid, id="a folder"),
        pytest.param("https://x.test/a.zip", NotRecordable, id="another host"),
        pytest.param("//x.test/a.zip", NotRecordable, id="another host, same protocol"),
        pytest.param("\\\\x.test/a.zip", NotRecordable, id="another host by backslashes"),
        pytest.param("data:,x", NotRecordable, id="data"),
        pytest.param("file:///etc/passwd", NotRecordable, id="a file by its protocol"),
    ],
)
def test_an_address_that_names_no_file_of_the_site_is_refused(
    tmp_path: Path, address: str, refused: type[Exception]
) -> None:
    (tmp_path / "docs").mkdir()

    with pytest.raises(refused):
        file_at(address, tmp_path / "docs", tmp_path)


def test_a_link_that_leads_out_of_the_root_is_refused(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "a.zip").write_text("x")
    (site / "out").symlink_to(tmp_path)
    (site / "inside.zip").symlink_to("b.zip")
    (site / "round").symlink_to("round")

    with pytest.raises(DemoInvalid) as refused:
        file_at("out/a.zip", site, site)

    assert str(refused.value) == (
        "'out/a.zip' leads out of the site's root through a link; replace the link by the tree"
    )
    assert [file_at(name, site, site) for name in ("inside.zip", "round")] == [
        site / "inside.zip",
        site / "round",
    ]


def test_a_name_that_no_disk_can_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DemoInvalid) as refused:
        file_at("a\ud800.zip", tmp_path, tmp_path)

    assert (
        str(refused.value) == r"'a\ud800.zip' has a name that no file can have; correct the address"
    )
