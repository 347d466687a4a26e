// The octagonal board: a ring of spaces, the Winner's Circle in the middle, pieces that move.

import { shape, svg } from "./common.js";

const RADIUS = 128;
const CORNERS = Array.from({ length: 9 }, (_, corner) => {
  const angle = Math.PI * (0.625 + corner / 4); // begins at the lower left, clockwise
  return [RADIUS * Math.cos(angle), RADIUS * Math.sin(angle)];
});

const CORNER = [[-70, 140], [-94, 140], [-118, 140], [-142, 140], [-94, 116], [-118, 116], [-142, 116], [-118, 92]];

/** Where a space lies: all but the last along the octagon, the last one in the middle. */
export function place(index, count) {
  if (index >= count - 1) return [0, 0];
  const along = (index / (count - 1)) * 8;
  const side = Math.min(7, Math.floor(along));
  const [x0, y0] = CORNERS[side];
  const [x1, y1] = CORNERS[side + 1];
  return [x0 + (x1 - x0) * (along - side), y0 + (y1 - y0) * (along - side)];
}

export class Board {
  constructor() {
    this.spaces = svg("g");
    this.pieces = svg("g");
    this.root = svg("svg", { viewBox: "-155 -155 310 310", role: "img" }, this.spaces, this.pieces);
    this.drawn = "";
    this.seats = [];
  }

  draw(spaces, players) {
    const key = JSON.stringify(spaces);
    if (key !== this.drawn) {
      this.drawn = key;
      this.spaces.replaceChildren(...this.ring(spaces));
    }
    this.move(spaces.length, players);
    const where = players.map((player) => `${player.name} on ${player.place === 0 ? "Start" : player.place}`);
    this.root.setAttribute("aria-label", `The board: ${where.join(", ")}`);
  }

  ring(spaces) {
    const count = spaces.length;
    const parts = [svg("polygon", { class: "ground", points: CORNERS.slice(0, 8).map((at) => at.join()).join(" ") })];
    const [lastX, lastY] = place(count - 2, count);
    parts.push(svg("line", { class: "way", x1: lastX, y1: lastY, x2: 0, y2: 0 }));
    spaces.forEach((space, index) => {
      if (space.arrow !== null && space.arrow !== undefined) parts.push(arrow(index, space.arrow, count));
    });
    spaces.forEach((space, index) => parts.push(this.space(space, index, count)));
    return parts;
  }

  space(space, index, count) {
    const [x, y] = place(index, count);
    const goal = index === count - 1;
    const kind = goal ? "goal" : index === 0 ? "start" : space.red ? "red-zone" : "free-zone";
    const group = svg("g", { class: `space ${kind}`, transform: `translate(${x} ${y})` });
    group.append(svg("circle", { r: goal ? 38 : 12.5 }));
    if (goal) group.append(svg("text", { y: -5 }, "WINNER'S"), svg("text", { y: 8 }, "CIRCLE"));
    else if (space.triangle) group.append(svg("polygon", { class: "draw", points: "0,-7 7,5 -7,5" }));
    else group.append(svg("text", { y: 3.5 }, index === 0 ? "START" : String(index)));
    return group;
  }

  move(count, players) {
    if (this.seats.length !== players.length || this.seats.some((seat, at) => seat.colour !== players[at].colour)) {
      this.seats = players.map((player) => ({
        colour: player.colour,
        element: svg("g", { class: "walker" }, shape(player.colour), svg("text", { y: 4 }, initial(player.name))),
      }));
      this.pieces.replaceChildren(...this.seats.map((seat) => seat.element));
    }
    players.forEach((player, at) => {
      if (player.place === 0) { this.put(at, ...waiting(at, players), 0.95); return; }
      const here = players.filter((other) => other.place === player.place);
      const turn = here.indexOf(player);
      const [x, y] = place(player.place, count);
      const angle = (2 * Math.PI * turn) / here.length - Math.PI / 2;
      const away = here.length === 1 ? 0 : here.length < 4 ? 11 : 15;
      const size = here.length === 1 ? 1 : 0.86;
      this.put(at, x + away * Math.cos(angle), y + away * Math.sin(angle), size);
    });
  }

  put(at, x, y, size) {
    this.seats[at].element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${size})`;
  }
}

/** Before their first move pieces stand in the corner beside START, where they hide no space. */
function waiting(at, players) {
  const turn = players.slice(0, at).filter((other) => other.place === 0).length;
  return CORNER[turn % CORNER.length];
}

function initial(name) { return [...name][0] || ""; }

function arrow(from, to, count) {
  const [x1, y1] = place(from, count);
  const [x2, y2] = place(to, count);
  const bend = 0.62;
  const [mx, my] = [((x1 + x2) / 2) * bend, ((y1 + y2) / 2) * bend];
  const length = Math.hypot(x2 - mx, y2 - my) || 1;
  const [ux, uy] = [(x2 - mx) / length, (y2 - my) / length];
  const [ex, ey] = [x2 - ux * 13, y2 - uy * 13];
  const head = `${ex},${ey} ${ex - 8 * ux + 5 * uy},${ey - 8 * uy - 5 * ux} ${ex - 8 * ux - 5 * uy},${ey - 8 * uy + 5 * ux}`;
  return svg("g", { class: "arrow" },
    svg("path", { d: `M${x1},${y1} Q${mx},${my} ${ex},${ey}` }), svg("polygon", { points: head }));
}
