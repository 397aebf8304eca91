"""Uniform random numbers in lanes, one generator a lane: xoshiro256+ (Blackman and Vigna 2021)."""

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from latentlink.kernels.lanes.vector import Vector, constant, is_single, llvm_type, repeated

__all__ = ["UNIT", "next_uniform"]

UNIT = 2.0**-53
"""The least of the uniform numbers, which are its multiples up to 1."""


@intrinsic
def next_uniform(typing, state, vector):
    """Return uniform numbers, above 0 and up to 1, of the type of a vector, and move on the generators.

    ``state`` is an array of uint64, shape (4, lanes).
    """
    if not isinstance(state, types.Array) or state.layout != "C" or state.dtype != types.uint64:
        raise TypingError(f"The state of a generator is a contiguous array of uint64, not {state}.")

    def generate(context, builder, signature, args):
        lanes = vector.lanes if isinstance(vector, Vector) else 1
        whole = ir.VectorType(ir.IntType(64), lanes) if isinstance(vector, Vector) else ir.IntType(64)
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        places = [
            builder.bitcast(
                builder.gep(data, [ir.Constant(ir.IntType(64), word * lanes)]), whole.as_pointer()
            )
            for word in range(4)
        ]
        a, b, c, d = (builder.load(place, align=8) for place in places)
        total = builder.lshr(builder.add(a, d), repeated(whole, 11))
        shifted = builder.shl(b, repeated(whole, 17))
        c, d = builder.xor(c, a), builder.xor(d, b)
        a, b = builder.xor(a, d), builder.xor(b, c)
        c = builder.xor(c, shifted)
        d = builder.or_(builder.shl(d, repeated(whole, 45)), builder.lshr(d, repeated(whole, 19)))
        for place, word in zip(places, (a, b, c, d), strict=True):
            builder.store(word, place, align=8)
        # As signed integers, of which processors without AVX-512 make numbers sooner.
        double = Vector(types.float64, lanes) if isinstance(vector, Vector) else types.float64
        number = builder.sitofp(builder.add(total, repeated(whole, 1)), llvm_type(double))
        number = builder.fmul(number, constant(double, UNIT))
        return builder.fptrunc(number, llvm_type(vector)) if is_single(vector) else number

    return vector(state, vector), generate
