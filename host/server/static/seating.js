// The screen's dialog for comings and goings in a running game: who joins, leaves, changes seats or teams (CE-1, VN-1).

import { el, icon, show } from "./common.js";

/** Whether a game is on whose seats may change. */
export function seatsMayChange(view) {
  const game = view.game || {};
  return Boolean(game.board || game.teams) && !view.gathering && !view.done;
}

/** What waits for the end of a round: "Maya joins, Ben leaves". */
export function comingText(view) {
  const says = { join: "joins", leave: "leaves", over: "changes teams", swap: "change seats", trade: "change teams" };
  return (view.coming || []).map(([kind, names]) => `${names.join(" and ")} ${says[kind]}`).join(", ");
}

export class Seating {
  constructor(dialog, touch) {
    this.dialog = dialog;
    this.touch = touch;
    this.chosen = [];
    this.view = null;
    this.who = el("div", { class: "who" });
    this.actions = el("div", { class: "actions", role: "status" });
    this.coming = el("p", { class: "coming" });
    this.join = el("div", { class: "join-in" });
    this.name = el("input", { id: "newcomer", maxlength: 20, autocomplete: "off", placeholder: "Name", "aria-label": "Name of who joins" });
    this.note = el("p", { role: "alert", class: "note" });
    dialog.append(
      el("div", { class: "row" }, el("h2", {}, "Who plays"), el("button", { type: "button", onclick: () => dialog.close() }, "Close")),
      this.who, this.actions, this.coming, el("h3", {}, "Somebody joins"), this.name, this.note, this.join,
    );
  }

  open(view) {
    this.chosen = [];
    this.name.value = "";
    this.note.textContent = "";
    this.draw(view);
    this.dialog.showModal();
  }

  /** Show the seats as they are now; whoever was chosen and has gone is chosen no more. */
  draw(view) {
    this.view = view;
    this.chosen = this.chosen.filter((seat) => seat < view.players.length);
    show(this.who, [view.players, this.chosen, teamsOf(view)], ([players, chosen]) => players.map(([name, colour], seat) => el("button", {
      type: "button", "aria-pressed": String(chosen.includes(seat)), onclick: () => this.choose(seat),
    }, icon(colour), el("span", { class: "name" }, name), el("span", { class: "team" }, teamOf(view, seat)),
    el("span", { class: "tick", "aria-hidden": "true" }, chosen.includes(seat) ? "✓" : ""))));
    show(this.actions, [view.players, this.chosen, teamsOf(view)], () => this.possible());
    show(this.coming, comingText(view), (text) => (text ? `After this round: ${text}.` : ""));
    show(this.join, [view.joining, teamsOf(view)], ([joining]) => this.places(joining || []));
    this.name.hidden = !(view.joining || []).length;
  }

  choose(seat) {
    this.chosen = this.chosen.includes(seat) ? this.chosen.filter((one) => one !== seat) : [...this.chosen, seat].slice(-2);
    this.draw(this.view);
  }

  done(message) {
    this.touch(message);
    this.dialog.close();
  }

  /** What can be done with who is chosen. */
  possible() {
    const { chosen, view } = this;
    const name = (seat) => (view.players[seat] || [""])[0];
    const teams = teamsOf(view);
    const action = (label, message) => el("button", { type: "button", class: "main", onclick: () => this.done(message) }, label);
    if (!chosen.length) return el("p", {}, teams.length === 1 ? "Touch who leaves." : `Touch who leaves, or two who change ${teams.length ? "teams" : "seats"}.`);
    if (chosen.length === 1) {
      const other = teams.length > 1 && teams.find((team) => !team.seats.includes(chosen[0]));
      return [action(`${name(chosen[0])} leaves`, `leave ${chosen[0]}`), other && action(`${name(chosen[0])} goes over to ${other.name}`, `over ${chosen[0]}`)].filter(Boolean);
    }
    if (teams.length && teams.some((team) => chosen.every((seat) => team.seats.includes(seat)))) {
      return el("p", {}, `${name(chosen[0])} and ${name(chosen[1])} are in one team.`);
    }
    return action(`${name(chosen[0])} and ${name(chosen[1])} change ${teams.length ? "teams" : "seats"}`, `swap ${chosen.join(" ")}`);
  }

  /** A button for each free colour, or for each team that has room. */
  places(joining) {
    if (!joining.length) return el("p", {}, "Nobody more can join.");
    const teams = teamsOf(this.view);
    return joining.map((place) => el("button", { type: "button", onclick: () => this.newcomer(place) },
      teams.length ? el("span", {}, teams.length > 1 ? `with ${teams[Number(place)].name}` : "Join") : [icon(place), el("span", {}, place)]));
  }

  newcomer(place) {
    const name = this.name.value.trim();
    const taken = this.view.players.some(([other]) => other.toLowerCase() === name.toLowerCase());
    if (!name && teamsOf(this.view).length) this.note.textContent = "Type the name first.";
    else if (taken) this.note.textContent = `There is a ${name} already: another name, please.`;
    else this.done(`join ${place} ${name}`.trim());
  }
}

function teamsOf(view) {
  return ((view.game || {}).teams || []).map(({ name, seats }) => ({ name, seats }));
}

function teamOf(view, seat) {
  const teams = teamsOf(view);
  return teams.length > 1 ? (teams.find((team) => team.seats.includes(seat)) || { name: "" }).name : "";
}
