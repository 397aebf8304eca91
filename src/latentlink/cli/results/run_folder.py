"""The folder of a run: whether it is new, interrupted or finished, and its files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latentlink.errors import InputError
from latentlink.saving import remove_remains, storage_errors, write_atomically
from latentlink.validation.wording import counted, few

__all__ = ["Identity", "RunFolder"]

_FILES = ("run.json", "links.csv", "ranks.csv", "report.html", "calibration.npz")
_FOLDERS = ("model", "components", "report_data", ".work")
_FEW = 3  # names of other files that are shown
_LARGEST_RECORD = 10 * 2**20


@dataclass(frozen=True)
class Identity:
    """What a run is the run of.

    Attributes
    ----------
    data : str
        SHA-256 of the data file.
    settings : mapping
    version : str
        Of this package.
    """

    data: str
    settings: Mapping[str, Any]
    version: str

    def differences(self, stored: Mapping[str, Any]) -> list[str]:
        """Return in words what differs from a stored record of a run."""
        found = ["other data"] if stored.get("data_sha256") != self.data else []
        before = stored.get("settings")
        before = before if isinstance(before, dict) else {}
        names = sorted({*before, *self.settings})
        changed = [name for name in names if before.get(name) != self.settings.get(name)]
        found += [
            f"{name} {_shown(before.get(name))} instead of {_shown(self.settings.get(name))}"
            for name in changed
        ]
        if stored.get("latentlink") != self.version:
            found.append(f"version {stored.get('latentlink')} of latentlink")
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the record that `differences` compares with."""
        return {"latentlink": self.version, "data_sha256": self.data, "settings": dict(self.settings)}


class RunFolder:
    """The folder of a run.

    ``run.json`` is written last: a run is finished if, and only if, it is there. The hidden folder ``.work``
    has the identity of a run that was begun, and its checkpoints; it is removed at the end.

    Parameters
    ----------
    path : path
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def checkpoints(self, name: str) -> Path:
        """Return where finished tasks are stored: of the "fit", of the "components" or of the "folds"."""
        return self.path / ".work" / name

    @property
    def record(self) -> dict[str, Any] | None:
        """The record of a finished run; None if there is none."""
        return _read(self.path / "run.json")

    def finished(self) -> dict[str, Any]:
        """Return the record of a finished run, or raise InputError."""
        record = self.record
        if record is None:
            interrupted = _read(self.path / ".work" / "identity.json") is not None
            why = "its run was interrupted: the same fit command continues it" if interrupted else "fit first"
            raise InputError(f"There is no finished run in {self.path}; {why}.")
        return record

    def compare(self, identity: Identity, force: bool) -> str:
        """Return "new", "interrupted" or "finished" for a run of this identity.

        Raises InputError if the folder has another run, or files of no run; with ``force`` another run is
        "new".
        """
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path} is a file; expected a folder, or the name of one to create.")
        finished, begun = self.record, _read(self.path / ".work" / "identity.json")
        stored = begun if finished is None else finished
        if stored is None:
            self._raise_if_other_files()
            return "new"
        different = identity.differences(stored)
        if different and not force:
            state = "an interrupted run" if finished is None else "a finished run"
            raise InputError(
                f"{self.path} has {state} with {'; '.join(different[:5])}. Name another folder with --out, "
                "or replace that run with --force."
            )
        if different or (force and finished is not None):
            return "new"
        return "interrupted" if finished is None else "finished"

    def begin(self, identity: Identity, fresh: bool) -> None:
        """Create the folder and note whose it is; a fresh run removes the files of another."""
        with storage_errors(self.path, ""):
            self.tidy()
            if fresh:
                self.remove()
            (self.path / ".work").mkdir(parents=True, exist_ok=True)
            write_atomically(self.path / ".work" / "identity.json", _written(identity.as_dict()))

    def finish(self, record: Mapping[str, Any]) -> None:
        """Write the record of the run, after everything else, and remove the checkpoints."""
        write_atomically(self.path / "run.json", _written(record))
        shutil.rmtree(self.path / ".work", ignore_errors=True)

    def tidy(self) -> None:
        """Remove what a process that was killed left half written; only while the lock is held."""
        for name in (*_FILES, *_FOLDERS):
            remove_remains(self.path / name)
        if (self.path / "run.json").is_file():  # killed after the end
            shutil.rmtree(self.path / ".work", ignore_errors=True)

    def remove(self) -> None:
        """Remove the files of a run, the record first: what is left must not look finished."""
        for name in _FILES:
            (self.path / name).unlink(missing_ok=True)
        for name in _FOLDERS:
            shutil.rmtree(self.path / name, ignore_errors=True)

    def _raise_if_other_files(self) -> None:
        """Raise InputError if the folder has anything but hidden files: a run shares it with nothing."""
        with storage_errors(self.path, ""):
            names = sorted(each.name for each in self.path.iterdir()) if self.path.is_dir() else []
        taken = [name for name in names if not name.startswith(".")]
        if taken:
            raise InputError(
                f"{self.path} has {counted(len(taken), 'file or folder', 'files or folders')} "
                f"({few(taken, _FEW)}) and no run that they belong to; expected a new or an empty folder. "
                "Name another folder with --out."
            )


def _shown(value: object) -> str:
    return "unset" if value is None else str(value)[:40]


def _written(record: Mapping[str, Any]) -> bytes:
    return (json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode()


def _read(path: Path) -> dict[str, Any] | None:
    """Return a record, None if there is no file; raise InputError for a damaged one."""
    if not path.is_file():
        return None
    try:
        if path.stat().st_size > _LARGEST_RECORD:
            raise ValueError("too large")
        record = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(record, dict):
            raise ValueError("no record")
    except (ValueError, RecursionError, OSError) as error:
        raise InputError(
            f"{path} is damaged ({str(error)[:80]}); delete the folder, or name another."
        ) from None
    return record
