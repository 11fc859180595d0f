/** English: every text of the page. Games' sentences come from the server unless they stand in `en.games`. */
import { tournamentsText } from "./tournaments";
import { gamesEn } from "./games";
import { games2En } from "./games2";

export const en = {
  ...gamesEn,
  ...games2En,
  ...tournamentsText,
  close: "Close", menu: "Menu", chat: "Chat", log: "Log", races: "Races", rules: "Rules", settings: "Settings", sound: "Sound",
  invite: "Invite", share: "Share the link", points: "Points", total: "Total", player: "Player", side: "Points, log and chat",
  fewestWins: "fewest wins", mostWins: "most wins", loading: "Loading …", connecting: "Connecting …", ms: "{n} ms",
  secondsLeft: "{n, plural, one {# second left} other {# seconds left}}",
  canBeSlapped: "can be slapped", canBeChosen: "can be chosen",
  // the table
  yourTurn: "Your turn", youAreNext: "You are next", turnOf: "{name}’s turn", waitForOthers: "Waiting for the others", gameOver: "The game is over",
  yourCards: "Your cards", clocksPlay: "The clocks play for you: make a move to go on", autopilot: "The clocks play for this seat",
  seatIs: "{name} {score}", yourCardN: "your card {n}", cardNOf: "{name}’s card {n}", emptyPlace: "{who}, empty", faceDown: "face down",
  mainPile: "Main pile, {n, plural, one {# card} other {# cards}}", main: "Main · {n}", discard: "Discard · {n}", discardTop: "Discard pile, top {card}",
  discardEmpty: "Discard pile, empty", frozen: "frozen", youDrew: "You drew {card}", youDrewThis: "You drew this", ready: "Ready", notReady: "not ready",
  openLog: "What happened: open the log", connectionIs: "Connection, {ms}", connection: "Connection", pingName: "Round trip", takenOff: "Taken off your times",
  credited: "Credited for late lines", lateLines: "Late lines are", lateProven: "proven by the kernel", lateWithin: "credited without full proof, up to {ms}", falseStarts: "False starts", watchingDelay: "watching, {n} s behind", youWatch: "You are watching",
  lostComingBack: "Connection lost. Coming back …", lost: "Connection lost.", tryNow: "Try now", reload: "Reload", playHere: "Play here", serverAway: "The server does not answer.",
  send: "Send", leaveOut: "Leave it out", sumOf: "{sum} of {want}", pickSome: "Choose {least} to {most}", less: "Less {what}", more: "More {what}",
  tapAgain: "{what}? Tap again", endsRace: "ends the race", tapMeans: "What a tap means", modeSlap: "Slap", modeAct: "Act", aTapSlaps: "A tap slaps",
  slapped: "Slapped", slappedIn: "Slapped · {ms}", judged: "Being judged", raceSaid: "A race is open.",
  gotIt: "Got it", nobodySaid: "Nobody has said anything yet.", saySomething: "Say something …", emotes: "Emotes", noRaces: "No race yet.",
  "emote.hello": "Hello", "emote.thanks": "Thanks", "emote.well_played": "Well played", "emote.oops": "Oops", "emote.wow": "Wow", "emote.hurry": "Hurry!",
  "emote.thinking": "Thinking …", "emote.sorry": "Sorry",
  // races
  youLow: "you", nameYou: "{name} (you)", first: "first", nobodyWon: "Nobody won this race", noMarks: "Nobody tried",
  firstBy: "{name} was first by {ms}", youFirstBy: "You were first by {ms}", firstAlone: "{name} was first, unopposed: {ms}",
  youFirstAlone: "You were first, unopposed: {ms}", deadHeat: "Dead heat of {a} and {b}. The coin chose {a}.",
  falseStart: "false start", wrongCard: "wrong card", tooLate: "after it was decided", youWereFirst: "You were first.",
  youWerePlace: "You were number {n}.", youDidNot: "Every hand’s own time, from seeing the card to the tap.", mayHaveBeen: "may have been", networkTakenOff: "network, taken off",
  saveStrip: "Save strip", goOn: "Go on",
  // menu, leaving
  soundOn: "Sound is on", soundOff: "Sound is off", keysTitle: "Keys", leaveSeat: "Leave the seat", stopWatching: "Stop watching",
  watchers: "{n, plural, =0 {Nobody watches} one {# watcher} other {# watchers}}", handOver: "Make host", kick: "Send away", leave: "Leave", stay: "Stay",
  leaveSure: "The clocks play your seat to the end, and anybody may take it over.", leaveWatch: "You can come back with the same code.",
  "key.Tab": "go through what is lit", "key.Enter": "choose, play", "key.Esc": "close, take back", "key.Z": "slap or act", "key.O": "log", "key.T": "chat",
  "key.M": "rules", "key.V": "the last race", "key.?": "this list",
  // waiting room, end
  seats: "Seats", freeSeat: "Free", wins: "{n, plural, one {# win} other {# wins}}", addBot: "Bot", removeBot: "Take {name} away", kickName: "Send {name} away",
  startWhenReady: "Start when all are ready", start: "Start", notReadyAfterAll: "Not ready after all", options: "Options", commitmentIs: "Commitment {digits} … What is this?",
  commitmentWhat: "The server has chosen its secret already and shows its fingerprint. After the game it shows the secret: nobody can have changed the shuffle in between.",
  save: "Save", codeIs: "Code {code}", qrOf: "QR code of {url}", result: "Result", nobodyWins: "Nobody wins", youAllWin: "You win together", youWin: "You win",
  wins1: "{name} wins", lookAtTable: "Look at the table", racesWon: "{n, plural, one {# race} other {# races}}, you won {won}", rematch: "Rematch",
  waitRematch: "Waiting for {name} to call a rematch", replay: "Replay", toLobby: "To the lobby", checking: "Checking the game …", verifiedHere: "Verified in your browser",
  notVerified: "Not verified: {why}", noSuchReplay: "There is no such replay.", replayLater: "The replay is not there yet.",
  // lobby
  playGame: "Play {game}", botsLabel: "Bots", nBots: "{n, plural, one {# bot} other {# bots}}", strength: "Strength", "strength.easy": "Easy", "strength.medium": "Medium",
  "strength.strong": "Strong", dealing: "Dealing …", dealMeIn: "Deal me in", goOnAt: "Go on at {code}", code: "Code", codeLabel: "Code of a table", join: "Join",
  codeHasFive: "A code has five letters.", openTables: "Open tables", noTables: "No open table now. Create one and send the code.", playing: "playing",
  seatsTaken: "{n} of {of}", watchRoom: "Watch {code}", watch: "Watch", nameIs: "Your name: {name}", yourName: "Your name", nameRule: "1 to 24 letters, digits or marks.",
  play: "Play", tables: "Tables", practise: "Practise", replays: "Replays", sections: "Sections", gamesHeading: "Games", withRaces: "with races",
  minutes: "{n} min", createTable: "Create a table", create: "Create", game: "Game", moreSettings: "More settings", privateTable: "Private: not listed",
  spectatorDelay: "Watchers see it later by", mostPing: "Most round trip (0: any)", refereeWord: "Referee’s word", resetOptions: "Back to the defaults ({n} changed)",
  quickPlay: "Play now with {n, plural, one {# bot} other {# bots}}", playersAndLength: "{least}–{most} players · about {minutes} minutes", tryAgain: "Try again",
  joinAnew: "Join anew", noSuchRoom: "There is no table {code}. Codes have five letters.", roomFull: "Every seat at {code} is taken.",
  seatLost: "Your seat at {code} is no longer yours.", noRules: "This game has no rules page here.", offline: "No connection. Rules, your history and saved replays work.",
  storageForbidden: "This browser keeps nothing: a reload loses your seat.",
  // settings
  theme: "Theme", bySystem: "System", dark: "Dark", light: "Light", language: "Language", motion: "Motion", lessMotion: "Less", hand: "Buttons for the", leftHand: "Left hand",
  rightHand: "Right hand", vibration: "Vibration", singleKeys: "Single-letter keys", hints: "Hints", hintsAgain: "Show all hints again", forgetAll: "Delete what this browser keeps",
  // replay and practise
  replayOf: "{code}, game {n}", seenBy: "Seen by", allSeats: "everybody", step: "Step {n} of {of}", back: "Back", forward: "Forward", toStart: "To the start", toEnd: "To the end",
  playIt: "Play", pauseIt: "Pause", nextRace: "Next race", copyLink: "Copy link", saveJson: "Save JSON", savePng: "Save PNG", openReplay: "Open a replay file",
  notAReplay: "This file is no Photofinish replay: {why}", chooseAnother: "Choose another", noReplays: "Games that you finish here are listed here.", copied: "Copied",
  practiseTitle: "Reaction trainer", practiseStart: "Tap to begin", 
  best: "best", median: "median", spread: "spread", tries: "tries", practiseNote: "Times stay in this browser. The server measures them as in every race: from the frame that shows the card to your tap.",
  practiseClear: "Delete my times", histogram: "Your last {n} times", cambioDrill: "Drill: Cambio against strong bots",
  // refusals and closes
  "refused.bad_name": "Take 1 to 24 letters, digits or marks.", "refused.bad_version": "This page is older than the server. Reload it.",
  "refused.false_start": "Too quick: nobody can have seen it yet. Try again.", "refused.quarantined": "This table met a fault and stands still. Its log is kept.",
  "closed.4409": "This seat is open in another window.", "closed.401": "This server asks for a key.", "closed.429": "Too many tries: wait 30 s.",
  "closed.1006": "The server does not answer. Your seat is kept.", "closed.away": "The server does not answer. Your seat is kept.",
  rulesNote: "Rules in other languages follow the English text, which decides.", rulesTranslated: "Translation", rulesOriginal: "English text",
} as const;
