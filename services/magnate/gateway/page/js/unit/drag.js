// Cards can be carried into a slot with finger or mouse. A tap stays a tap.

const FAR = 10;

/** Lets `button` be dragged onto a slot inside `root`; `drop(slot)` is told. */
export function listenDrag(button, root, drop) {
  let begun = null;
  let ghost = null;
  const end = () => {
    ghost?.remove();
    ghost = null;
    begun = null;
    button.classList.remove("dragged");
    for (const slot of root.querySelectorAll(".slot.over")) slot.classList.remove("over");
  };
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".slot") ?? null;
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    begun = { x: event.clientX, y: event.clientY, id: event.pointerId };
    // A fast mouse has left the card before it is heard of again.
    button.setPointerCapture(event.pointerId);
  });
  button.addEventListener("pointermove", (event) => {
    if (!begun || event.pointerId !== begun.id) return;
    if (!ghost) {
      if (Math.hypot(event.clientX - begun.x, event.clientY - begun.y) < FAR) return;
      ghost = button.querySelector(".face").cloneNode(true);
      ghost.classList.add("ghost");
      ghost.style.width = `${button.clientWidth}px`;
      ghost.style.height = `${button.clientHeight}px`;
      document.body.append(ghost);
      button.classList.add("dragged");
    }
    ghost.style.left = `${event.clientX}px`;
    ghost.style.top = `${event.clientY}px`;
    const over = under(event);
    for (const slot of root.querySelectorAll(".slot")) slot.classList.toggle("over", slot === over);
  });
  button.addEventListener("pointerup", (event) => {
    const carried = Boolean(ghost);
    const slot = carried ? under(event) : null;
    end();
    if (!carried) return;
    // What was carried was not tapped: the click that may follow is not for the card.
    const once = new AbortController();
    button.addEventListener("click", (click) => click.stopImmediatePropagation(), {
      capture: true,
      signal: once.signal,
    });
    setTimeout(() => once.abort(), 0);
    if (slot) drop(slot.dataset.slot);
  });
  button.addEventListener("pointercancel", end);
}
