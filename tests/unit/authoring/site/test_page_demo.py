"""A demo on a page of a site has its tree in the site, and its answer if one is recorded."""

import gzip
from pathlib import Path

from treeglass.authoring.site.directive import parse_directive
from treeglass.authoring.site.page_demo import record_page_demo
from treeglass.authoring.site.tree_folder import TreeFolder


def test_a_tree_that_is_not_recorded_lies_in_the_site_and_is_warned_about(tmp_path: Path) -> None:
    source = tmp_path / "shop.tar.gz"
    source.write_bytes(gzip.compress(bytes(1024), mtime=0))
    directive = parse_directive("LS", {"tree": "shop.tar.gz"}, '{"path": "."}')
    trees = TreeFolder(tmp_path / "placed", tmp_path)

    demo = record_page_demo(directive, source, trees)

    assert demo.tree is not None
    assert trees.path(demo.tree).read_bytes() == source.read_bytes()
    assert demo.render("../") == (
        f'<treeglass-demo src="../{demo.tree.address}" tool="LS" '
        'arguments=\'{"path": "."}\'>\n'
        "<p>On click, this page fetches shop.tar.gz and shows what LS answers to "
        '{"path": "."}.</p>\n'
        "</treeglass-demo>"
    )
    assert demo.warnings == (
        (
            "'shop.tar.gz' is a tar archive, and only directories, zip archives and manifests are "
            "recorded here; make a zip with `treeglass pack`, or run the demo in a browser and "
            "paste its answer as <pre data-recorded>"
        ),
    )
