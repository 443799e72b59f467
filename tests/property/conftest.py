"""Hypothesis without a clock: how long an example takes is the machine's business."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "treeglass", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("treeglass")
