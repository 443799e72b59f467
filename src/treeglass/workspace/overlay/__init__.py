"""The proposals over a workspace's mounts: what tools propose to change, and nothing writes."""
