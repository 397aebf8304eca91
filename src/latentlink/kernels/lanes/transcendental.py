"""exp and log of vectors as polynomials, rounded in each lane independently of the others."""

from __future__ import annotations

import math

from llvmlite import ir
from numba.extending import intrinsic

from latentlink.kernels.lanes.vector import (
    Vector,
    call_llvm,
    constant,
    is_single,
    llvm_type,
    multiply_add,
    repeated,
)

__all__ = ["exp_minus", "exponent", "log1p_unit", "log_rest", "mantissa"]

# Numbers of Taylor coefficients 1/i! that reach the last bit of each precision for |y| <= ln(2)/2.
_EXP_TERMS = {True: 8, False: 14}
# log(1 + t) = 2 atanh(s), s = t / (2 + t) <= 1/3 for t <= 1: numbers of odd powers of s up to the last bit.
_LOG_TERMS = {True: 8, False: 17}
# The same for s = (x - 1) / (x + 1), |s| <= 0.1716 for sqrt(1/2) <= x <= sqrt(2), without the first power.
_REST_TERMS = {True: 5, False: 11}
_ROOT_OF_HALF = {True: 0x3F3504F3, False: 0x3FE6A09E667F3BCD}  # the bits of sqrt(1/2)
_LN2 = {
    True: (0.693145751953125, 1.428606765330187e-06),
    False: (6.93147180369123816490e-01, 1.90821492927058770002e-10),
}
_LARGEST = {True: 87.0, False: 708.0}


def _integers(kind, bits):
    """Return the LLVM type of integers in the shape of a vector or plain number."""
    integer = ir.IntType(bits)
    return ir.VectorType(integer, kind.lanes) if isinstance(kind, Vector) else integer


def _layout(kind):
    """Return the numbers of bits of a number and of its mantissa, and the bias of its exponent."""
    return (32, 23, 127) if is_single(kind) else (64, 52, 1023)


def _horner(builder, kind, coefficients, y):
    total = constant(kind, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = multiply_add(builder, kind, total, y, constant(kind, coefficient))
    return total


@intrinsic
def exp_minus(typing, x):
    """Return exp(-x) for x >= 0, to two units of the last place; the result is always positive."""

    def generate(context, builder, signature, args):
        single = is_single(x)
        bits, mantissa_bits, bias = _layout(x)
        whole = _integers(x, bits)

        limit = constant(x, _LARGEST[single])
        bounded = builder.select(builder.fcmp_ordered("<", args[0], limit), args[0], limit)
        minus = builder.fneg(bounded)
        # -x = n ln 2 + y with |y| <= ln(2)/2; ln 2 in two parts keeps y exact.
        n = call_llvm(builder, "rint", x, builder.fmul(minus, constant(x, 1 / math.log(2))))
        high, low = _LN2[single]
        y = multiply_add(builder, x, n, constant(x, -high), minus)
        y = multiply_add(builder, x, n, constant(x, -low), y)
        power = _horner(builder, x, [1 / math.factorial(i) for i in range(_EXP_TERMS[single])], y)
        # Via 32 bits, for which processors have a vector instruction in both precisions.
        exponent = builder.fptosi(n, _integers(x, 32))
        exponent = exponent if single else builder.sext(exponent, whole)
        exponent = builder.add(exponent, repeated(whole, bias))
        return builder.fmul(
            power, builder.bitcast(builder.shl(exponent, repeated(whole, mantissa_bits)), llvm_type(x))
        )

    return x(x), generate


@intrinsic
def log1p_unit(typing, x):
    """Return log(1 + x) for 0 <= x <= 1."""

    def generate(context, builder, signature, args):
        single = is_single(x)
        s = builder.fdiv(args[0], builder.fadd(args[0], constant(x, 2.0)))
        series = _horner(builder, x, [2 / (2 * i + 1) for i in range(_LOG_TERMS[single])], builder.fmul(s, s))
        return builder.fmul(series, s)

    return x(x), generate


def _biased_exponent(builder, kind, x):
    """Return the bits of x > 0 and its exponent plus the bias, as integers; the mantissa is near 1."""
    bits, mantissa_bits, bias = _layout(kind)
    whole = _integers(kind, bits)
    pattern = builder.bitcast(x, whole)
    # No difference is negative: shifts of signed 64-bit integers have no vector instruction on many hosts.
    shifted = builder.add(pattern, repeated(whole, (bias << mantissa_bits) - _ROOT_OF_HALF[is_single(kind)]))
    return pattern, builder.lshr(shifted, repeated(whole, mantissa_bits))


@intrinsic
def exponent(typing, x):
    """Return the whole number e with sqrt(1/2) <= x / 2^e < sqrt(2), for normal numbers x > 0."""

    def generate(context, builder, signature, args):
        bias, narrow = _layout(x)[2], _integers(x, 32)
        biased = _biased_exponent(builder, x, args[0])[1]
        # Via 32 bits, for which processors have a vector instruction in both precisions.
        biased = biased if is_single(x) else builder.trunc(biased, narrow)
        return builder.sitofp(builder.sub(biased, repeated(narrow, bias)), llvm_type(x))

    return x(x), generate


@intrinsic
def mantissa(typing, x):
    """Return x / 2^e with the whole number e of `exponent`; 1 for x = 0."""

    def generate(context, builder, signature, args):
        bits, mantissa_bits, bias = _layout(x)
        whole = _integers(x, bits)
        pattern, biased = _biased_exponent(builder, x, args[0])
        power = builder.shl(builder.sub(biased, repeated(whole, bias)), repeated(whole, mantissa_bits))
        return builder.bitcast(builder.sub(pattern, power), llvm_type(x))

    return x(x), generate


@intrinsic
def log_rest(typing, s):
    """Return (log((1 + s) / (1 - s)) - 2 s) / s^3 for |s| <= 0.1716."""

    def generate(context, builder, signature, args):
        terms = [2 / (2 * i + 3) for i in range(_REST_TERMS[is_single(s)])]
        return _horner(builder, s, terms, builder.fmul(args[0], args[0]))

    return s(s), generate
