"""The published data sets: files, hashes, sizes, licences and sources.

Hashes are those of the files that were read when an entry was written. They are None for files that were not
available then, and for those that change with time; their sizes are compared instead. Where a file was
available, its address on GitHub names a commit, so that it does not change.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from latentlink.datasets.fetched import formats
from latentlink.datasets.fetched.published_dataset import Contents, PublishedDataset, PublishedFile, Size

__all__ = ["PUBLISHED"]

_RAW = "https://raw.githubusercontent.com"
_TELF = "lanl/T-ELF"
_PPI = "Fengithub/symLMF-PPI"
_SEAL = "muhanzhang/SEAL"
_MOVIELENS = "https://files.grouplens.org/datasets/movielens"
_NOT_STATED = "not stated"


def _boolean(
    name: str, description: str, file: PublishedFile, read: Callable[[Path], Contents], size: Size
) -> PublishedDataset:
    return PublishedDataset(
        name=name,
        description=description,
        files=(file,),
        read=read,
        size=size,
        licence="BSD-3-Clause (of the repository)",
        source=f"https://github.com/{_TELF}",
        citation="Barron et al. (2025), Matrix factorization for inferring associations and missing links",
    )


_DOG = PublishedFile(
    "dog.npz",
    f"{_RAW}/{_TELF}/ce122e04fa6f7ad8c45a2d14e186cb04b1715015/data/dog.npz",
    "sha256:a8c9c4c5704c700a83e1f441de84828f62c0faf01ad960fa99f41a76bd99c9f2",
)
_SWIMMER = PublishedFile(
    "swimmer.mat",
    f"{_RAW}/{_TELF}/3d89a1c0d30826c7b722079dc0b7e10d84ce4baf/data/swimmer.mat",
    "sha256:5a8512cd89057ed8369b627413f3428fa297071e5a8429e64cb77fa2a9cddc60",
)


def _proteins(
    name: str, path: str, size: tuple[int, int, int], sha256: str | None = None
) -> PublishedDataset:
    """Return a protein network by its numbers of proteins, links and non-links in the table of the paper."""
    proteins, links, non_links = size
    version = "HEAD" if sha256 is None else "3efff79772b349c8b21aea607a9946aae3c3936f"
    return PublishedDataset(
        name=f"proteins-{name}",
        description=f"protein pairs with and without interaction, {name.replace('-', ' ')}",
        files=(
            PublishedFile(
                f"ppi_{name.replace('-', '_')}.tsv",
                f"{_RAW}/{_PPI}/{version}/datasets/{path}",
                None if sha256 is None else f"sha256:{sha256}",
            ),
        ),
        read=formats.labelled_pairs,
        size=Size(proteins, proteins, links + non_links, links),
        licence=_NOT_STATED,
        source=f"https://github.com/{_PPI}",
        citation=(
            "Pei, Shi, Zhang and Bahar, Predicting large-scale protein-protein interactions using symmetric "
            "logistic matrix factorization"
        ),
    )


def _links(
    name: str, description: str, original: str, size: tuple[int, int], sha256: str
) -> PublishedDataset:
    """Return a network of links alone; nodes have other names in the original file."""
    nodes, links = size
    url = f"{_RAW}/{_SEAL}/ea2d4249cfed4c5a570538a939f90469957b5f94/Python/data/raw_data/{original}"
    return PublishedDataset(
        name=name,
        description=description,
        files=(PublishedFile(f"net_{name}.tsv", None, f"sha256:{sha256}"), PublishedFile(original, url)),
        read=formats.links,
        size=Size(nodes, nodes, links, links),
        licence=_NOT_STATED,
        source=f"https://github.com/{_SEAL}",
        citation="Zhang and Chen (2018), Link Prediction Based on Graph Neural Networks",
    )


def _movielens(
    name: str,
    description: str,
    files: tuple[PublishedFile, ...],
    size: Size,
    terms: str,
    tolerance: float = 0.0,
) -> PublishedDataset:
    return PublishedDataset(
        name=f"movielens-{name}",
        description=description,
        files=files,
        read=formats.ratings,
        size=size,
        tolerance=tolerance,
        licence=f"GroupLens: research with acknowledgement, no commercial use; {terms}",
        source="https://grouplens.org/datasets/movielens",
        citation="Harper and Konstan (2015), The MovieLens Datasets: History and Context",
    )


_ALL = (
    _boolean(
        "dog-original",
        "four drawings of 20 x 20 pixels in all combinations but the empty one, the paper's file",
        _DOG,
        formats.dog_archive,
        Size(400, 15, 6_000),
    ),
    _boolean(
        "swimmer-original",
        "256 figures of 32 x 32 pixels, the paper's file, binarized by Otsu's threshold",
        _SWIMMER,
        formats.swimmer_binary,
        Size(1_024, 256, 262_144, 8_507),
    ),
    _boolean(
        "swimmer-counts",
        "256 figures of 32 x 32 pixels, the counts of the paper's file",
        _SWIMMER,
        formats.swimmer_counts,
        Size(1_024, 256, 262_144),
    ),
    _proteins(
        "disease-of-metabolism",
        "disease_of_metabolism/pros_AB.txt",
        (1_036, 5_131, 5_123),
        "a6df4d436a3f1e7f23cdcc098211174293b13dcc2794667e93c32db100b2fefc",
    ),
    _proteins(
        "neurodegenerative-disease",
        "neurodegenerative_disease/pros_AB.txt",
        (820, 5_881, 5_879),
        "3f4afd77a0667588b6d3649a18647bac2fef6d49351847ace53783359b281b14",
    ),
    _proteins("brain", "brain/pros_AB.txt", (11_167, 225_200, 223_130)),
    _proteins("liver", "liver/pros_AB.txt", (10_627, 218_239, 215_984)),
    _proteins("human-extended", "H.sapiens-extended/PPI_human_2019.txt", (14_407, 157_950, 157_300)),
    _movielens(
        "100k",
        "ratings of films from 1 to 5, by users",
        (
            PublishedFile("ml-100k.zip", f"{_MOVIELENS}/ml-100k.zip", "md5:0e33842e24a9c977be4e0107933c0723"),
            PublishedFile("u.data"),
            PublishedFile("ml-100k/u.data"),
            PublishedFile(
                "ml-100k.inter",
                None,
                "sha256:4edb74e2a81178c2ba9ff381495f754f996c4aea351b1272ca36b43da0935eff",
            ),
        ),
        Size(943, 1_682, 100_000),
        "no redistribution without permission",
    ),
    _movielens(
        "latest-small",
        "ratings of films from 0.5 to 5, by users; changes with time",
        (
            PublishedFile("ml-latest-small.zip", f"{_MOVIELENS}/ml-latest-small.zip"),
            PublishedFile("ml-latest-small/ratings.csv"),
        ),
        Size(610, 9_724, 100_836),
        "redistribution under the same terms",
        tolerance=0.25,
    ),
    _links(
        "usair",
        "air routes between airports of the USA",
        "USAir.txt",
        (332, 2_126),
        "104ade1e7012f29f83175a1186ac771e29e008fa6649262791004c872c62a263",
    ),
    _links(
        "pb",
        "links between political blogs of the USA",
        "PB.txt",
        (1_222, 16_714),
        "b180ab803daffccbdaab7976097f893d9bd26c28b586fae3aeb944578b297e0a",
    ),
    _links(
        "yeast",
        "interactions of yeast proteins",
        "Yeast.txt",
        (2_375, 11_693),
        "3e8522925ad3004f17fe1cb99697ab1513cf546d8c42ca320f3be9101bb31ef1",
    ),
    _links(
        "power",
        "lines of a power grid of the USA",
        "Power.txt",
        (4_941, 6_594),
        "69926a286b6a17fe8785d321b5a374d53c49673835e0ef91ae39de80dbfe57c8",
    ),
)

PUBLISHED = {published.name: published for published in _ALL}
"""The published data sets by name."""
