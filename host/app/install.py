"""`gamehost install` and `gamehost uninstall`: a box that plays when it is plugged in (docs/KIOSK.md).

Every step is printed; with `--dry-run` nothing else happens. All steps may be repeated: an installation that was
broken off is finished, and one of an older version renewed, by the same command. `--root DIR` installs into the
system below DIR (an SD card that is mounted, a test) without starting anything.
"""

import argparse
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from host.app import AppError
from host.app.paths import ROOT
from host.app.steps import Copy, Folder, Remove, Run, Step, Write, below
from host.app.units import FOLDER, HOST, SCREEN, SETTINGS, Place, host_unit, screen_unit

PACKAGES = ("python3-venv", "libportaudio2", "libasound2-plugins", "python3-gpiozero", "python3-lgpio",
            "python3-paho-mqtt")
SCREEN_PACKAGES = ("cage", "chromium", "fonts-dejavu-core")
GROUPS = ("audio", "gpio", "input", "video", "render")
"""Of these the user joins those that the system has."""
PROJECT = ("gamehost", "host", "models", "clues", "audio_fixtures", "docs", "requirements.lock")
SYSTEMS = {"debian": ("12", "13"), "raspbian": ("12", "13")}
NAME = re.compile(r"[a-z_][a-z0-9_-]{0,30}")
SHORT = re.compile(r"/[A-Za-z0-9._/-]+")
SYSTEM_PYTHON = "/usr/lib/python3/dist-packages"
"""Named in the environment: Debian's gpiozero and lgpio are found behind everything else (KIO-14)."""


@dataclass(frozen=True)
class Wish:
    """What was asked for."""

    place: Place
    root: Path = Path("/")
    screen: bool = True
    packages: bool = True

    @property
    def here(self) -> bool:
        """Whether the system that runs is the one that is installed."""
        return self.root == Path("/")


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add both commands."""
    install = commands.add_parser("install", help="make this Debian or Raspberry Pi OS a box that plays at power-on")
    uninstall = commands.add_parser("uninstall", help="take the box's service, user and program away again")
    for parser in (install, uninstall):
        parser.add_argument("--dry-run", action="store_true", help="print every step, do nothing")
        parser.add_argument("--user", default="gamehost", help="the service's user (default: gamehost)")
        parser.add_argument("--data", default="/var/lib/gamehost", metavar="DIR",
                            help="the one folder with logs, memory, settings (default: /var/lib/gamehost)")
        parser.add_argument("--root", type=Path, default=Path("/"), metavar="DIR",
                            help="the system below DIR instead of this one")
        parser.add_argument("--no-packages", action="store_true", help="leave the system's packages alone")
    install.add_argument("--no-screen", action="store_true", help="without compositor and browser")
    install.set_defaults(run=run, installing=True)
    uninstall.add_argument("--purge", action="store_true", help="the data folder, too")
    uninstall.set_defaults(run=run, installing=False, no_screen=True)


def run(arguments: argparse.Namespace) -> int:
    """Print and do every step. Raises AppError."""
    wish = wished(arguments)
    check(wish, arguments.dry_run)
    for step in install_steps(wish) if arguments.installing else uninstall_steps(wish, arguments.purge):
        print(step.tell(), flush=True)
        if arguments.dry_run:
            continue
        try:
            step.do(wish.root)
        except OSError as error:
            raise AppError(f"{error.filename or 'a file'} can't be written ({error.strerror}); mend that and run the "
                           "same command again.") from error
    if arguments.dry_run:
        print("Nothing was done (--dry-run).")
    elif arguments.installing:
        print(f"The box is installed. Settings: {wish.place.data}/settings.toml; what it does: journalctl -u {HOST}")
    else:
        print("The box is taken away" + ("." if arguments.purge else f"; its data are kept in {wish.place.data}."))
    return 0


def wished(arguments: argparse.Namespace) -> Wish:
    """The wish that was typed. Raises AppError (2)."""
    if not NAME.fullmatch(arguments.user) or arguments.user == "root":
        raise AppError(f'"{arguments.user}" can\'t be the user: lower-case letters and digits, and not root.', 2)
    if not SHORT.fullmatch(arguments.data) or ".." in arguments.data or arguments.data.count("/") < 2:
        raise AppError(f"--data {arguments.data}: write a whole path like /var/lib/gamehost.", 2)
    root = arguments.root.absolute()
    place = Place(arguments.user, data=arguments.data.rstrip("/"))
    wish = Wish(place, root, not arguments.no_screen, not arguments.no_packages)
    return replace(wish, place=replace(place, uid=next_uid(wish)))


def check(wish: Wish, dry: bool) -> None:
    """Whether this can be done here. Raises AppError in one sentence."""
    if not wish.root.is_dir():
        raise AppError(f"there is no folder {wish.root}: mount the system there first.", 2)
    name, version = system(wish.root)
    if version not in SYSTEMS.get(name, ()):
        raise AppError(f"this is {name or 'an unknown system'} {version}: the box is made for Debian or Raspberry "
                       "Pi OS 12 and 13. Elsewhere play with: ./gamehost play --screen", 2)
    if not dry and wish.here and os.geteuid() != 0:
        raise AppError("installing needs root: sudo ./gamehost install (or look first, with --dry-run).", 2)
    if wish.screen and below(wish.root, f"{FOLDER}/display-manager.service").exists():
        raise AppError("a desktop is installed, and the screen can't be had by two: install with --no-screen and open "
                       "http://localhost:8137/screen there, or take the desktop away first.", 2)


def system(root: Path) -> tuple[str, str]:
    """Name and version of the system below a root, by its os-release."""
    found: dict[str, str] = {}
    for path in ("/etc/os-release", "/usr/lib/os-release"):
        if (file := below(root, path)).is_file():
            for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
                key, _, value = line.partition("=")
                found.setdefault(key, value.strip().strip('"'))
    return found.get("ID", ""), found.get("VERSION_ID", "").split(".")[0]


# --- users and groups below a root ----------------------------------------------------------------


def entries(root: Path, path: str) -> list[list[str]]:
    """The lines of /etc/passwd or /etc/group below a root."""
    file = below(root, path)
    if not file.is_file():
        return []
    return [line.split(":") for line in file.read_text(encoding="utf-8", errors="replace").splitlines() if ":" in line]


def owner(wish: Wish) -> tuple[int, int] | None:
    """User and group number of the service's user; None where it is not there yet, or we may not give files away."""
    if os.geteuid() != 0:
        return None
    found = [line for line in entries(wish.root, "/etc/passwd") if line[0] == wish.place.user]
    return (int(found[0][2]), int(found[0][3])) if found else None


def next_uid(wish: Wish) -> int:
    """The number that the user has, or will get: the highest free one of the system's."""
    lines = entries(wish.root, "/etc/passwd")
    taken = {int(line[2]) for line in lines if len(line) > 2 and line[2].isdigit()}
    own = [int(line[2]) for line in lines if line[0] == wish.place.user]
    with_group = {int(line[2]) for line in entries(wish.root, "/etc/group") if len(line) > 2 and line[2].isdigit()}
    return own[0] if own else next(number for number in range(990, 100, -1) if number not in taken | with_group)


def user_steps(wish: Wish) -> list[Step]:
    """The user, with the groups that sound, pins, buttons and screen need."""
    user, uid = wish.place.user, wish.place.uid
    prefix = [] if wish.here else ["--prefix", str(wish.root)]
    there = [line[0] for line in entries(wish.root, "/etc/group")]
    groups = ",".join(name for name in GROUPS if name in there)
    is_there = any(line[0] == user for line in entries(wish.root, "/etc/passwd"))
    if is_there:
        return [Run(["usermod", *prefix, "--append", "--groups", groups, user])] if groups else []
    return [
        Run(["groupadd", *prefix, "--system", "--gid", str(uid), user], needed=lambda: user not in there),
        Run(["useradd", *prefix, "--system", "--uid", str(uid), "--gid", user, "--home-dir", wish.place.data,
             "--no-create-home", "--shell", "/usr/sbin/nologin", *(["--groups", groups] if groups else []), user]),
    ]


# --- the steps -------------------------------------------------------------------------------------


def install_steps(wish: Wish) -> list[Step]:
    """All steps in their order."""
    place = wish.place
    steps: list[Step] = []
    if wish.packages:
        steps += package_steps(wish)
    steps += user_steps(wish)
    steps += [Folder(place.program, 0o755)]
    steps += [Copy(ROOT / name, f"{place.program}/{name}") for name in PROJECT]
    steps += environment_steps(wish)
    steps += [
        Write(f"{place.data}/settings.toml", SETTINGS, stays=True),
        Folder(place.data, 0o750, lambda: owner(wish)),
        Write(f"/var/lib/systemd/linger/{place.user}", ""),
        Write(f"{FOLDER}/{HOST}", host_unit(place)),
    ]
    if wish.here:  # the vocabulary is prepared now, not at the first evening
        env = {"GAMEHOST_DATA": place.data, "GAMEHOST_CACHE": f"{place.data}/cache", "HOME": place.data}
        steps += [Run(["runuser", "-u", place.user, "--", place.launcher, "doctor", "--no-sound"], may_fail=True,
                      env=env)]
    steps += [Write(f"{FOLDER}/{SCREEN}", screen_unit(place))] if wish.screen else []
    names = [HOST, *([SCREEN] if wish.screen else [])]
    return [*steps, *service_steps(wish, names)]


def package_steps(wish: Wish) -> list[Step]:
    """apt, in the system itself or in the one below the root."""
    names = [*PACKAGES, *(SCREEN_PACKAGES if wish.screen else ())]
    inside = [] if wish.here else ["chroot", str(wish.root)]
    env = {"DEBIAN_FRONTEND": "noninteractive"}

    def missing() -> bool:
        status = below(wish.root, "/var/lib/dpkg/status")
        text = status.read_text(encoding="utf-8", errors="replace") if status.is_file() else ""
        there = {match[1] for match in re.finditer(r"^Package: (\S+)\nStatus: install ok installed$", text, re.M)}
        return not set(names) <= there

    return [Run([*inside, "apt-get", "update", "-q"], missing, may_fail=True, env=env),
            Run([*inside, "apt-get", "install", "-q", "-y", "--no-install-recommends", *names], missing, env=env)]


def environment_steps(wish: Wish) -> list[Step]:
    """The Python environment, made now: at the first evening there may be no network."""
    place = wish.place
    inside = [] if wish.here else ["chroot", str(wish.root)]
    into = (f"for folder in {place.program}/.venv/lib/python3*/site-packages; "
            f'do echo {SYSTEM_PYTHON} > "$folder/gamehost-gpio.pth"; done')

    def runs() -> bool:
        return wish.here or shutil.which("sh", path=str(below(wish.root, "/usr/bin"))) is not None

    system = {"GAMEHOST_PYTHON": "/usr/bin/python3"}  # not one that only root may read
    return [Run([*inside, place.launcher, "--version"], runs, env=system), Run([*inside, "sh", "-c", into], runs),
            Run([*inside, "runuser", "-u", place.user, "--", place.launcher, "--version"], runs)]


def service_steps(wish: Wish, names: Sequence[str]) -> list[Step]:
    """Switch on, and start where the system runs."""
    steps: list[Step] = [Run(["systemctl", *([] if wish.here else [f"--root={wish.root}"]), "enable", *names])]
    if wish.here and Path("/run/systemd/system").is_dir():
        steps.insert(0, Run(["systemctl", "daemon-reload"]))
        steps += [Run(["systemctl", "start", f"user@{wish.place.uid}.service"], may_fail=True),
                  Run(["systemctl", "restart", "--no-block", *names])]
    return steps


def uninstall_steps(wish: Wish, purge: bool = False) -> list[Step]:
    """The way back; packages stay, for others may need them, and so do the data without --purge."""
    place = wish.place
    prefix = [] if wish.here else ["--prefix", str(wish.root)]
    there = [name for name in (HOST, SCREEN) if below(wish.root, f"{FOLDER}/{name}").exists()]
    steps: list[Step] = []
    if there:
        root = [] if wish.here else [f"--root={wish.root}"]
        running = wish.here and Path("/run/systemd/system").is_dir()
        steps.append(Run(["systemctl", *root, "disable", *(["--now"] if running else []), *there], may_fail=True))
    steps += [Remove(f"{FOLDER}/{HOST}"), Remove(f"{FOLDER}/{SCREEN}"), Remove(place.program),
              Remove(f"/var/lib/systemd/linger/{place.user}")]
    if any(line[0] == place.user for line in entries(wish.root, "/etc/passwd")):
        steps.append(Run(["userdel", *prefix, place.user], may_fail=True))
    if purge:
        steps.append(Remove(place.data))
    if wish.here and Path("/run/systemd/system").is_dir():
        steps.append(Run(["systemctl", "daemon-reload"]))
    return steps
