"""A vector type for numba with one ensemble member per lane, and its arithmetic.

Every operation acts on all lanes of a vector at once and on each lane independently, so the results of a
member depend neither on the number of lanes nor on the other members, to the last bit. The number of lanes is
a compile-time constant; with `PLAIN` (0) lanes the same functions work on plain numbers, for hosts without
fused multiply-add. Arrays are addressed flat: ``load(array, offset, lanes)`` is
``array.ravel()[offset : offset + lanes]``.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic, models, register_model

from latentlink.kernels.lanes.compile import PLAIN

__all__ = [
    "Vector",
    "absolute",
    "add",
    "any_nonzero",
    "at_least",
    "at_most",
    "broadcast",
    "call_llvm",
    "constant",
    "div",
    "fma",
    "fnma",
    "is_integer",
    "is_single",
    "like",
    "llvm_type",
    "load",
    "load_like",
    "mul",
    "multiply_add",
    "prefetch",
    "repeated",
    "root",
    "store",
    "sub",
    "where_known",
    "where_positive",
]


class Vector(types.Type):
    """Numba's type of a vector of ``lanes`` numbers of type ``dtype``."""

    def __init__(self, dtype, lanes):
        self.dtype = dtype
        self.lanes = lanes
        super().__init__(f"Vector({dtype}, {lanes})")


@register_model(Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, ir.VectorType(_scalar(fe_type.dtype), fe_type.lanes))


def _scalar(dtype):
    if dtype == types.uint64:
        return ir.IntType(64)
    return ir.FloatType() if dtype == types.float32 else ir.DoubleType()


def _kind(dtype, lanes):
    """Return the numba type of a load: a vector, or a plain number."""
    return dtype if lanes == PLAIN else Vector(dtype, lanes)


def llvm_type(kind):
    """Return the LLVM type of a vector or plain number."""
    return ir.VectorType(_scalar(kind.dtype), kind.lanes) if isinstance(kind, Vector) else _scalar(kind)


def is_single(kind):
    """Return whether a vector or plain number is of single precision."""
    return (kind.dtype if isinstance(kind, Vector) else kind) == types.float32


def is_integer(kind):
    """Return whether a vector or plain number is of 64-bit integers without sign (see `integers`)."""
    return (kind.dtype if isinstance(kind, Vector) else kind) == types.uint64


def _check_array(array):
    if not isinstance(array, types.Array) or array.layout != "C":
        raise TypingError("Lane kernels address arrays flat; expected C-contiguous arrays.")
    if array.dtype not in (types.float32, types.float64, types.uint64):
        raise TypingError(
            f"Lane kernels got an array of {array.dtype}; expected float32 or float64, or uint64 for the "
            "states of random number generators."
        )


def _check_same(*kinds):
    if any(kind != kinds[0] for kind in kinds):
        raise TypingError(f"Lane kernels do not mix precisions or numbers of lanes: {kinds}.")


def _check_numbers(*kinds):
    _check_same(*kinds)
    if is_integer(kinds[0]):
        raise TypingError(f"Lane kernels compute with float32 or float64, not with {kinds[0]}.")


def constant(kind, number):
    """Return the LLVM constant of a vector or plain number."""
    return repeated(llvm_type(kind), number)


def repeated(llvm, number):
    """Return the LLVM constant with the same number in every lane, if there are lanes."""
    return ir.Constant(llvm, [number] * llvm.count if isinstance(llvm, ir.VectorType) else number)


def _address(context, builder, array_type, array, offset, kind):
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset], inbounds=True), llvm_type(kind).as_pointer())


def _loaded(context, builder, array_type, args, kind):
    array, offset, _ = args
    address = _address(context, builder, array_type, array, offset, kind)
    # Arrays are aligned to 64 bytes, but a single lane is only aligned to its own size.
    return builder.load(address, align=4 if is_single(kind) else 8)


def _splat(builder, number, kind):
    empty = ir.Constant(llvm_type(kind), ir.Undefined)
    first = builder.insert_element(empty, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, empty, repeated(ir.VectorType(ir.IntType(32), kind.lanes), 0))


def call_llvm(builder, name, kind, *args):
    """Call the LLVM intrinsic ``name`` for this vector or number."""
    suffix = (f"v{kind.lanes}" if isinstance(kind, Vector) else "") + ("f32" if is_single(kind) else "f64")
    llvm = llvm_type(kind)
    signature = ir.FunctionType(llvm, [llvm] * len(args))
    return builder.call(
        cgutils.get_or_insert_function(builder.module, signature, f"llvm.{name}.{suffix}"), args
    )


# -------------------------------------------------------------------- memory


@intrinsic(prefer_literal=True)
def load(typing, array, offset, lanes):
    """Read ``lanes`` numbers at a flat offset."""
    _check_array(array)
    kind = _kind(array.dtype, lanes.literal_value)

    def generate(context, builder, signature, args):
        return _loaded(context, builder, signature.args[0], args, kind)

    return kind(array, types.intp, lanes), generate


@intrinsic
def load_like(typing, array, offset, vector):
    """Read a vector of the type of another one at a flat offset, in functions for any number of lanes."""
    _check_array(array)
    _check_same(vector.dtype if isinstance(vector, Vector) else vector, array.dtype)

    def generate(context, builder, signature, args):
        return _loaded(context, builder, signature.args[0], args, vector)

    return vector(array, types.intp, vector), generate


@intrinsic
def store(typing, array, offset, vector):
    """Write a vector at a flat offset."""
    _check_array(array)
    _check_same(vector.dtype if isinstance(vector, Vector) else vector, array.dtype)

    def generate(context, builder, signature, args):
        address = _address(context, builder, signature.args[0], args[0], args[1], vector)
        builder.store(args[2], address, align=4 if is_single(vector) else 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), generate


@intrinsic
def prefetch(typing, array, offset):
    """Prefetch the cache line at a flat offset; an offset outside of the array is harmless."""

    def generate(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        pointer, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        signature = ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, signature, "llvm.prefetch.p0")
        to_read, keep, as_data = (ir.Constant(flag, number) for number in (0, 3, 1))
        address = builder.bitcast(builder.gep(data, [args[1]]), pointer)
        builder.call(function, [address, to_read, keep, as_data])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@intrinsic(prefer_literal=True)
def broadcast(typing, number, lanes):
    """Return a vector with the same number in every lane."""
    number = types.unliteral(number)
    kind = _kind(number, lanes.literal_value)

    def generate(context, builder, signature, args):
        return _splat(builder, args[0], kind) if isinstance(kind, Vector) else args[0]

    return kind(number, lanes), generate


@intrinsic
def like(typing, number, vector):
    """Return a vector of the type of another one with the same number in every lane."""
    number = types.unliteral(number)

    def generate(context, builder, signature, args):
        if isinstance(vector, Vector):
            return _splat(builder, context.cast(builder, args[0], number, vector.dtype), vector)
        return context.cast(builder, args[0], number, vector)

    return vector(number, vector), generate


# -------------------------------------------------------------------- arithmetic


def _binary(operation, doc):
    @intrinsic
    def function(typing, x, y):
        _check_numbers(x, y)

        def generate(context, builder, signature, args):
            return getattr(builder, operation)(*args)

        return x(x, y), generate

    function.__doc__ = doc
    return function


add = _binary("fadd", "x + y")
sub = _binary("fsub", "x - y")
mul = _binary("fmul", "x * y")
div = _binary("fdiv", "x / y")


def multiply_add(builder, kind, x, y, z):
    """Return x * y + z, rounded once in vectors and twice in plain numbers."""
    if isinstance(kind, Vector):
        return call_llvm(builder, "fma", kind, x, y, z)
    return builder.fadd(builder.fmul(x, y), z)


@intrinsic
def fma(typing, x, y, z):
    """Return x * y + z."""
    _check_numbers(x, y, z)

    def generate(context, builder, signature, args):
        return multiply_add(builder, x, *args)

    return x(x, y, z), generate


@intrinsic
def fnma(typing, x, y, z):
    """Return z - x * y."""
    _check_numbers(x, y, z)

    def generate(context, builder, signature, args):
        return multiply_add(builder, x, builder.fneg(args[0]), args[1], args[2])

    return x(x, y, z), generate


def _choice(comparison, doc):
    @intrinsic
    def function(typing, x, y):
        _check_numbers(x, y)

        def generate(context, builder, signature, args):
            return builder.select(builder.fcmp_ordered(comparison, *args), *args)

        return x(x, y), generate

    function.__doc__ = doc
    return function


at_least = _choice(">", "The larger of x and the bound y.")
at_most = _choice("<", "The smaller of x and the bound y.")


@intrinsic
def where_positive(typing, test, x, y):
    """Return x where test > 0, else y."""
    _check_numbers(test, x, y)

    def generate(context, builder, signature, args):
        return builder.select(builder.fcmp_ordered(">", args[0], constant(test, 0.0)), args[1], args[2])

    return x(test, x, y), generate


@intrinsic
def where_known(typing, test, x, y):
    """Return x where test is a number, y where it is NaN."""
    _check_numbers(test, x, y)

    def generate(context, builder, signature, args):
        return builder.select(builder.fcmp_ordered("ord", args[0], args[0]), args[1], args[2])

    return x(test, x, y), generate


@intrinsic
def any_nonzero(typing, x):
    """Return whether x is other than 0 in any lane, so that steps that change nothing can be left out."""

    def generate(context, builder, signature, args):
        nonzero = builder.fcmp_unordered("!=", args[0], constant(x, 0.0))
        if not isinstance(x, Vector):
            return nonzero
        mask = ir.IntType(x.lanes)
        return builder.icmp_unsigned("!=", builder.bitcast(nonzero, mask), ir.Constant(mask, 0))

    return types.boolean(x), generate


def _unary(name, doc):
    @intrinsic
    def function(typing, x):
        def generate(context, builder, signature, args):
            return call_llvm(builder, name, x, args[0])

        return x(x), generate

    function.__doc__ = doc
    return function


root = _unary("sqrt", "The square root of x.")
absolute = _unary("fabs", "The absolute value of x.")
