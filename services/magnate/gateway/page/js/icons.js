// Our own drawings, 24 by 24, as paths; `fill` ones are solid, the rest are lines.

import { s } from "./dom.js";

const LINES = {
  unit: "M7 3h10a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM8.500 6.500h7v3h-7zM9 13h.01M12 13h.01M15 13h.01M9 17h.01M12 17h.01M15 17h.01",
  cards:
    "M3 8.500A1.500 1.500 0 0 1 4.500 7h12A1.500 1.500 0 0 1 18 8.500v8a1.500 1.500 0 0 1-1.500 1.500h-12A1.500 1.500 0 0 1 3 16.500zM3 11h15M7 4h12.500A1.500 1.500 0 0 1 21 5.500V14",
  chart: "M4 4v16h16M7.500 15l3.500-4 3 2.500L19.500 7",
  banker: "M12 3l8 3.500v5c0 4.500-3.200 8-8 9.500-4.800-1.500-8-5-8-9.500v-5zM8.500 12l2.500 2.500 4.500-5",
  gear: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.800v4.400M9 14.800v4.400",
  home: "M4 11l8-7 8 7M6 9.500V20h12V9.500M10 20v-5.500h4V20",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2M14 18v2M17 17h3v3h-2",
  copy: "M9 9h10v11H9zM5 15V4h10",
  undo: "M8 5L4 9l4 4M4 9h10a5.500 5.500 0 0 1 0 11h-3",
  renew: "M20 12a8 8 0 1 1-2.500-5.800M20 3.500v5h-5",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.500v15l12-7.500z",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  hammer: "M14 4l6 6M12.500 5.500l6 6M9.500 8.500l6 6M11 11l-7.500 7.500 2 2L13 13M13 21h8",
  close: "M6 6l12 12M18 6L6 18",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  key: "M14.500 9.500a4.500 4.500 0 1 0-3.800 4.400L12.500 15.500H15V18h2.500v2.500H21V17l-6.800-6.200M8.500 8h.01",
  flag: "M6 21V4M6 5c4-2.500 7 2.500 12 0v8c-5 2.500-8-2.500-12 0",
  trash: "M5 7h14M9.500 7V4h5v3M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5",
  arrow: "M4 12h14M13 6.500l6 5.500-6 5.500",
  tick: "M4.500 12.500l5 5.500L20 6.500",
  sound: "M4 9.500v5h4l5 4v-13l-5 4zM16 9a4 4 0 0 1 0 6M18.500 6.500a7.500 7.500 0 0 1 0 11",
  wave: "M6 14a8 8 0 0 1 12 0M8.500 16.500a4.800 4.800 0 0 1 7 0M12 19.500h.01M3.500 11.500a11.500 11.500 0 0 1 17 0",
};

const PERSON =
  "M12 4.300a3.200 3.200 0 1 1 0 6.400 3.200 3.200 0 0 1 0-6.400zM5.500 20c0-4.200 2.700-7 6.500-7s6.500 2.800 6.500 7z";

const FILLED = {
  person: PERSON,
  three:
    "M12 3.500a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM5 6.500a2.300 2.300 0 1 1 0 4.600 2.300 2.300 0 0 1 0-4.600zM19 6.500a2.300 2.300 0 1 1 0 4.600 2.300 2.300 0 0 1 0-4.600zM6.500 20c0-5 2-8.500 5.500-8.500s5.500 3.500 5.500 8.500zM.8 19c0-3.800 1.200-6.500 4-6.500.9 0 1.600.3 2.200.8-1.300 1.600-1.900 3.700-2 5.700zM23.200 19c0-3.800-1.200-6.500-4-6.500-.9 0-1.600.3-2.200.8 1.300 1.600 1.900 3.700 2 5.700z",
  // A sign for each seat, so that no player is known by colour alone.
  seat0: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  seat1: "M12 3l10 17.500H2z",
  seat2: "M4 4h16v16H4z",
  seat3: "M12 1.500L22.500 12 12 22.500 1.500 12z",
  seat4: "M12 1.800l3.100 6.800 7.400.8-5.500 5 1.500 7.300L12 18l-6.500 3.700L7 14.400l-5.500-5 7.400-.8z",
  seat5: "M8.500 2.500h7v6h6v7h-6v6h-7v-6h-6v-7h6z",
  seat6: "M6.500 2.500h11L23 12l-5.500 9.500h-11L1 12z",
  seat7: "M12 21.500C5 16.500 2 12.500 2 8.500A5.200 5.200 0 0 1 12 6.300 5.200 5.200 0 0 1 22 8.500c0 4-3 8-10 13z",
};

/** Makes a drawing; it says nothing to a screen reader, so a word must stand beside it. */
export function icon(name) {
  const filled = name in FILLED;
  return s(
    "svg",
    { class: filled ? "icon filled" : "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    s("path", { d: filled ? FILLED[name] : LINES[name] }),
  );
}

/** The sign of a seat. */
export function seatSign(seat) {
  return icon(`seat${seat % 8}`);
}
