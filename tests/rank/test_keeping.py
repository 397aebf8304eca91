"""A folder that keeps what is done: nothing is done twice, and nothing is mixed."""

from __future__ import annotations

import pytest

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network
from latentlink.rank import Bisect, HeldOut, SilhouetteCutoff, find_rank
from latentlink.rank import ridge as ridge_module
from latentlink.rank import work as work_module
from latentlink.rank.checkpoint import kept_seed
from latentlink.regime import Bootstrap, KMeans, Regime, boolean, real
from latentlink.solvers import BNMF, LMF, RNMF, WNMF
from tests.rank.paths import assert_same_path, blocks, friends, products, small_plan

PLANS = {
    "real": lambda: small_plan(n_members=10),
    "biased, its ridge chosen": lambda: small_plan(solver=RNMF(max_iter=40), n_members=10),
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
def done(monkeypatch):
    """The tasks that are worked on: rank, and the first of the members."""
    tasks = []

    def watched(module):
        work = module.fit_members

        def fit_members(plan, rank, members):
            tasks.append((module.__name__.rsplit(".", 1)[1], rank, members[0]))
            return work(plan, rank, members)

        monkeypatch.setattr(module, "fit_members", fit_members)

    watched(work_module)
    watched(ridge_module)
    return tasks


def task_files(folder):
    return sorted(path.name for path in folder.glob("rank-*.npz"))


# -------------------------------------------------------------------- going on


@every_plan
def test_a_second_search_does_nothing_new_and_finds_the_same(make, tmp_path, done):
    first = find_rank(make(), (1, 2), HeldOut(), folder=tmp_path / "kept")
    assert len(done) >= 2
    done.clear()
    told = []
    second = find_rank(make(), (1, 2), HeldOut(), folder=tmp_path / "kept", callback=told.append)
    assert done == []
    assert_same_path(second.path, first.path)
    assert (second.choice, second.ridge) == (first.choice, first.ridge)
    assert second.solver.ridge == first.solver.ridge
    assert [each.done for each in told] == list(range(1, told[-1].total + 1))
    without = find_rank(make(), (1, 2), HeldOut())
    assert_same_path(without.path, first.path)


@every_plan
def test_only_what_is_missing_is_done_again(make, tmp_path, done):
    folder = tmp_path / "kept"
    first = find_rank(make(), (1, 2, 3), HeldOut(), folder=folder)
    lost = task_files(folder)[-1]
    (folder / lost).unlink()
    done.clear()
    again = find_rank(make(), (1, 2, 3), HeldOut(), folder=folder, n_jobs=2)
    assert done == [("work", 3, make().blocks[-1][0])]
    assert lost in task_files(folder)
    assert_same_path(again.path, first.path)


def test_there_is_one_file_a_task_besides_the_claim_and_the_ridge(tmp_path):
    plan = small_plan(solver=WNMF(max_iter=40), n_members=10)
    find_rank(plan, (1, 12), HeldOut(), folder=tmp_path / "new" / "kept")
    expected = {
        f"rank-{rank:04d}-members-{block[0]:03d}-{block[-1]:03d}.npz"
        for rank in (1, 12)
        for block in plan.blocks
    }
    assert {path.name for path in (tmp_path / "new" / "kept").iterdir()} == expected | {
        "search.npz",
        "ridge.npz",
    }


def test_a_search_that_was_cancelled_goes_on_where_it_stood(tmp_path, done):
    blocks_each = len(small_plan().blocks)
    tasks_each = blocks_each + 1

    def search(most):
        return find_rank(
            small_plan(),
            (1, 2, 3, 4),
            HeldOut(),
            folder=tmp_path,
            callback=lambda told: told.done < most * tasks_each,
        )

    search(2)
    assert [rank for _, rank, _ in done] == sorted([1, 2] * blocks_each)
    done.clear()
    assert search(99).complete
    assert [rank for _, rank, _ in done] == sorted([3, 4] * blocks_each)
    done.clear()
    cancelled = search(3.5)
    assert done == []
    assert not cancelled.complete
    assert 1 <= len(cancelled.path) < 4  # what is kept is counted too


def test_other_ranks_and_another_rule_may_use_the_same_folder(tmp_path, done):
    find_rank(small_plan(), (1, 3), HeldOut(), folder=tmp_path)
    done.clear()
    find_rank(small_plan(), Bisect(1, 5), SilhouetteCutoff(), folder=tmp_path)
    assert done
    assert not {1, 3} & {rank for _, rank, _ in done}


def test_the_ridge_is_chosen_once(tmp_path, done):
    plan = small_plan(solver=WNMF(max_iter=40))
    first = find_rank(plan, (1, 2), HeldOut(), folder=tmp_path)
    assert "ridge" in {module for module, _, _ in done}
    for name in task_files(tmp_path):
        (tmp_path / name).unlink()
    done.clear()
    second = find_rank(plan, (1, 2), HeldOut(), folder=tmp_path)
    assert {module for module, _, _ in done} == {"work"}
    assert second.ridge == first.ridge
    (tmp_path / "ridge.npz").unlink()
    assert find_rank(plan, (1, 2), HeldOut(), folder=tmp_path).ridge == first.ridge


def test_names_do_not_make_other_data(tmp_path, done):
    network = products()
    find_rank(small_plan(network=network), (1,), HeldOut(), folder=tmp_path)
    done.clear()
    named = Network(
        network.rows,
        network.cols,
        network.values,
        network.weights,
        shape=network.shape,
        row_names=[f"row {i}" for i in range(14)],
    )
    find_rank(small_plan(network=named), (1,), HeldOut(), folder=tmp_path)
    assert done == []


# -------------------------------------------------------------------- refusals

OTHERS = {
    "values": ({"network": products(seed=1)}, "other data"),
    "one value": ({"network": products().with_values(products().values + 1e-12)}, "other data"),
    "what is hidden": ({"network": products().hide([0])}, "other data"),
    "seed": ({"seed": 1}, "other settings"),
    "members": ({"n_members": 5}, "other settings"),
    "solver": ({"solver": WNMF(max_iter=41, ridge=0.01)}, "other settings"),
    "method": ({"solver": RNMF(max_iter=40, ridge=0.01)}, "other settings"),
    "regime": ({"regime": real(epsilon=0.02)}, "other settings"),
    "starts": ({"regime": real().set_params(starts=3)}, "other settings"),
    "both": ({"network": products(seed=1), "seed": 1}, "other data and other settings"),
    "what differs is named": (
        {"solver": WNMF(max_iter=41, ridge=0.01), "n_members": 5},
        r"other settings \(n_perturbs is 4 there, 5 here; solver__max_iter is 40 there, 41 here\)",
    ),
}


@pytest.mark.parametrize(("changes", "what"), OTHERS.values(), ids=OTHERS)
def test_another_search_is_refused_and_leaves_the_folder_alone(changes, what, tmp_path):
    find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(IncompatibleError, match=f"holds a search with {what}.*: its results cannot be mixed"):
        find_rank(small_plan(**changes), (1,), HeldOut(), folder=tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_more_ranks_go_on_with_the_ridge_that_was_chosen_for_the_first(tmp_path, done):
    plan = small_plan(solver=WNMF(max_iter=40))
    first = find_rank(plan, (1, 2), HeldOut(), folder=tmp_path)
    done.clear()
    more = find_rank(plan, (1, 2, 3), HeldOut(), folder=tmp_path)
    assert more.ridge == first.ridge
    assert {(module, rank) for module, rank, _ in done} == {("work", 3)}


def test_the_seed_of_a_search_is_kept(tmp_path):
    assert kept_seed(tmp_path) is None
    assert kept_seed(tmp_path / "nothing") is None
    find_rank(small_plan(seed=77), (1,), HeldOut(), folder=tmp_path)
    assert kept_seed(tmp_path) == 77


def test_a_file_of_another_rank_under_a_wrong_name_is_refused(tmp_path):
    find_rank(small_plan(), (1, 2), HeldOut(), folder=tmp_path)
    one, two = (next(tmp_path.glob(f"rank-000{rank}-*")) for rank in (1, 2))
    one.write_bytes(two.read_bytes())
    with pytest.raises(InputError, match=r"does not hold the \d+ members of rank 1 that its name says"):
        find_rank(small_plan(), (1, 2), HeldOut(), folder=tmp_path)


def test_another_version_is_refused(tmp_path, monkeypatch):
    find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
    monkeypatch.setattr("latentlink.rank.checkpoint.version", lambda name: "99.0")
    with pytest.raises(IncompatibleError, match=r"another version.*Name another folder, or delete that one"):
        find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path):
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(IncompatibleError, match="holds other files and no search; expected an empty folder"):
        find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letters.txt"]


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(IncompatibleError, match="is a file; expected a folder"):
        find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path / "letters.txt")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and then nothing"])
def test_a_damaged_file_is_refused_in_a_sentence(content, tmp_path):
    find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
    (tmp_path / task_files(tmp_path)[0]).write_bytes(content)
    with pytest.raises(InputError, match=r"rank-0001-members-000-\d+\.npz"):
        find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
