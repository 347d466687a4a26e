"""What words are worth, and when somebody has won (VN-11 to VN-14, VN-18)."""

from host.games.venn_state import GUESSES, ROUNDS, TO_WIN, Scored


def score(team: int, words: tuple[int, ...], card: tuple[int, ...], called: bool) -> Scored:
    """A point for each word on the card, whichever circle it is, and one more for a caller's three (VN-11)."""
    right = sum(word in card for word in words)
    return Scored(team, words, card, called, right + (called and right == GUESSES))


def gained(scored: tuple[Scored, ...], teams: int) -> tuple[int, ...]:
    """Points of a round by team."""
    return tuple(sum(one.points for one in scored if one.team == team) for team in range(teams))


def winner(points: tuple[int, ...], gains: tuple[int, ...]) -> int | None:
    """Who wins with the round that has just ended; None: play on (VN-13).

    Most points win once somebody has twelve; level, whoever scored more in this round; level again, an extra round.
    """
    if max(points) < TO_WIN:
        return None
    for first, second in (points, gains):
        if first != second:
            return 0 if first > second else 1
    return None


def together(points: int, played: int) -> bool | None:
    """Whether a cooperative game is won (True), lost (False) or goes on (VN-18)."""
    if points >= TO_WIN:
        return True
    return False if played >= ROUNDS else None
