"""Answers of one host: each scene is mounted once, and then all of its calls are made."""

from collections import defaultdict
from dataclasses import replace

from tests.conformance.probes import probe_capabilities
from tests.conformance.recorded import Case, all_cases
from tests.conformance.scenes import Answer, Capability, Host
from tests.conformance.trees import Tree


class AnswerBook:
    """A host's answers to the recorded cases.

    Mounting for each case would take minutes in a browser; so all cases of a
    scene are asked together, when the first of them is.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self._cases: dict[tuple[Tree, str], list[Case]] = defaultdict(list)
        for case in all_cases():
            self._cases[case.scene.key].append(case)
        self._answers: dict[tuple[str, str], Answer | Exception] = {}
        self.capabilities = probe_capabilities(host)
        """The capabilities that the probes found."""

    def lacking(self, case: Case) -> list[Capability]:
        """Return the capabilities that a case needs and the host lacks."""
        return sorted(case.needs - self.capabilities)

    def answer(self, case: Case) -> Answer:
        """Return the host's answer to a case that it lacks nothing for.

        Raises:
            Exception: The error of the call, or of the mounting before it.
        """
        if (case.suite, case.id) not in self._answers:
            self._ask(case.scene.key)
        answer = self._answers[case.suite, case.id]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _ask(self, scene_key: tuple[Tree, str]) -> None:
        cases = [case for case in self._cases[scene_key] if not self.lacking(case)]
        scene = cases[0].scene
        if Capability.PIPES not in self.capabilities:
            # The calls that are left look at no pipe.
            scene = replace(scene, tree=scene.tree.without_pipes())
        answers: list[Answer | Exception]
        try:
            answers = self.host.answer(scene, [case.call for case in cases])
        except Exception as raised:  # noqa: BLE001  # kept, and raised for each case of the scene
            answers = [raised] * len(cases)
        for case, answer in zip(cases, answers, strict=True):
            self._answers[case.suite, case.id] = answer
