"""Whether what stands on the screen of a terminal window can be read, whatever colours the window has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.color import Color
    from textual.app import App

CONTRAST_MIN: Final = 4.5
FADED_CONTRAST_MIN: Final = 2.5


def luminance(colour: Color) -> float:
    """Return how bright a colour is, as WCAG has it."""
    parts = [value / 255 for value in colour.get_truecolor()]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def unreadable(app: App[None]) -> list[str]:
    """Return the words whose colour is too near to what lies behind them."""
    found = []
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            style = segment.style
            if style is None or not re.search(r"\w", segment.text):
                continue
            assert style.color is not None, segment
            assert style.bgcolor is not None, f"{segment} leaves its background to the terminal"
            light, dark = sorted((luminance(style.color), luminance(style.bgcolor)), reverse=True)
            ratio = (light + 0.05) / (dark + 0.05)
            if ratio < (FADED_CONTRAST_MIN if style.dim else CONTRAST_MIN):
                found.append(f"{segment.text.strip()!r}: {ratio:.1f}")
    return found
