"""Checkpoints: no task is computed twice, and results of two searches are never mixed."""

from __future__ import annotations

import pytest

from latentlink.errors import IncompatibleError, InputError
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.rank import Agreement, BestPrediction, Bisect, HeldOut, SilhouetteCutoff, find_rank
from latentlink.rank import ridge as ridge_module
from latentlink.rank import scheduler as scheduler_module
from latentlink.rank.checkpoint import stored_seed
from latentlink.rank.results import Member
from latentlink.regime import Bootstrap, KMeans, Regime, boolean, real
from latentlink.saving import load_file, save_file
from latentlink.solvers import BNMF, LMF, RNMF, WNMF
from tests.rank.paths import assert_same_path, blocks, friends, products, small_plan

PLANS = {
    "real": lambda: small_plan(n_members=10),
    "automatic ridge": lambda: small_plan(solver=RNMF(max_iter=40), n_members=10),
    "boolean": lambda: small_plan(
        network=blocks(), solver=BNMF(max_iter=60, ridge=0.5), regime=boolean(KMeans()), n_members=10
    ),
    "logistic": lambda: small_plan(
        network=friends(0.3), solver=LMF(max_iter=60, ridge=1.0), regime=Regime(perturb=Bootstrap())
    ),
}
every_plan = pytest.mark.parametrize("make", PLANS.values(), ids=PLANS)
pytestmark = pytest.mark.filterwarnings(
    "ignore:No rank is stable", "ignore:Rank . is not stable", "ignore::sklearn.exceptions.ConvergenceWarning"
)


@pytest.fixture
def computed(monkeypatch):
    """The tasks that are computed: module, rank, and the first of the members."""
    tasks = []

    def record_calls(module):
        original = module.fit_members

        def fit_members(plan, rank, members):
            tasks.append((module.__name__.rsplit(".", 1)[1], rank, members[0]))
            return original(plan, rank, members)

        monkeypatch.setattr(module, "fit_members", fit_members)

    record_calls(scheduler_module)
    record_calls(ridge_module)
    return tasks


def task_files(folder):
    return sorted(path.name for path in folder.glob("rank-*-members-*.npz"))


# -------------------------------------------------------------------- continuing a search


@pytest.mark.slow
@every_plan
def test_a_second_search_computes_nothing_and_returns_the_same(make, tmp_path, computed):
    first = find_rank(make(), (1, 2), HeldOut(), folder=tmp_path / "search")
    assert len(computed) >= 2
    computed.clear()
    reports = []
    second = find_rank(make(), (1, 2), HeldOut(), folder=tmp_path / "search", callback=reports.append)
    assert computed == []
    assert_same_path(second.path, first.path)
    assert (second.choice, second.ridge) == (first.choice, first.ridge)
    assert second.solver.ridge == first.solver.ridge
    assert [report.done for report in reports[:-1]] == list(range(1, reports[-1].total + 1))
    assert reports[-1].finished
    without_folder = find_rank(make(), (1, 2), HeldOut())
    assert_same_path(without_folder.path, first.path)


@pytest.mark.slow
@every_plan
def test_only_missing_tasks_are_computed_again(make, tmp_path, computed):
    folder = tmp_path / "search"
    first = find_rank(make(), (1, 3), HeldOut(), folder=folder)
    missing = task_files(folder)[-1]
    (folder / missing).unlink()
    computed.clear()
    second = find_rank(make(), (1, 3), HeldOut(), folder=folder, n_jobs=2)
    assert computed == [("scheduler", 3, make().blocks[-1][0])]
    assert missing in task_files(folder)
    assert_same_path(second.path, first.path)


@pytest.mark.slow
def test_there_is_one_file_per_task_and_one_each_for_settings_and_ridge(tmp_path):
    """Tasks are blocks of members, and trials of ridges at a rank."""
    plan = small_plan(solver=WNMF(max_iter=40), n_members=10)
    find_rank(plan, (1, 12), HeldOut(), folder=tmp_path / "new" / "search")
    expected = {
        f"rank-{rank:04d}-members-{block[0]:03d}-{block[-1]:03d}.npz"
        for rank in (1, 12)
        for block in plan.blocks
    }
    assert {path.name for path in (tmp_path / "new" / "search").iterdir()} == expected | {
        "search.npz",
        "ridge.npz",
        "rank-0001-ridges.npz",
        "rank-0012-ridges.npz",
    }


def test_a_cancelled_search_continues(tmp_path, computed):
    n_blocks = len(small_plan().blocks)
    n_tasks = n_blocks + 1

    def search(n_ranks):
        """Search until the tasks of a number of ranks are finished."""
        return find_rank(
            small_plan(),
            (1, 2, 3, 4),
            HeldOut(),
            folder=tmp_path,
            callback=lambda report: report.done < n_ranks * n_tasks,
        )

    search(2)
    assert [rank for _, rank, _ in computed] == sorted([1, 2] * n_blocks)
    computed.clear()
    assert search(99).complete
    assert [rank for _, rank, _ in computed] == sorted([3, 4] * n_blocks)
    computed.clear()
    cancelled = search(3.5)
    assert computed == []
    assert not cancelled.complete
    assert 1 <= len(cancelled.path) < 4  # tasks loaded from the folder are counted too


def test_other_ranks_and_another_rule_may_use_the_same_folder(tmp_path, computed):
    find_rank(small_plan(), (1, 3), HeldOut(), folder=tmp_path)
    computed.clear()
    find_rank(small_plan(), Bisect(1, 5), SilhouetteCutoff(), folder=tmp_path)
    assert computed
    assert not {1, 3} & {rank for _, rank, _ in computed}


def test_the_ridge_is_chosen_once(tmp_path, computed):
    plan = small_plan(solver=WNMF(max_iter=40))
    first = find_rank(plan, (1, 2), HeldOut(), folder=tmp_path)
    assert "ridge" in {module for module, _, _ in computed}
    for name in task_files(tmp_path):
        (tmp_path / name).unlink()
    computed.clear()
    second = find_rank(plan, (1, 2), HeldOut(), folder=tmp_path)
    assert {module for module, _, _ in computed} == {"scheduler"}
    assert second.ridge == first.ridge
    (tmp_path / "ridge.npz").unlink()
    assert find_rank(plan, (1, 2), HeldOut(), folder=tmp_path).ridge == first.ridge


def test_data_that_differ_in_names_only_are_the_same(tmp_path, computed):
    network = products()
    find_rank(small_plan(network=network), (1,), HeldOut(), folder=tmp_path)
    computed.clear()
    named = Network(
        network.rows,
        network.cols,
        network.values,
        network.weights,
        shape=network.shape,
        row_names=[f"row {i}" for i in range(14)],
    )
    find_rank(small_plan(network=named), (1,), HeldOut(), folder=tmp_path)
    assert computed == []


# -------------------------------------------------------------------- errors

OTHERS = {
    "values": ({"network": products(seed=1)}, "other data"),
    "one value": ({"network": products().with_values(products().values + 1e-12)}, "other data"),
    "hidden entries": ({"network": products().hide([0])}, "other data"),
    "seed": ({"seed": 1}, "other settings"),
    "members": ({"n_members": 5}, "other settings"),
    "solver": ({"solver": WNMF(max_iter=41, ridge=0.01)}, "other settings"),
    "method": ({"solver": RNMF(max_iter=40, ridge=0.01)}, "other settings"),
    "regime": ({"regime": real(epsilon=0.02)}, "other settings"),
    "starts": ({"regime": real().set_params(starts=3)}, "other settings"),
    "both": ({"network": products(seed=1), "seed": 1}, "other data and other settings"),
    "the message names the settings": (
        {"solver": WNMF(max_iter=41, ridge=0.01), "n_members": 5},
        r"other settings \(n_perturbs is 4 there, 5 here; solver__max_iter is 40 there, 41 here\)",
    ),
}


@pytest.mark.parametrize(("changes", "difference"), OTHERS.values(), ids=OTHERS)
def test_another_search_raises_and_leaves_the_folder_unchanged(changes, difference, tmp_path):
    find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(
        IncompatibleError, match=f"has a search with {difference}.*: its results cannot be mixed"
    ):
        find_rank(small_plan(**changes), (1,), HeldOut(), folder=tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_further_ranks_use_the_ridge_of_the_first_search(tmp_path, computed):
    plan = small_plan(solver=WNMF(max_iter=40))
    first = find_rank(plan, (1, 2), HeldOut(), folder=tmp_path)
    computed.clear()
    more = find_rank(plan, (1, 2, 3), HeldOut(), folder=tmp_path)
    assert more.ridge == first.ridge
    assert {(module, rank) for module, rank, _ in computed} == {("scheduler", 3)}


def test_the_seed_of_a_search_is_stored(tmp_path):
    assert stored_seed(tmp_path) is None
    assert stored_seed(tmp_path / "nothing") is None
    find_rank(small_plan(seed=77), (1,), HeldOut(), folder=tmp_path)
    assert stored_seed(tmp_path) == 77


def test_a_file_with_members_of_another_rank_raises(tmp_path):
    find_rank(small_plan(), (1, 2), HeldOut(), folder=tmp_path)
    one, two = (next(tmp_path.glob(f"rank-000{rank}-*")) for rank in (1, 2))
    one.write_bytes(two.read_bytes())
    with pytest.raises(InputError, match=r"does not have the \d+ members of rank 1 that its name says"):
        find_rank(small_plan(), (1, 2), HeldOut(), folder=tmp_path)


def test_another_version_of_the_library_raises(tmp_path, monkeypatch):
    find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
    monkeypatch.setattr("latentlink.rank.checkpoint.version", lambda name: "99.0")
    with pytest.raises(IncompatibleError, match=r"another version.*Name another folder, or delete that one"):
        find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)


def test_a_folder_with_other_files_raises_and_is_left_unchanged(tmp_path):
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(IncompatibleError, match="has other files and no search; expected an empty folder"):
        find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letters.txt"]


def test_a_file_instead_of_a_folder_raises(tmp_path):
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(IncompatibleError, match="is a file; expected a folder"):
        find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path / "letters.txt")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and then nothing"])
def test_a_damaged_file_raises_and_is_named(content, tmp_path):
    find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
    (tmp_path / task_files(tmp_path)[0]).write_bytes(content)
    with pytest.raises(
        InputError, match=r"rank-0001-members-000-\d+\.npz.* Delete the file to have it computed"
    ):
        find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
    (tmp_path / task_files(tmp_path)[0]).unlink()
    find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)  # the advice helps


def test_a_damaged_description_of_the_search_raises_with_advice(tmp_path):
    find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
    (tmp_path / "search.npz").write_bytes(b"no archive")
    with pytest.raises(InputError, match=r"search\.npz.* Name another folder, or delete that one\."):
        find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)


def test_a_folder_whose_ridge_was_chosen_by_another_error_raises(tmp_path):
    plan = small_plan(solver=WNMF(max_iter=20))
    find_rank(plan, (1, 2), HeldOut(), folder=tmp_path)
    find_rank(plan, (1, 2), Agreement(), folder=tmp_path)  # the same error, another rule
    with pytest.raises(
        IncompatibleError, match="error that chooses the ridge is members there, ensemble here"
    ):
        find_rank(plan, (1, 2), BestPrediction(), folder=tmp_path)
    given = small_plan(solver=WNMF(max_iter=20, ridge=0.1))
    find_rank(given, (1, 2), HeldOut(), folder=tmp_path / "given")
    assert find_rank(given, (1, 2), BestPrediction(), folder=tmp_path / "given").complete


# -------------------------------------------------------------------- files of two searches in one folder

ANOTHER = {
    "data": {"network": products(seed=1)},
    "settings": {"solver": WNMF(max_iter=41)},
    "seed": {"seed": 1},
}


@pytest.mark.parametrize("changes", ANOTHER.values(), ids=ANOTHER)
@pytest.mark.parametrize("kind", ["ridge", "trials", "members"])
def test_files_copied_from_the_folder_of_another_search_raise(tmp_path, kind, changes):
    """Two folders of the same shape, merged by rsync, gave the answers of the other data in silence."""
    plan = {"solver": WNMF(max_iter=40), "n_members": 10}
    for name, more in (("one", {}), ("other", changes)):
        find_rank(small_plan(**(plan | more)), (1, 2), HeldOut(), folder=tmp_path / name)
    copied = {"ridge": "ridge", "trials": "ridges", "members": "members"}[kind]
    names = [path.name for path in (tmp_path / "other").iterdir() if copied in path.name]
    assert names
    for name in names:
        (tmp_path / "one" / name).write_bytes((tmp_path / "other" / name).read_bytes())
    for name in ("ridge.npz", *task_files(tmp_path / "one")) if kind == "trials" else ():
        (tmp_path / "one" / name).unlink()  # so that trials are read
    with pytest.raises(
        IncompatibleError, match=r"is of another search.* Delete the file to have it computed"
    ):
        find_rank(small_plan(**plan), (1, 2), HeldOut(), folder=tmp_path / "one")
    for name in names:
        (tmp_path / "one" / name).unlink()
    assert find_rank(small_plan(**plan), (1, 2), HeldOut(), folder=tmp_path / "one").complete  # it helps


def test_files_of_the_same_search_in_two_folders_may_be_merged(tmp_path, computed):
    for name, ranks in (("one", (1,)), ("other", (2,))):
        find_rank(small_plan(), ranks, HeldOut(), folder=tmp_path / name)
    computed.clear()
    for path in (tmp_path / "other").glob("rank-*"):
        (tmp_path / "one" / path.name).write_bytes(path.read_bytes())
    find_rank(small_plan(), (1, 2), HeldOut(), folder=tmp_path / "one")
    assert computed == []


def test_a_file_that_does_not_say_of_which_search_it_is_raises(tmp_path):
    """As the library wrote them before."""
    find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
    path = tmp_path / task_files(tmp_path)[0]
    stored = load_file(path, "members", {each.__name__: each for each in (Factors, Member)})
    assert stored.keys() == {"search", "results"}
    for old in (stored["results"], {"results": stored["results"]}, stored | {"more": 1}):
        save_file(path, "members", old)
        with pytest.raises(
            IncompatibleError, match=r"does not say of which search it is, as .* earlier versi"
        ):
            find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
