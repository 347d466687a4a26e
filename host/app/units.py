"""The texts of the systemd units, and what they promise.

- The host is started again whatever it ends with, for ever (`StartLimitIntervalSec=0`, KIO-11), 2 s later.
- It tells when it is ready, and its audio loop feeds the watchdog (`Type=notify`, `WatchdogSec`).
- Nothing of it outlives it (`KillMode=control-group`, KIO-17), and it writes to its data folder only.
- The screen is one browser in a compositor that shows nothing else (cage); its profile lies in memory, so a
  power cut leaves neither a lock nor a "restore pages?" behind (KIO-02), and the card is spared (KIO-09).
"""

from dataclasses import dataclass
from pathlib import PurePosixPath

HOST = "gamehost.service"
SCREEN = "gamehost-screen.service"
FOLDER = "/etc/systemd/system"


@dataclass(frozen=True)
class Place:
    """Where the box keeps its things."""

    user: str = "gamehost"
    uid: int = 0
    """The user's number, for the folder of its sound server."""
    program: str = "/opt/gamehost"
    data: str = "/var/lib/gamehost"

    @property
    def launcher(self) -> str:
        """The program that the units start."""
        return str(PurePosixPath(self.program) / "gamehost")


def host_unit(place: Place) -> str:
    """The game host: sound, game, pages."""
    return f"""[Unit]
Description=Game host
Documentation=file:{place.program}/docs/KIOSK.md
After=sound.target network.target user@{place.uid}.service
Wants=user@{place.uid}.service
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=main
ExecStart={place.launcher} box
User={place.user}
WorkingDirectory={place.data}
Environment=GAMEHOST_DATA={place.data} GAMEHOST_CACHE={place.data}/cache HOME={place.data}
Environment=XDG_RUNTIME_DIR=/run/user/{place.uid} PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
Restart=always
RestartSec=2
TimeoutStartSec=300
TimeoutStopSec=5
WatchdogSec=20
KillMode=control-group
Nice=-5
OOMScoreAdjust=-500
LogRateLimitIntervalSec=30
LogRateLimitBurst=300
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
ReadWritePaths={place.data}

[Install]
WantedBy=multi-user.target
"""


def screen_unit(place: Place) -> str:
    """The screen: a compositor with one browser on the first console."""
    return f"""[Unit]
Description=Screen of the game host
Documentation=file:{place.program}/docs/KIOSK.md
After={HOST} systemd-user-sessions.service systemd-logind.service getty@tty1.service
Wants={HOST} dbus.socket systemd-logind.service
Conflicts=getty@tty1.service
ConditionPathExists=/dev/tty0
StartLimitIntervalSec=0

[Service]
Type=simple
ExecStart=/usr/bin/cage -s -- {place.launcher} screen --profile /run/gamehost-screen
User={place.user}
PAMName=login
RuntimeDirectory=gamehost-screen
RuntimeDirectoryMode=0700
Environment=GAMEHOST_DATA={place.data} GAMEHOST_CACHE={place.data}/cache HOME=/run/gamehost-screen
Environment=XDG_SESSION_TYPE=wayland PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
TTYPath=/dev/tty1
TTYReset=yes
TTYVHangup=yes
TTYVTDisallocate=yes
StandardInput=tty-fail
StandardOutput=journal
StandardError=journal
UtmpIdentifier=tty1
UtmpMode=user
Restart=always
RestartSec=3
TimeoutStopSec=5
KillMode=control-group

[Install]
WantedBy=multi-user.target
"""


SETTINGS = """# What the box plays, and how: the options of `gamehost play`, without their dashes.
# Read at the start of each evening. A file that can't be read is set aside, and the last good one is used.

game = "clever"          # or "venn"
screen = 8137            # the port of the screen and the phones
# pause = 5              # seconds between two statements, 3 to 6
# input = "Jabra"        # a part of the microphone's name (see: gamehost doctor)
# output = "Jabra"       # a part of the speaker's name
# buttons = "buttons.toml"   # buttons and lamps, beside this file (docs/BUTTONS.md)
# mqtt = "mqtt://homeassistant.local"   # state and buttons for Home Assistant (docs/KIOSK.md)
"""
"""The settings file that a new box gets."""
