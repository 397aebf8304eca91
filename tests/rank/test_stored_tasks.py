"""Tasks of a search in other processes: what is loaded, made, stored and waited for, in every state."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from latentlink.rank import stored_tasks
from latentlink.rank.stored_tasks import fit_and_store, try_and_store

KINDS = {
    "members": (fit_and_store, (2, range(0, 3)), "fit_members"),
    "trials": (try_and_store, (2,), "try_ridges"),
}


@dataclass
class Folder:
    """A checkpoint that notes what is asked of it; the result may be stored by others after some looks."""

    path: object
    is_visible: bool = True
    stored_after: float = float("inf")
    calls: list = field(default_factory=list)

    def _load(self, *task):
        self.calls.append("look")
        return ["theirs"] if self.calls.count("look") > self.stored_after else None

    members = trials = _load

    def _store(self, *task_and_result):
        self.calls.append(("store", *task_and_result))

    store_members = store_trials = _store

    def claim(self, *task):
        self.calls.append(("claim", *task))
        return self.path / ".task.claim"


@pytest.fixture(params=KINDS)
def run(request, monkeypatch):
    """Return a function that runs a kind of task, the task, and the notes of what it has done."""
    function, task, maker = KINDS[request.param]
    done = []
    monkeypatch.setattr(stored_tasks, maker, lambda plan, *of: done.append(("make", plan, *of)) or ["ours"])
    monkeypatch.setattr(stored_tasks, "wait_a_moment", lambda: done.append("wait"))
    return lambda *checkpoint_and_share: function("plan", *task, *checkpoint_and_share), task, done


def test_without_a_visible_folder_the_task_is_made_and_not_stored(run, tmp_path):
    call, task, done = run
    hidden = Folder(tmp_path, is_visible=False, stored_after=0)
    assert call(None) == call(hidden) == call(hidden, True) == ["ours"]
    assert done == [("make", "plan", *task)] * 3
    assert not hidden.calls


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_task_is_made_and_stored_once(run, tmp_path, is_shared):
    call, task, done = run
    folder = Folder(tmp_path)
    assert call(folder, is_shared) == ["ours"]
    assert done == [("make", "plan", *task)]
    claims = [("claim", *task)] if is_shared else []
    assert folder.calls == [*claims, "look", "look", ("store", *task, ["ours"])]
    assert not list(tmp_path.iterdir())  # the claim was released


def test_without_others_nothing_is_claimed_by_default(run, tmp_path):
    call, task, _ = run
    folder = Folder(tmp_path)
    call(folder)
    assert ("claim", *task) not in folder.calls


@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("after", [0, 1])
def test_a_stored_task_is_loaded_before_the_claim_or_just_after_it(run, tmp_path, is_shared, after):
    call, _, done = run
    folder = Folder(tmp_path, stored_after=after)
    assert call(folder, is_shared) == ["theirs"]
    assert done == []
    assert folder.calls.count("look") == after + 1
    assert not [each for each in folder.calls if each[0] == "store"]


@pytest.mark.parametrize("stored", [False, True])
def test_a_task_that_another_process_has_claimed_is_waited_for(run, tmp_path, stored):
    call, _, done = run
    (tmp_path / ".task.claim").touch()
    folder = Folder(tmp_path, stored_after=1 if stored else float("inf"))
    assert call(folder, True) == (["theirs"] if stored else None)
    assert done == ([] if stored else ["wait"])
    assert (tmp_path / ".task.claim").exists()
