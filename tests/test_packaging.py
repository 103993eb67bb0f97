"""The wheel, installed where nothing else of ours is, holds all that it needs and advises from any folder."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
PACKAGES = ("cli", "engine", "knowledge")
PROFILE = PROJECT / "examples" / "bank-on-premises.yaml"

# One process builds and installs for all tests of this file.
pytestmark = pytest.mark.xdist_group("wheel")


@dataclass(frozen=True, slots=True)
class Installed:
    """A built wheel, and an environment that has it and nothing else of ours."""

    wheel: Path
    environment: Path
    elsewhere: Path

    def run(self, command: str, *arguments: str) -> str:
        """What a command of the environment prints when it is started outside the project's folder."""
        return run([str(self.environment / "bin" / command), *arguments], self.elsewhere)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Built and installed without a registry; third-party packages are lent by the running environment."""
    folder = tmp_path_factory.mktemp("wheel")
    environment, elsewhere = folder / "environment", folder / "elsewhere"
    elsewhere.mkdir()
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)], PROJECT)
    (wheel,) = folder.glob("*.whl")
    venv.create(environment, with_pip=False, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python"), "install"]
    run([*pip, "--quiet", "--no-deps", "--no-index", str(wheel)], elsewhere)
    lend_third_party_packages(environment)
    return Installed(wheel, environment, elsewhere)


def lend_third_party_packages(environment: Path) -> None:
    """Put the running environment's packages behind the new one's own.

    A folder named in a .pth file is searched as it is: the .pth files in it are not read, so an editable
    installation of this project does not come along.
    """
    (site_packages,) = environment.glob("lib/python*/site-packages")
    lent = [entry for entry in sys.path if Path(entry).name in {"site-packages", "dist-packages"}]
    (site_packages / "lent.pth").write_text("\n".join(lent) + "\n", encoding="utf-8")


def run(command: Sequence[str], folder: Path) -> str:
    """The command's standard output; fails with all that it said when it does not end well."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=False, encoding="utf-8", timeout=120
    )
    assert done.returncode == 0, f"{command} exited {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def shipped_files() -> set[str]:
    """Every file of the packages that is somebody's work, as a path in the wheel."""
    files = (path for package in PACKAGES for path in (PROJECT / package).rglob("*") if path.is_file())
    places = {path.relative_to(PROJECT) for path in files if not path.name.startswith(".")}
    return {place.as_posix() for place in places if "__pycache__" not in place.parts}


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else_of_ours(installed: Installed) -> None:
    names = set(zipfile.ZipFile(installed.wheel).namelist())
    assert {name for name in names if ".dist-info/" not in name} == shipped_files()


def test_the_wheel_carries_its_license(installed: Installed) -> None:
    names = zipfile.ZipFile(installed.wheel).namelist()
    assert [name for name in names if name.endswith(".dist-info/licenses/LICENSE")]


def test_the_installed_packages_are_the_wheels_own(installed: Installed) -> None:
    program = "import sys, importlib\nfor name in sys.argv[1:]: print(importlib.import_module(name).__file__)"
    places = installed.run("python", "-c", program, *PACKAGES).splitlines()
    assert len(places) == len(PACKAGES)
    assert all(Path(place).is_relative_to(installed.environment) for place in places)


def test_the_installed_command_advises_from_another_folder(installed: Installed) -> None:
    verdict = json.loads(installed.run("gpu-advisor", "advise", str(PROFILE), "--format", "json"))
    assert verdict["overall"]["route"] == "on_prem"


def test_the_installed_command_tells_the_version_of_the_wheel(installed: Installed) -> None:
    version = installed.wheel.name.split("-")[1]
    assert re.search(rf"(?<![\w.]){re.escape(version)}(?![\w.])", installed.run("gpu-advisor", "--version"))


def test_the_packages_run_as_a_module_too(installed: Installed) -> None:
    assert installed.run("python", "-m", "cli", "--version") == installed.run("gpu-advisor", "--version")
