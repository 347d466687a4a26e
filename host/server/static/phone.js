// The phone: join by code, take a seat, buzz, see one's own piece.

import { Connection, commandsOf, el, icon, remembered, show, verdictText } from "./common.js";
import { comingText } from "./seating.js";

const byId = (id) => document.getElementById(id);
const main = byId("main");
let asksCode = false;
let why = "";
let noted = 0;
let chosen = "";

if (/^#\d{3,10}$/.test(location.hash)) {
  remembered.set("code", location.hash.slice(1));
  history.replaceState(null, "", location.pathname); // the code is not left lying in the address bar
}

const connection = new Connection(
  () => ({ role: "phone", code: remembered.get("code"), token: remembered.get("token") }),
  {
    state(connected) { byId("offline").hidden = connected; },
    message(message) {
      byId("offline").hidden = true;
      if (message.type === "token") remembered.set("token", message.token);
      else if (message.type === "note") note(message.text);
      else if (message.type === "code") { asksCode = true; why = message.why; remembered.set("code", ""); render(); }
    },
    view() { asksCode = false; render(); },
  },
);

function note(text) {
  byId("note").textContent = text;
  clearTimeout(noted);
  noted = setTimeout(() => { byId("note").textContent = ""; }, 5000);
}

function touch(message) { connection.send({ type: "touch", message }); }

function render() {
  const view = connection.view;
  if (asksCode) { header(null); show(main, ["code", why], codePage); return; }
  if (!view) return;
  byId("title").textContent = view.title || "Game host";
  const index = view.you.index;
  header(index === null ? null : view.players[index]);
  if (view.done) show(main, ["done"], () => el("h2", {}, "Good night!"));
  else if (index !== null) playPage(view, index);
  else if (view.you.seat) show(main, ["wait", view.you.seat, (view.coming || []).some(([kind]) => kind === "join")], waitPage);
  else if (view.gathering === "who") show(main, ["join", view.players, view.taken, view.colours], joinPage);
  else if (view.players.length) show(main, ["seats", view.players, view.taken, view.joining || [], teamNames(view)], seatsPage);
  else show(main, ["soon"], () => el("h2", {}, "The game begins soon."));
}

function header(player) {
  show(byId("mine"), player, () => (player ? [icon(player[1]), el("span", {}, player[0])] : []));
}

function codePage() {
  const input = el("input", {
    class: "code", inputmode: "numeric", pattern: "[0-9]*", autocomplete: "off", maxlength: 8, "aria-label": "Code", id: "code",
  });
  const form = el("form", { class: "grid" }, input, el("button", { class: "main" }, "Join"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    remembered.set("code", input.value.trim());
    connection.send({ type: "hello", role: "phone", code: input.value.trim() });
  });
  setTimeout(() => input.focus());
  return [el("h2", {}, "Type the code on the screen"), form, el("p", { role: "alert" }, why)];
}

function teamNames(view) {
  return ((view.game || {}).teams || []).map((team) => team.name);
}

function seatsPage([, players, taken, joining, teams]) {
  const seats = [el("h2", {}, "Who are you?"), el("div", { class: "grid" }, players.map(([name, colour]) => {
    const seat = colour || name.toLowerCase();
    const gone = taken.includes(seat);
    return el("button", { type: "button", disabled: gone, onclick: () => connection.send({ type: "sit", seat }) },
      icon(colour), el("span", {}, name), gone && el("small", {}, "has a phone"));
  }))];
  if (!joining.length) return seats;
  return [...seats, ...(teams.length ? teamPage(joining, teams) : joinPage([, [], [], joining], "Or join in"))];
}

/** Venn has no colours: a name, and a team that has room. */
function teamPage(joining, teams) {
  const name = nameField();
  return [el("h2", {}, "Or join in"), name, el("div", { class: "grid" }, joining.map((place) => el("button", {
    type: "button", class: "main", onclick: () => {
      if (!name.value.trim()) note("Type your name.");
      else connection.send({ type: "join", colour: place, name: name.value });
    },
  }, teams.length > 1 ? `With ${teams[Number(place)]}` : "Join")))];
}

function nameField() {
  const name = el("input", { maxlength: 20, autocomplete: "off", placeholder: "Your name", "aria-label": "Your name", id: "name" });
  name.value = (byId("name") || { value: "" }).value;
  return name;
}

function namePage(players, taken) {
  const name = nameField();
  const known = players.filter(([who]) => !taken.includes(who.toLowerCase()));
  return [
    el("h2", {}, "What is your name?"), name,
    el("button", { type: "button", class: "main", id: "join", onclick: () => {
      if (!name.value.trim()) note("Type your name.");
      else connection.send({ type: "join", colour: "-", name: name.value });
    } }, "Join"),
    el("div", { class: "grid" }, known.map(([who]) => el("button", {
      type: "button", onclick: () => connection.send({ type: "sit", seat: who.toLowerCase() }),
    }, icon(""), el("span", {}, who)))),
  ];
}

function joinPage([, players, taken, colours], title = "Your name and your colour") {
  if (!colours.length) return namePage(players, taken);
  const name = nameField();
  const owner = Object.fromEntries(players.map(([who, colour]) => [colour, who]));
  const buttons = colours.map((colour) => el("button", {
    type: "button", disabled: taken.includes(colour), "aria-pressed": String(chosen === colour),
    onclick: (event) => {
      chosen = colour;
      for (const other of event.currentTarget.parentElement.children) other.setAttribute("aria-pressed", String(other === event.currentTarget));
      if (owner[colour] && !name.value) name.value = owner[colour];
    },
  }, icon(colour), el("span", {}, colour), owner[colour] && el("small", {}, owner[colour])));
  return [
    el("h2", {}, title), name, el("div", { class: "grid" }, buttons),
    el("button", {
      type: "button", class: "main", id: "join",
      onclick: () => {
        if (!chosen) note("Choose a colour.");
        else connection.send({ type: "join", colour: chosen, name: name.value });
      },
    }, "Join"),
  ];
}

function waitPage([, seat, later]) {
  return [el("h2", {}, later ? "You play from the next round on." : "One moment ..."), el("button", { type: "button", onclick: leave }, `I am not ${seat}`)];
}

function leave() {
  remembered.set("token", "");
  connection.send({ type: "leave" });
}

// --- playing -----------------------------------------------------------------------------------

const parts = {};

function playPage(view, index) {
  if (!parts.buzz || parts.buzz.parentElement !== main) buildPlay();
  const game = view.game || {};
  const name = (seat) => (view.players[seat] || [""])[0];
  const state = floorOf(view, index, name);
  parts.buzz.className = state.kind;
  show(parts.buzz, [view.players[index][1], state.big, state.small], ([colour, big, small]) => [
    icon(colour), el("span", {}, big), el("small", {}, small),
  ]);
  show(parts.where, whereOf(game, index), (texts) => texts.map(([label, value]) => el("span", {}, `${label} `, el("b", {}, value))));
  if (show(parts.card, cardOf(game), cardBox)) parts.card.scrollTop = parts.card.scrollHeight;
  parts.card.hidden = !parts.card.childNodes.length;
  show(parts.commands, commandsOf(game).slice(0, 8), (commands) => commands.map(([command, label]) => el("button", {
    type: "button", onclick: () => touch(`command ${command}`),
  }, label)));
  show(parts.seats, [view.players, index, Boolean(game.board || game.teams) && !view.gathering && !view.done, (game.teams || []).map(({ name, seats }) => ({ name, seats })), comingText(view)], seatsPart);
  show(parts.answers, [view.wants, view.gathering, state.kind, view.paused], answersOf);
  const verdicts = (game.verdicts || []).map((verdict) => verdictText(verdict, view.players));
  show(parts.verdict, verdicts.slice(-1), ([last]) => (last ? `${last.who} “${last.said}” ${last.sign} ${last.word}${last.spaces}` : []));
}

function buildPlay() {
  parts.buzz = el("button", { type: "button", id: "buzz" });
  parts.buzz.addEventListener("pointerdown", (event) => { event.preventDefault(); press(); });
  parts.buzz.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && !event.repeat) press();
  });
  for (const key of ["where", "card", "answers", "verdict"]) parts[key] = el(key === "verdict" ? "p" : "div", { class: key === "answers" ? "row" : key });
  parts.verdict.setAttribute("role", "status");
  const more = el("details", {}, el("summary", {}, "More"),
    parts.commands = el("div", { class: "grid" }), parts.seats = el("div", { class: "seats" }));
  show(main, ["play"], () => []); // so that the page from before is drawn anew when it comes back
  main.replaceChildren(parts.where, parts.card, parts.buzz, parts.verdict, parts.answers, more);
}

/** Under "More": change seats or teams, leave the game, or only put the phone away. */
function seatsPart([players, index, playing, teams, coming]) {
  const mine = teams.length > 1 ? teams.find((team) => team.seats.includes(index)) : null;
  const others = players.map(([name, colour], at) => ({ name, colour, at }))
    .filter(({ at }) => at !== index && !(mine && mine.seats.includes(at)));
  const theirs = mine && teams.find((team) => team !== mine);
  const least = teams.length > 1 ? 4 : 2;
  return [
    coming && el("p", {}, `After this round: ${coming}.`),
    playing && teams.length !== 1 && el("h3", {}, mine ? "Change teams with" : "Change seats with"),
    playing && teams.length !== 1 && el("div", { class: "grid" }, others.map(({ name, colour, at }) => el("button", {
      type: "button", onclick: () => touch(`swap ${at}`),
    }, icon(colour), el("span", {}, name)))),
    el("div", { class: "grid" },
      playing && mine && mine.seats.length > Math.max(2, theirs.seats.length) && el("button", { type: "button", onclick: () => touch("over") }, `Go over to ${theirs.name}`),
      el("button", { type: "button", onclick: leave }, "Use another phone"),
      playing && players.length > least && el("button", { type: "button", id: "leave", onclick: really, class: Date.now() < sure ? "sure" : "" }, leaveText())),
  ];
}

/** Somebody leaves only by a second tap, within four seconds. */
let sure = 0;

function leaveText() { return Date.now() < sure ? "Really? Tap again" : "Leave the game"; }

function really() {
  if (Date.now() < sure) { sure = 0; touch("leave"); return; }
  sure = Date.now() + 4000;
  const told = () => {
    const button = byId("leave");
    if (!button) return;
    button.classList.toggle("sure", Date.now() < sure);
    button.textContent = leaveText();
  };
  told();
  setTimeout(told, 4050);
}

function press() {
  connection.send({ type: "press" });
  parts.buzz.classList.add("pressed");
  setTimeout(() => parts.buzz.classList.remove("pressed"), 150);
  if (navigator.vibrate) navigator.vibrate(30);
}

function floorOf(view, index, name) {
  const place = view.next.indexOf(index);
  if (view.paused) return { kind: "idle", big: "Pause", small: "" };
  if (view.floor === index) return { kind: "has", big: "Your answer!", small: "Say it now" };
  if (place === 0) return { kind: "next", big: "You are next", small: `after ${name(view.floor)}` };
  if (place > 0) return { kind: "next", big: `${place} before you`, small: "" };
  if (view.floor !== null) return { kind: "idle", big: `${name(view.floor)} has it`, small: "Press to be next" };
  if (view.gathering === "youngest") return { kind: "idle", big: "Youngest?", small: "Press if it is you" };
  if (view.gathering) return { kind: "idle", big: "You are in", small: "" };
  if (view.wants.includes("call") && view.wants.includes("yes_no")) return { kind: "idle", big: "VENN!", small: "Yes, it was us" };
  if (view.wants.includes("call")) return { kind: "idle", big: "VENN!", small: "for your team" };
  if (view.wants.includes("seat")) return { kind: "idle", big: "It was me", small: "" };
  if ((view.game || {}).teams) return { kind: "idle", big: view.wants.includes("ready") ? "Ready" : "Wait ...", small: "" };
  return { kind: "idle", big: "Buzz", small: "" };
}

function whereOf(game, index) {
  const own = (game.players || [])[index];
  if (own && game.board) {
    return [["Space", own.place === 0 ? "Start" : `${own.place} of ${game.board.spaces.length - 1}`],
      ["Free guesses", own.guesses ? String(own.free) : "you read"]];
  }
  return (game.teams || []).map((team) => [team.name, String(team.points)]);
}

function cardOf(game) {
  const secret = game.secret ? { secret: game.secret } : {};
  if (!game.card) return secret;
  const { category, statements, answer, over, whole } = game.card;
  return { category, statements, answer: over ? answer : null, whole, ...secret };
}

function cardBox(card) {
  if (card.secret) return [el("p", {}, "Only for your eyes: your numbers"), el("p", { class: "secret" }, card.secret.join(" · "))];
  if (card.whole) {
    return [el("p", {}, el("b", {}, card.whole.category), ` – ${card.whole.answer}`),
      el("ol", {}, card.whole.statements.map((text) => el("li", {}, text)))];
  }
  if (!card.category && !(card.statements || []).length) return [];
  return [el("b", {}, card.answer ? `${card.category}: ${card.answer}` : card.category || ""),
    el("ol", {}, card.statements.map((text) => el("li", {}, text)))];
}

function answersOf([wants, gathering, kind, paused]) {
  const made = [];
  const add = (label, message, look = "") => made.push(el("button", { type: "button", class: look, onclick: () => touch(message) }, label));
  if (wants.includes("yes_no")) { add("Yes", "yes", "main"); add("No", "no"); }
  if (wants.includes("ready")) add(gathering ? "That is all" : "Go", "ready", "main");
  if (paused) add("Go on", "command continue", "main");
  if (kind === "has" && wants.includes("guess")) {
    const input = el("input", { maxlength: 60, placeholder: "or type it", "aria-label": "Your answer", autocomplete: "off" });
    const form = el("form", { class: "row" }, input, el("button", {}, "Send"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (input.value.trim()) touch(`say ${input.value.trim()}`);
      input.value = "";
    });
    made.push(form);
  }
  return made;
}
