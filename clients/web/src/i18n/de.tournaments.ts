/** Deutsch: die Seiten der Turniere. */
export const tournamentsText = {
  "events": "Turniere", "noEvents": "Zurzeit kein Turnier.", "hostOne": "Selbst eines leiten: photofinish tournament create DATEI, siehe protocol/TOURNAMENTS.md.",
  "nEntrants": "{n, plural, one {# Teilnehmer} other {# Teilnehmer}}", "standings": "Stand", "rank": "Rang", "bracket": "Turnierbaum", "entrants": "Teilnehmer",
  "rulings": "Entscheidungen", "tableN": "Tisch {n}", "placeN": "Platz {n}", "bye": "spielfrei", "noSuchEvent": "Es gibt kein Turnier {code}.", "bigScreen": "Großbild",
  "rehearsal": "Eine Probe: Bots spielen, nichts wird gewertet.", "officialsPlay": "Offizielle dürfen hier mitspielen.", "roundsOf": "Runden",
  "notPaired": "Noch keine Runde ist ausgelost.", "leftRound": "ausgestiegen in Runde {n}", "checkedIn": "anwesend", "logHead": "Log: {n} Einträge, Kopf {head} …",
  "rulesHash": "Regeln {hash} …", "report": "Bericht", "calendar": "Kalender", "export": "Export", "event.state.created": "angelegt",
  "event.state.open": "Anmeldung offen", "event.state.check_in": "Anwesenheit", "event.state.running": "läuft", "event.state.paused": "pausiert",
  "event.state.finished": "beendet", "event.state.sealed": "versiegelt", "event.state.cancelled": "abgesagt", "event.format.swiss": "Schweizer System",
  "event.format.roundrobin": "jeder gegen jeden", "event.format.single": "K.-o.", "event.format.double": "Doppel-K.-o.", "event.format.arena": "Arena",
  "event.format.slapoff": "Slap-off", "event.round.paired": "ausgelost", "event.round.called": "aufgerufen", "event.round.playing": "läuft",
  "event.round.disputes": "Zeit für Einsprüche", "event.round.closed": "geschlossen", "event.table.set": "ausgelost", "event.table.called": "aufgerufen",
  "event.table.playing": "läuft", "event.table.done": "fertig", "tie.buchholz": "Buchholz", "tie.buchholz.why": "Die Punkte aller Gegner zusammen.",
  "tie.buchholz_cut1": "Buchholz ohne 1", "tie.buchholz_cut1.why": "Wie Buchholz, ohne den schwächsten Gegner.", "tie.sonneborn": "Sonneborn",
  "tie.sonneborn.why": "Die Punkte besiegter Gegner und die Hälfte bei Remis.", "tie.head_to_head": "Direkt", "tie.head_to_head.why": "Das Ergebnis untereinander.",
  "tie.races": "Rennen", "tie.races.why": "Gewonnene Rennen.", "tie.wins": "Siege", "tie.wins.why": "Gewonnene Partien.", "tie.opponents": "Gegner",
  "tie.opponents.why": "Die Stärke der Gegner.", "tie.reaction": "Reaktion", "tie.reaction.why": "Die mittlere Reaktion in Rennen.",
} as const;
