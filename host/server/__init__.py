"""Screen and phones: a page each, one WebSocket a client, from a thread at the edge.

The thread only posts to the inbox (presses and messages) and only shows what `Table.view` lets out, for the
screen or for one seat. A client gets a snapshot and then what changed. Nothing in here steps a game.

    guard       who may talk to us: Host, Origin, pairing code, seat tokens, how much and how often
    messages    what a client may say, read without trust
    seats       which phone sits where
    hub         between the loop's thread and the server's: the newest state, the line being said
    web         pages and the WebSocket
    run         the thread, the port, the addresses
"""

PORT = 8137
"""Where the pages are, unless another port is asked for."""


class ServerError(Exception):
    """The pages can't be served; one clear sentence that says what to do."""
