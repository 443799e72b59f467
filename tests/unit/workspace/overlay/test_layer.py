from treeglass.workspace.host import HostFileSystem
from treeglass.workspace.overlay.layer import OverlaidFileSystem


def test_no_question_about_a_proposed_tree_goes_to_the_disk_past_the_proposals() -> None:
    asked = {name for name in vars(HostFileSystem) if not name.startswith("_")}

    # Only `entries` of the disk scans.
    assert asked - vars(OverlaidFileSystem).keys() == {"scandir"}
