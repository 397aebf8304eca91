"""Vectors of 64-bit integers without sign, for random number generators: one generator per lane."""

from __future__ import annotations

from llvmlite import ir
from numba.core.errors import TypingError
from numba.extending import intrinsic

from latentlink.kernels.lanes.vector import Vector, is_integer, is_single, llvm_type, repeated

__all__ = ["UNIT", "exclusive_or", "rotated", "shifted", "uniform", "wrapped_sum"]

UNIT = 2.0**-53
"""The least of the numbers of `uniform`, which are its multiples up to 1."""


def _check_integers(*kinds):
    if any(not is_integer(kind) or kind != kinds[0] for kind in kinds):
        raise TypingError(f"Expected vectors of 64-bit integers of one number of lanes, got {kinds}.")


def _binary(operation, doc):
    @intrinsic
    def function(typing, x, y):
        _check_integers(x, y)

        def generate(context, builder, signature, args):
            return getattr(builder, operation)(*args)

        return x(x, y), generate

    function.__doc__ = doc
    return function


wrapped_sum = _binary("add", "x + y modulo 2^64")
exclusive_or = _binary("xor", "The bits of x that differ from those of y.")


@intrinsic(prefer_literal=True)
def shifted(typing, x, bits):
    """Return x with its bits moved to the left, those beyond the end lost."""
    _check_integers(x)
    count = bits.literal_value

    def generate(context, builder, signature, args):
        return builder.shl(args[0], repeated(llvm_type(x), count))

    return x(x, bits), generate


@intrinsic(prefer_literal=True)
def rotated(typing, x, bits):
    """Return x with its bits moved to the left, those beyond the end moved to the other end."""
    _check_integers(x)
    count = bits.literal_value

    def generate(context, builder, signature, args):
        left = builder.shl(args[0], repeated(llvm_type(x), count))
        return builder.or_(left, builder.lshr(args[0], repeated(llvm_type(x), 64 - count)))

    return x(x, bits), generate


@intrinsic
def uniform(typing, x, kind):
    """Return numbers above 0 and up to 1 by the upper 53 bits of x, of the type of another vector."""
    _check_integers(x)

    def generate(context, builder, signature, args):
        whole = llvm_type(x)
        upper = builder.add(builder.lshr(args[0], repeated(whole, 11)), repeated(whole, 1))
        double = ir.VectorType(ir.DoubleType(), x.lanes) if isinstance(x, Vector) else ir.DoubleType()
        number = builder.fmul(builder.uitofp(upper, double), repeated(double, UNIT))
        return builder.fptrunc(number, llvm_type(kind)) if is_single(kind) else number

    return kind(x, kind), generate
