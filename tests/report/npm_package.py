"""Files of npm packages that tests need, fetched at test time and kept nowhere
but in a directory of the build.

A package is pinned by its version and by the digest of its archive; what is
fetched and is not that is refused. NPM_CONFIG_REGISTRY names another registry.
"""

import base64
import hashlib
import io
import os
import pathlib
import tarfile
import tempfile
import urllib.request

REGISTRY = "https://registry.npmjs.org/"


class Unreachable(Exception):
    """The registry cannot be reached: the test cannot be made."""


def fetch(name: str, version: str, sha512: str, cache: pathlib.Path) -> pathlib.Path:
    """The directory of the unpacked package."""
    target = cache / f"{name.replace('/', '+')}-{version}"
    if target.is_dir():
        return target / "package"
    base = os.environ.get("NPM_CONFIG_REGISTRY", REGISTRY).rstrip("/")
    address = f"{base}/{name}/-/{name.split('/')[-1]}-{version}.tgz"
    try:
        with urllib.request.urlopen(address, timeout=20) as answer:
            archive = answer.read(64 << 20)
    except OSError as failure:
        raise Unreachable(f"{address}: {failure}") from failure
    digest = base64.b64encode(hashlib.sha512(archive).digest()).decode()
    if digest != sha512:
        raise SystemExit(f"{address} is not what is pinned: sha512 {digest}")
    cache.mkdir(parents=True, exist_ok=True)
    draft = pathlib.Path(tempfile.mkdtemp(dir=cache))
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(draft, filter="data") if hasattr(
            tarfile, "data_filter") else files.extractall(draft)
    try:
        draft.rename(target)
    except OSError:
        pass  # another test was first
    return target / "package"
