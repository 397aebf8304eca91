"""Members of zip archives, unpacked one at a time and with a limit on their size."""

from __future__ import annotations

import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from latentlink.errors import InputError
from latentlink.network.readers.unpack_limit import unpack_limit
from latentlink.validation.wording import names, shortened

__all__ = ["open_member", "unpacked"]

_PIECE_BYTES = 2**20
_DAMAGED = (BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, zlib.error)


@contextmanager
def open_member(path: Path, member: str) -> Iterator[tuple[IO[bytes], int]]:
    """Open a member of an archive; yield its stream and size, or raise InputError.

    The size is that of the archive's directory; a stream ends there, whatever its data hold.
    """
    try:
        with ZipFile(path) as archive:
            found = [info for info in archive.infolist() if info.filename == member]
            if len(found) != 1:
                others = names(archive.namelist())
                raise InputError(
                    f"{path} has {len(found)} members {member!r}; expected one. It has {others or 'none'}."
                )
            info = found[0]
            if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED} or info.flag_bits & 1:
                raise InputError(
                    f"{path} has {member!r} encrypted, or compressed by method {info.compress_type}; "
                    "expected it uncompressed or deflated."
                )
            unpack_limit(path, None).check(info.file_size, f"the unpacked bytes of {member!r}")
            with archive.open(info) as stream:
                yield stream, info.file_size
    except InputError:
        raise
    except _DAMAGED as error:
        raise InputError(
            f"{path} cannot be read: {shortened(str(error), 120)}; expected a zip archive. Download it again."
        ) from None


@contextmanager
def unpacked(path: Path, member: str) -> Iterator[Path]:
    """Yield the path of a temporary file with a member of an archive, for readers that need a path.

    Messages of InputError name the archive and the member instead of the temporary file.
    """
    with tempfile.TemporaryDirectory(prefix="latentlink-") as folder:
        target = Path(folder, Path(member).name)
        with open_member(path, member) as (stream, _), target.open("wb") as file:
            shutil.copyfileobj(stream, file, _PIECE_BYTES)
        try:
            yield target
        except InputError as error:
            raise InputError(str(error).replace(str(target), f"{path}, {member}")) from None
