"""Models joined by what they predict: LogisticHead and LinkStack."""

from __future__ import annotations

import warnings

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from latentlink import (
    BNMFk,
    LinkPredictor,
    LinkStack,
    LogisticHead,
    Network,
    NMFk,
    RankedFactorizer,
    RNMFk,
    WNMFk,
    load,
)
from latentlink.errors import DataWarning, IncompatibleError, InputError, RankWarning
from latentlink.stacking.inner_folds import ensemble_logits, inner_folds
from latentlink.stacking.graph_features import FEATURES, Neighbourhood
from latentlink.stacking.score_weights import learned_weights
from latentlink.factors import sigmoid
from latentlink.solvers import LMF, RNMF, WNMF, SymLMF
from latentlink.splitting import holdout
from tests.estimators.conftest import every_pair

FEW = {"n_perturbs": 3, "random_state": 0}
BASES = {
    "WNMFk": lambda: WNMFk((1, 2), solver=WNMF(ridge=0.1), **FEW),
    "RNMFk": lambda: RNMFk((2,), solver=RNMF(ridge=0.1), **FEW),
    "BNMFk": lambda: BNMFk((2,), **FEW),
}


def groups(size=30, seed=0):
    """An undirected network of three groups, half of its pairs known."""
    rng = np.random.default_rng(seed)
    group = np.arange(size) % 3
    links = rng.random((size, size)) < np.where(group[:, None] == group, 0.9, 0.1)
    pairs = [(i, j, int(links[i, j])) for i in range(size) for j in range(i + 1, size) if rng.random() < 0.5]
    return Network.from_edges(pairs, shape=(size, size), symmetric=True)


def two_kinds(seed=0):
    rng = np.random.default_rng(seed)
    X = ((rng.random((25, 2)) < 0.5) @ (rng.random((2, 18)) < 0.5) > 0) ^ (rng.random((25, 18)) < 0.1)
    return Network.from_dense(np.where(rng.random(X.shape) < 0.7, X, np.nan))


@pytest.fixture(scope="module", params=BASES)
def head(request):
    return LogisticHead(BASES[request.param]()).fit(groups())


@pytest.fixture(scope="module", params=["undirected", "two kinds of nodes"])
def stack(request):
    return LinkStack((1, 2), **FEW).fit(groups() if request.param == "undirected" else two_kinds())


def linear(member, rows, cols):
    """A member's score before the link, plainly."""
    total = np.einsum("pc,cp->p", member.W[rows], member.H[:, cols]) + member.offset
    if member.row_bias is not None:
        total = total + member.row_bias[rows] + member.col_bias[cols]
    return total


def both_ways(member, rows, cols):
    if not member.symmetric:
        return linear(member, rows, cols)
    return (linear(member, rows, cols) + linear(member, cols, rows)) / 2


# ---------------------------------------------------------------- the head


def test_members_of_a_head_are_sums_of_both_models(head):
    rows, cols = every_pair(head.network_.shape).T
    a, b, c = head.weights_
    expected = [
        sigmoid(a * both_ways(ours, rows, cols) + b * both_ways(theirs, rows, cols) + c)
        for ours, theirs in zip(head.estimator_.members_, head.lmf_.members_, strict=True)
    ]
    score, spread = head.predict_links(every_pair(head.network_.shape), return_std=True)
    np.testing.assert_allclose(score, np.mean(expected, axis=0), atol=1e-6)
    np.testing.assert_allclose(spread, np.std(expected, axis=0), atol=1e-6)


def test_the_papers_form_keeps_the_biases_of_lmf_alone():
    model = LogisticHead(BASES["WNMFk"](), form="paper").fit(groups())
    assert model.lmf_.rank_ == model.estimator_.rank_ == model.rank_
    base, lmf = model.estimator_.members_[0], model.lmf_.members_[0]
    rows, cols = every_pair(model.network_.shape).T
    product = np.einsum("pc,cp->p", base.W[rows], base.H[:, cols])
    back = np.einsum("pc,cp->p", base.W[cols], base.H[:, rows])
    biases = (lmf.row_bias[rows] + lmf.col_bias[cols] + lmf.row_bias[cols] + lmf.col_bias[rows]) / 2
    expected = sigmoid((product + back) / 2 + biases + lmf.offset)
    np.testing.assert_allclose(model.members_[0].score(rows, cols), expected, atol=1e-6)


def test_weights_are_learned_from_parts_hidden_from_all_members(head):
    parts = list(inner_folds(head.network_, head.estimator_.seed_))
    columns = [
        np.concatenate([ensemble_logits(model, part) for part in parts])
        for model in (head.estimator_, head.lmf_)
    ]
    values = np.concatenate([part.test.values for part in parts])
    used = head.weights_[:2] > 0
    fitted = LogisticRegression(C=np.inf, max_iter=10_000).fit(np.column_stack(columns)[:, used], values)
    np.testing.assert_allclose(head.weights_[:2][used], fitted.coef_[0], rtol=0.02, atol=0.02)
    np.testing.assert_allclose(head.weights_[2], fitted.intercept_[0], rtol=0.02, atol=0.05)
    whole = LogisticRegression(C=np.inf, max_iter=10_000).fit(np.column_stack(columns), values)
    np.testing.assert_array_equal(used, whole.coef_[0] > 0)  # what counts against itself is left out


def test_a_head_predicts_what_it_has_not_seen():
    split = holdout(groups(40), 0.2, 0)
    test = np.column_stack([split.test.rows, split.test.cols])
    model = LogisticHead(WNMFk((3,), n_perturbs=4, random_state=0)).fit(split.train)
    assert roc_auc_score(split.test.values, model.predict_links(test)) > 0.8


def test_both_are_fitted_with_one_seed_and_the_same_fit_comes_again():
    models = [LogisticHead(BASES["WNMFk"]()).fit(groups()) for _ in range(2)]
    np.testing.assert_array_equal(models[0].weights_, models[1].weights_)
    drawn = LogisticHead(WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=2)).fit(groups())
    assert drawn.estimator_.seed_ == drawn.lmf_.seed_


def test_parameters_of_both_models_can_be_set():
    head = LogisticHead()
    assert isinstance(head.set_params(estimator__solver__ridge=0.5).estimator, WNMFk)
    assert head.estimator.solver.ridge == 0.5
    given = LogisticHead(WNMFk((1,), **FEW), lmf=RankedFactorizer((2,), solver=LMF(ridge=1.0), **FEW))
    assert clone(given).fit(groups()).lmf_.rank_ == 2


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (LogisticHead(form="own"), "LogisticHead has form='own'; expected 'learned' or 'paper'"),
        (LogisticHead(WNMFk), "expected an object of type RankedFactorizer"),
        (LogisticHead(WNMFk((1,)), lmf=LMF()), "LogisticHead has lmf="),
        (LogisticHead(WNMFk((1,)), lmf=WNMFk((1,))), "whose loss is not logistic"),
        (LinkStack(models=[]), "expected factorizers such as"),
        (LinkStack(models=[LMF()]), "expected factorizers such as"),
        (LinkStack(models=WNMFk()), "in a list, at least one"),
    ],
    ids=repr,
)
def test_what_makes_no_sense_is_refused(wrong, sentence):
    with pytest.raises(IncompatibleError, match=sentence):
        wrong.fit(groups())


def test_real_values_are_refused():
    X = np.random.default_rng(0).random((6, 5))
    told = []
    for model in (LogisticHead(WNMFk((1,), solver=WNMF(ridge=0.1), **FEW)), LinkStack((1,), **FEW)):
        with pytest.raises(IncompatibleError, match=r"30 known values are others \(first: 0\."):
            model.fit(X, callback=told.append)
    assert not told  # before any work


@pytest.mark.parametrize("kept", [0.0, 1.0])
@pytest.mark.parametrize(
    "make",
    [lambda: LogisticHead(WNMFk((1,), solver=WNMF(ridge=0.1), **FEW)), lambda: LinkStack((1,), **FEW)],
    ids=["head", "stack"],
)
def test_too_few_of_a_kind_are_refused_before_any_work(make, kept):
    told = []
    network = groups()
    few = np.flatnonzero(network.values != kept)[19:]
    with pytest.raises(IncompatibleError, match=r"20 links and 20 non-links for that; .*19"):
        make().fit(network.hide(few), callback=told.append)
    assert not told
    with pytest.raises(IncompatibleError, match="; 0 and 0 are known"):
        make().fit(network.hide(np.arange(network.n_listed)))


def test_the_papers_form_learns_no_weights_and_takes_few_pairs():
    network = groups()
    few = network.hide(np.flatnonzero(network.values == 0)[5:])
    head = LogisticHead(WNMFk((1,), solver=WNMF(ridge=0.1), **FEW), form="paper").fit(few)
    assert 0 < head.predict_links([(0, 1)])[0] < 1


def test_a_score_that_counts_against_what_it_says_is_left_out():
    rng = np.random.default_rng(0)
    good = rng.normal(size=400)
    links = (rng.random(400) < sigmoid(2 * good)).astype(float)
    test = Network(np.zeros(400, int), np.arange(400), links, shape=(1, 400))
    noise = rng.normal(size=400)
    weights = learned_weights([np.column_stack([noise - good, good + noise])], [test])
    assert weights[0] == 0
    assert weights[1] > 0
    worse = learned_weights([-good[:, None]], [test])
    np.testing.assert_allclose(worse, [0, np.log(links.mean() / (1 - links.mean()))])


@pytest.mark.parametrize(
    "make",
    [
        lambda: LogisticHead(BASES["RNMFk"](), lmf=RankedFactorizer((1,), solver=SymLMF(), n_perturbs=3)),
        lambda: LinkStack(
            models=[BASES["WNMFk"](), RankedFactorizer((1,), solver=SymLMF(), n_perturbs=3)], random_state=0
        ),
    ],
    ids=["head", "stack"],
)
def test_a_plain_matrix_that_is_symmetric_is_an_undirected_network_to_all_models(make):
    rng = np.random.default_rng(0)
    group = np.arange(20) % 2
    A = np.triu(rng.random((20, 20)) < np.where(group[:, None] == group, 0.8, 0.2), 1)
    model = make().fit((A | A.T).astype(float))
    assert model.network_.symmetric
    np.testing.assert_allclose(model.predict_links([(0, 7)]), model.predict_links([(7, 0)]), rtol=1e-12)


@pytest.mark.parametrize("n_jobs", [2, 4])
def test_threads_change_nothing(n_jobs):
    pairs = every_pair((30, 30))
    for make in (lambda jobs: LinkStack((1,), n_jobs=jobs, **FEW), _head_of_jobs):
        one, other = (make(jobs).fit(groups()).predict_links(pairs) for jobs in (None, n_jobs))
        np.testing.assert_array_equal(one, other)


def _head_of_jobs(jobs):
    return LogisticHead(WNMFk((2,), solver=WNMF(ridge=0.1), n_jobs=jobs, **FEW))


def test_four_known_entries_are_enough_to_try():
    network = Network([0, 0, 1, 1], [0, 1, 0, 1], [1.0, 0.0, 0.0, 1.0], shape=(2, 2))
    assert [split.test.n_listed for split in inner_folds(network, 0)] == [1, 1, 1, 1]


def test_the_papers_form_has_the_bases_rank_whatever_was_set():
    head = LogisticHead(WNMFk((2,), solver=WNMF(ridge=0.1), **FEW), form="paper")
    head.set_params(lmf__solver__ridge=1.0, lmf__ranks=(1,))
    assert head.fit(groups()).lmf_.rank_ == 2


def test_ensembles_of_other_sizes_are_joined_with_a_warning():
    lmf = RankedFactorizer((1,), solver=LMF(ridge=1.0), n_perturbs=2)
    with pytest.warns(DataWarning, match="Models with 2 and 3 members are joined one by one"):
        head = LogisticHead(BASES["RNMFk"](), lmf=lmf).fit(groups())
    assert len(head.members_) == 2


# ---------------------------------------------------------------- the stack


def test_members_of_a_stack_are_forms_of_models_and_features(stack):
    rows, cols = every_pair(stack.network_.shape).T
    around = np.column_stack(Neighbourhood.of(stack.network_).features(rows, cols))
    expected = []
    for parts in zip(*(model.members_ for model in stack.models_), strict=True):
        table = np.column_stack([*(both_ways(part, rows, cols) for part in parts), around])
        expected.append(sigmoid(stack.stage_.value(list(table.T))))
    score, spread = stack.predict_links(every_pair(stack.network_.shape), return_std=True)
    np.testing.assert_allclose(score, np.mean(expected, axis=0), atol=1e-6)
    np.testing.assert_allclose(spread, np.std(expected, axis=0), atol=1e-6)
    assert stack.stage_.slopes.shape == (len(stack.models_) + len(FEATURES),)


def test_an_undirected_stack_has_one_answer_for_both_directions():
    model = LinkStack((1,), **FEW).fit(groups())
    assert [type(each.solver_) for each in model.models_] == [SymLMF, LMF, WNMF, RNMF]
    np.testing.assert_allclose(model.predict_links([(0, 7)]), model.predict_links([(7, 0)]), rtol=1e-12)


def test_the_best_pairs_of_a_stack_are_those_of_highest_score(stack):
    network = stack.network_
    best = stack.top_links(8)
    pairs = every_pair(network.shape)
    if network.symmetric:
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    known = set(zip(network.rows[network.known].tolist(), network.cols[network.known].tolist(), strict=True))
    free = np.array([pair for pair in pairs.tolist() if tuple(pair) not in known])
    scores = stack.predict_links(free)
    np.testing.assert_allclose(best["score"], np.sort(scores)[::-1][:8], atol=1e-9)


def test_explanations_add_up_to_the_logit(stack):
    parts = stack.explain((0, 3), by="model")
    np.testing.assert_allclose(
        sigmoid(parts["contribution"].sum()), stack.predict_links([(0, 3)], by="model")[0], atol=1e-9
    )
    assert parts["part"].tolist()[-1] == "constant"
    assert "paths of three of links" in parts["part"].tolist()


def test_a_stack_predicts_what_it_has_not_seen_and_its_probabilities_mean_something():
    split = holdout(groups(45), 0.2, 0)
    test = np.column_stack([split.test.rows, split.test.cols])
    model = LinkStack((2, 3), n_perturbs=4, random_state=0).fit(split.train)
    said = model.predict_links(test)
    assert roc_auc_score(split.test.values, said) > 0.8
    assert abs(said.mean() - split.test.values.mean()) < 0.1


def test_ranks_of_models_that_only_score_need_not_be_stable():
    noise = Network.from_dense((np.random.default_rng(0).random((20, 15)) < 0.5).astype(float))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        WNMFk((3, 4), **FEW).fit(noise)
        assert any(issubclass(each.category, RankWarning) for each in told)
        told.clear()
        LinkStack((3, 4), **FEW).fit(noise)
    assert not [each for each in told if issubclass(each.category, RankWarning)]


@pytest.mark.parametrize(
    "make", [lambda: LinkStack((1,), **FEW), lambda: LogisticHead(BASES["RNMFk"]())], ids=["stack", "head"]
)
def test_what_several_models_say_of_the_data_is_told_once(make):
    network = groups()
    alone = network.hide((network.rows == 4) | (network.cols == 4))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        make().fit(alone)
    sentences = [str(each.message) for each in told]
    assert len(set(sentences)) == len(sentences)
    assert sum(each.startswith("Nothing is known of 1 node (") for each in sentences) == 1
    assert {each.filename for each in told} == {__file__}


def test_models_can_be_chosen():
    chosen = [
        WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=3),
        RankedFactorizer((1,), solver=LMF(), n_perturbs=3),
    ]
    model = LinkStack(models=chosen, random_state=3).fit(groups())
    assert [type(each.solver_) for each in model.models_] == [WNMF, LMF]
    assert {each.seed_ for each in model.models_} == {3}
    assert not hasattr(chosen[0], "path_")


def test_a_background_takes_part_in_what_is_learned():
    links = groups()
    links = links.subset(links.known & (links.values == 1)).with_background(0.3)
    model = LinkStack((1,), **FEW).fit(links)
    rows, cols = np.triu_indices(30, 1)
    said = model.predict_links(np.column_stack([rows, cols]))
    listed = np.isin(rows * 30 + cols, links.rows * 30 + links.cols)
    weights = np.where(listed, 1.0, 0.3)
    share = listed.sum() / weights.sum()
    # These pairs took part in the fit, and look somewhat surer than those that its last stage learned from.
    assert abs(np.average(said, weights=weights) - share) < 0.15
    assert said[listed].mean() > share + 0.05


def test_inner_parts_of_a_background_are_as_the_whole_and_what_is_hidden_stays_hidden():
    links = groups()
    links = links.subset(links.known & (links.values == 1)).with_background(0.3)
    held = holdout(links, 0.2, 0, calibration=0.1).train
    code = held.rows * 30 + held.cols
    hidden, known = set(code[~held.known]), set(code[held.known])
    unlisted = 30 * 29 // 2 - held.n_listed
    splits = list(inner_folds(held, 0))
    tested = np.concatenate([split.test.rows * 30 + split.test.cols for split in splits])
    assert len(np.unique(tested)) == len(tested)
    assert known < set(tested)
    assert not hidden & set(tested)
    drawn = np.concatenate([split.test.weights[split.test.values == 0] for split in splits])
    np.testing.assert_allclose(drawn.sum(), 0.3 * unlisted)
    for split in splits:
        train = split.train
        codes = train.rows * 30 + train.cols
        assert set(codes[train.known]) == known - set(split.test.rows * 30 + split.test.cols)
        assert hidden <= set(codes[~train.known])
        # four fifths of the zeros' weight
        np.testing.assert_allclose(train.background * (30 * 29 // 2 - train.n_listed), 0.8 * 0.3 * unlisted)


def test_one_pair_in_the_background_is_tested_like_others():
    network = Network([0, 0, 1], [0, 1, 0], [1.0, 1.0, 0.0], shape=(2, 2)).with_background(0.5)
    splits = list(inner_folds(network, 0))
    tested = {(i, j) for split in splits for i, j in zip(split.test.rows, split.test.cols, strict=True)}
    assert tested == {(0, 0), (0, 1), (1, 0), (1, 1)}


@pytest.mark.parametrize("base", [NMFk, WNMFk])
def test_a_head_takes_a_background(base):
    links = groups()
    links = links.subset(links.known & (links.values == 1)).with_background(1.0)
    head = LogisticHead(base((2,), n_perturbs=2, random_state=0)).fit(links)
    assert 0 < head.predict_links([(0, 3)])[0] < 1


# ---------------------------------------------------------------- what all models can do


@pytest.fixture(params=[*BASES, "undirected", "two kinds of nodes"], scope="module")
def joined(request):
    """Each head and each stack in turn."""
    if request.param in BASES:
        return LogisticHead(BASES[request.param]()).fit(groups())
    return LinkStack((1, 2), **FEW).fit(groups() if request.param == "undirected" else two_kinds())


def test_a_loaded_model_answers_alike(joined, tmp_path):
    model = joined
    model.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert repr(again) == repr(model)
    pairs = every_pair(model.network_.shape)
    for one, other in zip(
        again.predict_links(pairs, return_std=True), model.predict_links(pairs, return_std=True), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    pandas.testing.assert_frame_equal(again.top_links(5), model.top_links(5))
    assert again.complete_ is model.complete_ is True


@pytest.mark.parametrize("make", [lambda: LogisticHead(BASES["RNMFk"]()), lambda: LinkStack((1,), **FEW)])
def test_labels_of_a_frame_are_kept_with_the_model(make, tmp_path):
    X = np.random.default_rng(0).random((8, 6)) < 0.5
    model = make().fit(pandas.DataFrame(X.astype(float), columns=list("abcdef")))
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").feature_names_in_.tolist() == list("abcdef")


def test_chosen_models_are_saved_too(tmp_path):
    model = LinkStack(models=[WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=2)], random_state=0).fit(
        groups()
    )
    model.save(tmp_path / "model")
    assert repr(load(tmp_path / "model").models) == repr(model.models)


def test_they_are_assessed_and_calibrated_like_others(joined):
    model = joined
    network = model.network_
    assert model.factors_.logistic  # so that its probabilities are calibrated on their logits
    found = model.assess([(0, 3), (1, 2)])
    np.testing.assert_allclose(found.threshold, model.training_spread().mean())
    with pytest.raises(InputError, match="took part in the fit"):
        model.calibrate(network)


def test_a_head_can_be_a_regressor_of_pairs():
    network = groups()
    pairs = np.column_stack([network.rows, network.cols])
    model = LinkPredictor(LogisticHead(BASES["WNMFk"]()), symmetric=True, shape=(30, 30))
    assert model.fit(pairs, network.values).predict(pairs[:3]).shape == (3,)


@pytest.mark.parametrize(
    ("make", "folders"),
    [
        (lambda: LogisticHead(WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=2)), {"base", "lmf"}),
        (lambda: LinkStack((1,), n_perturbs=2), {"model-1", "model-2", "model-3", "model-4"}),
    ],
    ids=["head", "stack"],
)
def test_fits_are_kept_in_folders_of_their_own_and_go_on_with_the_seed_that_was_drawn(
    make, folders, tmp_path
):
    first = make().fit(groups(), folder=tmp_path / "run")
    assert {path.name for path in (tmp_path / "run").iterdir()} == folders
    again = make().fit(groups(), folder=tmp_path / "run")
    pairs = every_pair((30, 30))
    np.testing.assert_array_equal(again.predict_links(pairs), first.predict_links(pairs))


def test_a_fit_that_fails_leaves_the_earlier_one_as_it_was():
    model = LinkStack(models=[WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=2)], random_state=0).fit(
        groups()
    )
    before = model.predict_links([(0, 1)])
    with pytest.raises(IncompatibleError):
        model.fit(np.full((3, 4), 0.5))
    np.testing.assert_array_equal(model.predict_links([(0, 1)]), before)
    assert model.n_features_in_ == 30
