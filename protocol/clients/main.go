// A whole game against a bot, in msgpack: go run main.go [ws://127.0.0.1:8765]
// Needs github.com/gorilla/websocket and github.com/vmihailenco/msgpack/v5 (go get, or Debian's packages).
package main

import (
	"fmt"
	"math/rand"
	"os"

	"github.com/gorilla/websocket"
	"github.com/vmihailenco/msgpack/v5"
)

type object = map[string]any

var socket *websocket.Conn
var nextID = 0 // every message has an id of its own, counted up

func send(kind string, fields object) {
	message := object{"t": kind, "id": nextID}
	nextID++
	for name, value := range fields {
		message[name] = value
	}
	frame, _ := msgpack.Marshal(message)
	socket.WriteMessage(websocket.BinaryMessage, frame) // msgpack goes in binary frames
}

// sample makes a move from an offer: its name, and one pick for each of its choices.
func sample(offer object) object {
	move := object{"t": offer["move"]}
	choices, _ := offer["choices"].([]any) // a field that is left out has its default: here an empty list
	for _, it := range choices {
		choice := it.(object) // always of the kind `one` in Cambio; VIEWS.md tells of `some` and `amounts`
		rows := choice["rows"].([]any)
		row := rows[rand.Intn(len(rows))].([]any)
		for at, name := range choice["fields"].([]any) {
			move[name.(string)] = row[at]
		}
	}
	return move
}

func main() {
	dialer := websocket.Dialer{Subprotocols: []string{"photofinish.v1+msgpack"}}
	socket, _, _ = dialer.Dial(append(os.Args, "ws://127.0.0.1:8765")[1], nil)
	send("hello", object{"v": 1, "name": "Gopher"})
	send("create", object{"game": "cambio", "seats": 2, "options": object{"target_points": 5}})
	send("bot", nil)   // a house bot in the free seat
	send("ready", nil) // without a nonce of our own (TABLES.md tells how to commit to one)
	send("start", nil)
	view, shown, waitsFor, isOut := object{}, int64(0), int64(0), false // isOut: a move has no answer yet
	for view["over"] == nil {
		_, frame, err := socket.ReadMessage()
		if err != nil {
			panic(err) // a cut: COMING_BACK.md tells how to take the seat up again
		}
		message, number := object{}, struct{ Seq int64 `msgpack:"seq"` }{} // a number comes in the shortest form
		msgpack.Unmarshal(frame, &message)
		msgpack.Unmarshal(frame, &number) // … so read the one we need into a typed field
		if message["t"] == "view" { // complete: it replaces the one before
			view, shown = message, number.Seq
		} else if message["t"] == "refused" {
			fmt.Println("refused:", message["reason"], message["text"])
			isOut = false
		} else if _, isMove := message["seq"]; isMove { // the ack of a move: views from this seq on show it
			waitsFor, isOut = number.Seq, false
		}
		offers, _ := view["offers"].([]any)
		for _, it := range offers { // `awaited`: the table waits for us, and this is an answer
			if it.(object)["awaited"] == true && !isOut && shown >= waitsFor {
				send("play", object{"move": sample(it.(object))})
				isOut = true // one move at a time: its answer comes first
			}
		}
	}
	fmt.Println("over:", view["over"].(object)["why"])
}
