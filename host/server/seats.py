"""Which phone sits where. A seat is known by its colour, or by its player's name where there are no colours.

A phone holds a seat by a token. It keeps the seat while it is away (a pocket, a lost connection, a reload),
until another phone takes it; a seat whose phone is connected can't be taken.
"""

from dataclasses import dataclass, field

from host.server.guard import Pairing


def key_of(name: str, colour: str) -> str:
    """What a seat is called here."""
    return colour or name.lower()


@dataclass(slots=True)
class Seats:
    """Tokens and connections by seat; clients are any numbers that tell connections apart."""

    pairing: Pairing
    _token: dict[str, str] = field(default_factory=dict)
    """Each seat's newest token."""
    _client: dict[str, int] = field(default_factory=dict)
    """The connection of each seat whose phone is there."""

    def sit(self, seat: str, client: int) -> str:
        """Take a seat; its token, or "" where another phone is in it. The client's other seat gets free."""
        if self._client.get(seat, client) != client:
            return ""
        self.leave(client)
        self._client[seat] = client
        self._token[seat] = self.pairing.token(seat)
        return self._token[seat]

    def back(self, token: str, client: int) -> str | None:
        """Come back with a token: the seat, or None where it is another phone's by now, or never was ours.

        The newest connection counts: a phone that reloads is back before its old connection is missed.
        """
        seat = self.pairing.seat_of(token)
        if seat is None or self._token.get(seat, token) != token:
            return None
        self._client[seat], self._token[seat] = client, token
        return seat

    def lost(self, client: int) -> None:
        """A connection ended; the seat waits for its phone."""
        for seat, holder in list(self._client.items()):
            if holder == client:
                del self._client[seat]

    def leave(self, client: int) -> None:
        """The phone gives its seat back for good."""
        for seat, holder in list(self._client.items()):
            if holder == client:
                del self._client[seat]
                self._token.pop(seat, None)

    def drop(self, seat: str) -> None:
        """There is no such seat any more: its phone has none, and its token is void."""
        self._client.pop(seat, None)
        self._token[seat] = ""

    def seat(self, client: int) -> str | None:
        """Where a connection sits."""
        return next((seat for seat, holder in self._client.items() if holder == client), None)

    @property
    def taken(self) -> list[str]:
        """Seats whose phones are connected."""
        return sorted(self._client)
