// The screen: what the host says and hears, card, board, players, and touch for everything.

import { Connection, commandsOf, el, icon, remembered, show, svg, verdictText } from "./common.js";
import { Board } from "./board.js";
import { Seating, comingText, seatsMayChange } from "./seating.js";

const byId = (id) => document.getElementById(id);
const board = new Board();
let fitted = "";
let heardBefore = { card: undefined, text: "" };

if (/^#\d{3,10}$/.test(location.hash)) {
  remembered.set("screen-code", location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}

const connection = new Connection(
  () => ({ role: "screen", code: remembered.get("screen-code") }),
  {
    state(connected) { byId("offline").hidden = connected; },
    message(message) { if (message.type === "code") askCode(message.why); },
    view(view) { byId("code").close(); render(view); },
  },
);

const seating = new Seating(byId("seats"), touch);
byId("seats-button").addEventListener("click", () => { if (connection.view) seating.open(connection.view); });

function touch(message) { connection.send({ type: "touch", message }); }

function button(label, message, look = "") {
  return el("button", { type: "button", class: look, onclick: () => { touch(message); byId("menu").close(); } }, label);
}

addEventListener("keydown", (event) => {
  if (event.repeat || event.target.closest("input, button, dialog")) return;
  const names = { " ": "space", Enter: "enter" };
  connection.send({ type: "key", key: names[event.key] || event.key });
});

// Nobody needs an arrow in the middle of the screen (KIO-03).
let resting = 0;
function moved() {
  document.documentElement.classList.remove("still");
  clearTimeout(resting);
  resting = setTimeout(() => document.documentElement.classList.add("still"), 2000);
}
addEventListener("pointermove", moved);
moved();

// --- the page ----------------------------------------------------------------------------------

function render(view) {
  const game = view.game || {};
  show(byId("title"), [view.title, game.card && game.card.number, game.round], ([title, card, round]) =>
    `${title || ""}${card ? ` · card ${card}` : round ? ` · round ${round}` : ""}`);
  show(byId("lamp"), lampOf(view), ([kind, sign, text]) => {
    byId("lamp").className = kind;
    return [el("span", { class: "sign", "aria-hidden": "true" }, sign), el("span", { class: "text" }, text)];
  });
  const statements = (game.card || {}).statements || [];
  const reading = !view.speech.over && statements.length > 0 && statements[statements.length - 1] === view.speech.text;
  show(byId("speech"), reading ? { text: `Statement ${statements.length} ...` } : view.speech, (speech) => {
    byId("speech").className = speech.over ? "over" : "";
    return el("span", {}, speech.text);
  });
  if (view.done) show(byId("card"), ["done", game.winner, view.players], donePart);
  else if (view.gathering) show(byId("card"), ["gather", view.gathering, view.players, view.colours], gatherPart);
  else if (game.card) show(byId("card"), ["card", game.card, game.winner, view.players], cardPart);
  else if (game.teams) show(byId("card"), ["venn", game.teams, game.words, game.phase, game.guessing, game.taken, game.scored, view.clock, game.winner, view.paused, comingText(view), view.wants.includes("yes_no")], vennPart);
  fit();
  rightPart(view, game);
  show(byId("verdict"), verdictOf(view, game), verdictPart);
  show(byId("players"), playersOf(view, game), playersPart);
  show(byId("asked"), [view.wants, view.gathering, view.paused], askedPart);
  byId("trouble").hidden = !troubleOf(view);
  show(byId("trouble"), troubleOf(view), (text) => text);
  if (byId("menu").open) menu(view);
  byId("seats-button").hidden = !seatsMayChange(view);
  if (byId("seats").open) seatsMayChange(view) ? seating.draw(view) : byId("seats").close();
}

const TROUBLES = {
  sound: "No sound: plug in the microphone and the speaker.", muted: "Nothing is heard: is the microphone switched off?",
  monitor: "Nobody is heard: is the microphone plugged in?", clipped: "Too loud for the microphone: turn it down.",
  disk: "Nothing is kept of this evening: the disk can't be written.", memory: "The list of played cards was damaged.",
  settings: "The settings could not be read.", recording: "This evening is being recorded.", half_duplex: "Speak after the tone: while the host speaks it hears nothing.",
};

function troubleOf(view) {
  return (view.troubles || []).map((name) => TROUBLES[name]).filter(Boolean).join(" ");
}

function lampOf(view) {
  const name = (seat) => (view.players[seat] || [""])[0];
  if (view.done) return ["", "☾", "Good night"];
  if (view.hearing || view.listening) return ["hears", "◉", view.hearing ? `“${view.hearing}”` : "Somebody is speaking"];
  if (view.floor !== null) return ["hears", "▶", `${name(view.floor)} has the floor${view.next.length ? `, next: ${view.next.map(name).join(", ")}` : ""}`];
  if (view.paused) return ["paused", "❙❙", "Pause"];
  if (!view.speech.over && view.speech.text) return ["", "❝", "The host speaks"];
  return ["listens", "●", "Listening"];
}

function gatherPart([, step, players, colours]) {
  if (step === "teams") return [el("p", { class: "big" }, "These teams?")];
  if (step === "offer") return [el("p", { class: "big" }, "One team together?")];
  if (step === "youngest") return [el("p", { class: "big" }, "Who is the youngest?"), el("p", {}, "Say the colour, or touch it below.")];
  const name = el("input", { maxlength: 20, placeholder: "Name (or none)", "aria-label": "Name", autocomplete: "off" });
  const taken = Object.fromEntries(players.map(([who, colour]) => [colour, who]));
  return [
    el("p", { class: "big" }, "Who is playing?"),
    el("p", {}, colours.length ? "Say: “Anna is blue.” Or touch a colour, or use a phone." : "Say your names, or use a phone."),
    el("div", { class: "gather" }, name, !colours.length && el("button", { type: "button", id: "add", onclick: () => {
      touch(`join - ${name.value}`); name.value = "";
    } }, "Add"), el("div", { class: "colours" }, colours.map((colour) => el("button", {
      type: "button", onclick: () => { touch(`join ${colour} ${name.value}`.trim()); name.value = ""; },
    }, icon(colour), el("span", {}, taken[colour] || colour))))),
  ];
}

function cardPart([, card, winner, players]) {
  if (winner !== null && winner !== undefined) {
    return [el("p", { class: "big" }, `${(players[winner] || [""])[0]} wins!`),
      card.answer && el("p", { class: "answer" }, card.answer), card.note && el("p", { class: "note" }, card.note)];
  }
  const newest = card.statements.length - 1;
  return [
    el("h2", {}, card.category || "?", " ", el("small", {}, card.read && !card.over ? `statement ${card.read} of ${card.of}` : "")),
    card.over && card.answer && el("p", { class: "answer" }, card.answer),
    el("ol", {}, card.statements.map((text, at) => el("li", { class: at === newest && !card.over ? "new" : "" },
      el("b", {}, String(at + 1)), el("span", {}, card.false === at ? `${text} (this one was false)` : text)))),
    card.over && card.note && el("p", { class: "note" }, card.note),
  ];
}

function donePart([, winner, players]) {
  const won = winner !== null && winner !== undefined && players[winner];
  return [won && el("p", { class: "big" }, `${players[winner][0]} has won.`), el("p", { class: "big" }, "Good night!")];
}

const PHASES = {
  collecting: "Read out your words", checking: "Are these right?", telling: "The words", readying: "Ready?",
  counting: "Three, two, one", placing: "Lay your cards", asking: "Which team?", guessing: "say the words",
  revealing: "The numbers", between: "Another round?", over: "The end",
};

function vennPart([, teams, words, phase, guessing, taken, scored, clock, winner, paused, coming, asked]) {
  const whose = guessing === null || !teams[guessing] ? "" : `${teams[guessing].name}: `;
  return [
    el("h2", {}, phase === "placing" && asked ? "Was that a call?" : `${whose}${PHASES[phase] || phase}`),
    clock !== null && el("p", { class: "sand", role: "timer", "data-left": paused ? "" : clock }, String(clock)),
    el("table", { class: "teams" }, el("tbody", {}, teams.map((team, at) => el("tr", {},
      el("th", {}, winner === at ? `${team.name} ★` : team.name), el("td", {}, String(team.points)), el("td", {}, (team.players || []).join(", ")))))),
    taken.length > 0 && el("p", {}, `Said: ${taken.map((number) => words[number - 1]).join(", ")}`),
    scored.map((one) => el("p", {}, `${teams[one.team].name}: numbers ${one.numbers.join(", ")}, ${one.points} points`)),
    coming && el("p", { class: "note" }, `After this round: ${coming}.`),
  ];
}

setInterval(() => { // the sand runs on between two messages
  const sand = document.querySelector(".sand");
  if (!sand || !sand.dataset.left) return;
  sand.dataset.left = String(Math.max(0, Number(sand.dataset.left) - 1));
  sand.textContent = sand.dataset.left;
}, 1000);

function rightPart(view, game) {
  const right = byId("right");
  if (game.board && !view.gathering) {
    if (board.root.parentElement !== right) show(right, ["board"], () => board.root);
    board.draw(game.board.spaces, game.players);
  } else if ((game.words || []).length) {
    show(right, ["words", game.words, game.taken], ([, words, taken]) => el("ol", { class: "words" }, words.map((word, at) =>
      el("li", { class: taken.includes(at + 1) ? "said" : "" }, el("b", {}, String(at + 1)), el("span", {}, word || "?")))));
  } else show(right, ["join", view.join, view.code], () => joinPart(view));
}

function joinPart(view) {
  const { size, path } = view.join.qr;
  return el("div", { class: "join" },
    svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code to join by phone", "shape-rendering": "crispEdges" }, svg("path", { d: path })),
    el("div", {}, el("p", {}, "Phone as a button:"), el("p", {}, el("b", {}, view.join.address)), el("p", { class: "digits" }, view.code)));
}

function verdictOf(view, game) {
  const verdicts = game.verdicts || [];
  const last = verdicts[verdicts.length - 1];
  if (last) return { ...verdictText(last, view.players), kind: last.verdict };
  const card = (game.card || {}).number;
  if (card !== heardBefore.card) heardBefore = { card, text: view.heard }; // what was heard on the card before is over
  return { heard: view.heard === heardBefore.text ? "" : view.heard };
}

function verdictPart(verdict) {
  if (!verdict.word) return el("span", { class: "dim" }, verdict.heard ? `heard: “${verdict.heard}”` : "");
  return [el("b", {}, verdict.who || "Somebody"), el("span", { class: "said" }, `“${verdict.said}”`),
    el("span", { class: `judged ${verdict.kind}` }, `${verdict.sign} ${verdict.word}${verdict.spaces}`)];
}

function playersOf(view, game) {
  return view.players.map(([name, colour], at) => {
    const own = (game.players || [])[at];
    return {
      name, colour, at, has: view.floor === at, next: view.next.indexOf(at) + 1, ask: view.wants.includes("seat"),
      place: own && own.place, free: own && own.free, guesses: own && own.guesses, phone: view.taken.includes(colour || name.toLowerCase()),
    };
  });
}

function playersPart(players) {
  return players.map((one) => {
    const more = one.has ? el("b", {}, "▶ has the floor") : one.next ? el("b", {}, one.next === 1 ? "next" : `next ${one.next}`)
      : one.place === undefined ? (one.phone ? "phone" : "") : `${one.place === 0 ? "Start" : `space ${one.place}`} · ${one.guesses ? `${"●".repeat(one.free) || "no"} free` : "reads"}`;
    return el("button", { type: "button", class: one.has ? "has" : one.next ? "next" : one.ask ? "ask" : "", onclick: () => touch(`seat ${one.at}`) },
      icon(one.colour), el("span", { class: "name" }, one.name), el("span", { class: "more" }, more));
  });
}

function askedPart([wants, gathering, paused]) {
  return [
    wants.includes("yes_no") && [button("Yes", "yes", "main"), button("No", "no")],
    wants.includes("ready") && !wants.includes("yes_no") && button(gathering ? "That is all" : "Go", "ready", "main"),
    paused && button("Go on", "command continue", "main"),
  ].flat();
}

// --- menu and code -----------------------------------------------------------------------------

byId("menu-button").addEventListener("click", () => {
  if (!connection.view) return;
  menu(connection.view);
  byId("menu").showModal();
});

function menu(view) {
  const paused = view.paused;
  show(byId("menu"), [paused, view.code, view.join, commandsOf(view.game)], () => [
    el("div", { class: "row" }, joinPart(view), el("div", { class: "row" },
      button(paused ? "Go on" : "Pause", paused ? "command continue" : "command pause", "main"),
      el("button", { type: "button", onclick: () => byId("menu").close() }, "Close"))),
    el("div", { class: "commands" }, commandsOf(view.game).map(([command, label]) => button(label, `command ${command}`)),
      !(view.game || {}).teams && ["3", "4", "5", "6"].map((seconds) => button(`Pause ${seconds} s`, `command pause_length ${seconds}`))),
  ]);
}

function askCode(why) {
  byId("offline").hidden = true;
  remembered.set("screen-code", "");
  const input = el("input", { inputmode: "numeric", maxlength: 8, "aria-label": "Code", autocomplete: "off" });
  const form = el("form", {}, el("p", {}, "Type the code that the host's own screen or terminal shows."), input, el("button", { class: "main" }, "Show"), el("p", { role: "alert" }, why));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    remembered.set("screen-code", input.value.trim());
    connection.send({ type: "hello", role: "screen", code: input.value.trim() });
  });
  byId("code").replaceChildren(form);
  if (!byId("code").open) byId("code").showModal();
}

/** Shrink the card's type until all of it fits. */
function fit() {
  const card = byId("card");
  const key = `${card.textContent}|${innerWidth}x${innerHeight}`;
  if (key === fitted) return;
  fitted = key;
  for (let size = 1; size > 0.45; size -= 0.05) {
    card.style.setProperty("--fit", size.toFixed(2));
    if (card.scrollHeight <= card.clientHeight + 1) return;
  }
}
addEventListener("resize", fit);
