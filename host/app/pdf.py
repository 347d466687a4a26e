"""A PDF of lines and words, for printed sheets: one font, black on white, points from the lower left corner."""

from collections.abc import Iterable

A4 = (595.28, 841.89)
"""Points: 210 by 297 mm."""
MM = 72 / 25.4
_WIDTHS = {"one": 0.556, "wide": 0.62}
"""Of Helvetica's digits and, roughly, of its letters, by the size of the font."""


class Page:
    """Drawing commands of one page."""

    def __init__(self) -> None:
        self.commands: list[str] = []

    def line(self, x: float, y: float, to_x: float, to_y: float, width: float = 0.5, dashed: bool = False) -> None:
        """A line."""
        dash = "[4 3] 0 d" if dashed else "[] 0 d"
        self.commands.append(f"{width:.2f} w {dash} {x:.2f} {y:.2f} m {to_x:.2f} {to_y:.2f} l S")

    def text(self, x: float, y: float, text: str, size: float) -> None:
        """Words centred on x, their foot at y."""
        kind = "one" if text.isdigit() else "wide"
        half = _WIDTHS[kind] * size * len(text) / 2
        safe = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.commands.append(f"BT /F1 {size:.1f} Tf {x - half:.2f} {y:.2f} Td ({safe}) Tj ET")


def document(pages: Iterable[Page]) -> bytes:
    """The whole file, with its table of places."""
    streams = ["\n".join(page.commands).encode("latin-1", "replace") for page in pages]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(streams)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, stream in enumerate(streams):
        objects.append((f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {A4[0]} {A4[1]}] "
                        f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>").encode())
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    start = len(out)
    out += (f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n"
            f"<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").encode()
    return bytes(out)
