/** 日本語：大会のページ。 */
export const tournamentsText = {
  "events": "大会", "noEvents": "今は大会がない。", "hostOne": "端末なら：photofinish tournament create ファイル（protocol/TOURNAMENTS.md）", "nEntrants": "{n, plural, other {#人参加}}",
  "standings": "順位", "rank": "順", "bracket": "トーナメント表", "entrants": "参加者", "rulings": "裁定", "tableN": "{n}番卓", "placeN": "{n}位", "bye": "不戦",
  "noSuchEvent": "大会{code}は存在しない。", "bigScreen": "大画面", "rehearsal": "リハーサル：ボットが遊び、評価はつかない。", "officialsPlay": "この大会では役員も参加できる。", "roundsOf": "ラウンド",
  "notPaired": "まだ組み合わせがない。", "leftRound": "第{n}ラウンドで棄権", "checkedIn": "受付済み", "logHead": "ログ：{n}件、先頭{head}…", "rulesHash": "ルール{hash}…", "report": "報告書",
  "calendar": "カレンダー", "export": "書き出し", "event.state.draft": "下書き", "event.state.open": "受付中", "event.state.check_in": "出席確認", "event.state.running": "進行中",
  "event.state.paused": "中断", "event.state.finished": "終了", "event.state.sealed": "封印", "event.state.cancelled": "中止", "event.format.swiss": "スイス式",
  "event.format.roundrobin": "総当たり", "event.format.single": "シングルエリミネーション", "event.format.double": "ダブルエリミネーション", "event.format.arena": "アリーナ",
  "event.format.slapoff": "スラップオフ", "event.round.paired": "組み合わせ済み", "event.round.playing": "対戦中", 
  "event.round.closed": "締め切り", "event.table.set": "組み合わせ済み", "event.table.called": "呼び出し", "event.table.playing": "対戦中", "event.table.done": "終了",
  "tie.buchholz": "ブッフホルツ", "tie.buchholz.why": "全対戦相手の点の合計。", "tie.buchholz_cut1": "ブッフホルツ（1除く）", "tie.buchholz_cut1.why": "最も弱い相手を除いたブッフホルツ。",
  "tie.sonneborn": "ゾンネボルン", "tie.sonneborn.why": "勝った相手の点と、引き分けた相手の点の半分。", "tie.head_to_head": "直接対決", "tie.head_to_head.why": "同点者どうしの結果。", "tie.races": "レース",
  "tie.races.why": "勝ったレースの数。", "tie.wins": "勝利", "tie.wins.why": "勝った試合の数。", "tie.opponents": "相手", "tie.opponents.why": "対戦相手の強さ。", "tie.reaction": "反応",
  "tie.reaction.why": "レースでの反応の中央値。",
  "youHere": "この大会でのあなた", "calledTo": "{table}番卓の{seat}番席へどうぞ", "calledWith": "相手：{names}", "youEntered": "{name}（{key}）として参加中。", "checkIn": "出席", "withdraw": "棄権", "enterAs": "{name}として参加", "keyStays": "鍵はこのブラウザで作られ、ここに残る。本人の証明はこれだけ。", "event.round.settling": "集計中", "event.table.forfeit": "不戦", "event.table.disputed": "異議あり", "event.table.void": "無効",
  "hostEvent": "大会を開く", "eventFile": "大会のファイル", "createEvent": "大会を作る", "youHost": "あなたが主催者", "hostReason": "主催者の判断。", "hostDo.open": "受付を始める", "hostDo.start": "開始", "hostDo.pause": "中断", "hostDo.resume": "再開", "hostDo.round": "次のラウンドへ", "hostDo.cancel": "大会を中止",
} as const;
