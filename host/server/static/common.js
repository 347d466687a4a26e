// What both pages share: the connection that comes back by itself, the view, and safe DOM.

export const SHAPES = {
  red: "circle", blue: "square", green: "triangle", white: "diamond",
  yellow: "star", purple: "hexagon", silver: "pentagon", turquoise: "cross",
};
const SVG = "http://www.w3.org/2000/svg";
const POINTS = {
  triangle: "0,-11 11,9 -11,9",
  diamond: "0,-12 11,0 0,12 -11,0",
  star: "0,-12 3.4,-4 12,-3.6 5.2,1.8 7.6,10.4 0,5.6 -7.6,10.4 -5.2,1.8 -12,-3.6 -3.4,-4",
  hexagon: "10,-6 10,6 0,12 -10,6 -10,-6 0,-12",
  pentagon: "0,-12 11.4,-3.7 7,9.7 -7,9.7 -11.4,-3.7",
  cross: "-4,-11 4,-11 4,-4 11,-4 11,4 4,4 4,11 -4,11 -4,4 -11,4 -11,-4 -4,-4",
};

/** An element; children are elements or plain text, never markup. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A player's piece: a shape of its own for each colour, so that colour alone tells nothing. */
export function shape(colour) {
  const kind = SHAPES[colour];
  const paint = { class: `piece ${kind ? colour : "plain"}` };
  if (kind === "square") return svg("rect", { ...paint, x: -10, y: -10, width: 20, height: 20, rx: 2 });
  if (kind in POINTS) return svg("polygon", { ...paint, points: POINTS[kind] });
  return svg("circle", { ...paint, r: 11 });
}

export function icon(colour) {
  return svg("svg", { class: "icon", viewBox: "-14 -14 28 28", "aria-hidden": "true" }, shape(colour));
}

/** Rebuild a part of the page only when what it shows has changed. */
const shown = new WeakMap();
export function show(element, data, build) {
  const key = JSON.stringify(data);
  if (shown.get(element) === key) return false;
  shown.set(element, key);
  const made = build(data);
  element.replaceChildren(...(Array.isArray(made) ? made : [made]).flat().filter((child) => child || child === 0));
  return true;
}

export const remembered = {
  get(key) { try { return localStorage.getItem(key) || ""; } catch { return ""; } },
  set(key, value) { try { value ? localStorage.setItem(key, value) : localStorage.removeItem(key); } catch { /* private mode */ } },
};

/** A connection that comes back by itself. `on.view(view)`, `on.message(message)`, `on.state(connected)`. */
export class Connection {
  constructor(hello, on) {
    this.hello = hello;
    this.on = on;
    this.view = null;
    this.wait = 250;
    this.timer = 0;
    this.heard = 0;
    setInterval(() => this.check(), 1000);
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.retry(); });
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => this.send({ type: "hello", ...this.hello() });
    socket.onmessage = (event) => { if (socket === this.socket) this.receive(JSON.parse(event.data)); };
    socket.onclose = () => { if (socket === this.socket) this.lost(); };
  }

  receive(message) {
    this.heard = Date.now();
    if (message.type === "ping") { this.send({ type: "echo", n: message.n }); return; }
    if (message.type === "snapshot") this.view = message.view;
    else if (message.type === "set" && this.view) this.merge(message);
    else { this.on.message(message); return; }
    this.wait = 250;
    this.on.state(true);
    this.on.view(this.view);
  }

  merge(message) {
    Object.assign(this.view, message.view);
    Object.assign(this.view.game, message.game);
    for (const key of message.view_gone || []) delete this.view[key];
    for (const key of message.game_gone || []) delete this.view.game[key];
  }

  lost() {
    this.socket = null;
    this.on.state(false);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2000, this.wait * 1.6);
  }

  check() { // nothing for 6 s though the host pings every 2 s: the connection is dead and does not know it
    if (this.socket && Date.now() - this.heard > 6000) this.drop();
  }

  drop() {
    const socket = this.socket;
    this.lost();
    if (socket) socket.close();
  }

  retry() { if (!this.socket) { this.wait = 250; this.open(); } }

  again() { this.drop(); }

  send(message) {
    if (this.socket && this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

export const VERDICTS = {
  right: ["✓", "right"], wrong: ["✗", "wrong"], unspecific: ["…", "more exactly?"], again: ["?", "once more"],
};

export function verdictText(verdict, players) {
  const [sign, word] = VERDICTS[verdict.verdict] || ["", verdict.verdict];
  const who = verdict.seat === null || verdict.seat === undefined ? "" : (players[verdict.seat] || [""])[0];
  const spaces = verdict.spaces ? ` ${verdict.spaces > 0 ? "+" : "−"}${Math.abs(verdict.spaces)}` : "";
  return { sign, word, who, spaces, said: verdict.text };
}

const COMMANDS = [
  ["repeat", "Repeat"], ["repeat_all", "Read them all"], ["score", "Score"], ["guesses", "Guesses left"],
  ["skip", "Skip this card"], ["objection", "We object"], ["undo", "Undo"], ["turn", "Whose turn?"],
  ["slower", "Slower"], ["faster", "Faster"], ["quieter", "Quieter"], ["louder", "Louder"],
  ["known_card", "We know this card"], ["bad_card", "Bad card"], ["help", "Help"], ["stop", "Stop the game"],
];

const IN_VENN = { repeat_all: "The words again", guesses: "Words so far", skip: "Other words", known_card: "", bad_card: "" };

/** Commands and their labels as they fit the game. */
export function commandsOf(game) {
  if (!(game || {}).teams) return COMMANDS;
  return COMMANDS.map(([command, label]) => [command, IN_VENN[command] ?? label]).filter(([, label]) => label);
}
