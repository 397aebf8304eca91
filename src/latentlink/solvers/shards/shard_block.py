"""A block of members of a shard, which knows sums over all shards."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from numpy.typing import NDArray

from latentlink.solvers.descent.blocks import Block

__all__ = ["BlockSums", "ShardBlock"]

Array = NDArray[Any]


class BlockSums(NamedTuple):
    """Sums over the rows of a shard for a block of members.

    Attributes
    ----------
    row_weight : array, shape (members,)
        Weight of all known entries.
    col_weight : array, shape (columns, members)
        Weight of the known entries of each column.
    degrees : array of int, shape (columns,)
        Number of listed entries of each column.
    partly_known : int
        How many shards have entries that are not known with weight 1.
    """

    row_weight: Array
    col_weight: Array
    degrees: Array
    partly_known: int


@dataclass(frozen=True, eq=False)
class ShardBlock(Block):
    """A block of the entries of a shard, which knows sums over all shards.

    Attributes
    ----------
    shape : (int, int)
        Numbers of all rows and columns.
    sums : BlockSums or None
    """

    shape: tuple[int, int] = (0, 0)
    sums: BlockSums | None = None

    @property
    def all_known(self) -> bool:
        """Whether every entry of the matrix is known with weight 1 to all members."""
        assert self.sums is not None
        return self.sums.partly_known == 0

    def known_weight(self, side: int) -> tuple[Array, Array]:
        """Return the weight of the known entries of each row here, or column, and the overall mean."""
        assert self.sums is not None
        mean = self.sums.row_weight / self.shape[side]
        return (super().known_weight(0)[0] if side == 0 else self.sums.col_weight), mean

    @classmethod
    def of(cls, block: Block, shape: tuple[int, int], sums: BlockSums) -> ShardBlock:
        """Return a block with the sums over all shards."""
        own = {field.name: getattr(block, field.name) for field in fields(Block)}
        return cls(**own, shape=shape, sums=sums)
