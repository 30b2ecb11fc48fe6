// Sockets with gorilla/websocket, and events with net/http: prints a line for each case.
package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/gorilla/websocket"
)

func dial(path string, protocols ...string) (*websocket.Conn, int) {
	dialer := websocket.Dialer{EnableCompression: true, Subprotocols: protocols}
	conn, response, err := dialer.Dial(strings.Replace(os.Args[1], "http", "ws", 1)+"/s/go/api/ws/"+path, nil)
	if err != nil && response == nil {
		return nil, 0
	}
	return conn, response.StatusCode
}

func main() {
	conn, status := dial("echo")
	large := strings.Repeat("x", 100000)
	conn.WriteMessage(websocket.TextMessage, []byte(large))
	kind, data, _ := conn.ReadMessage()
	fmt.Println("echo", status, kind, string(data) == large)
	conn.Close()
	conn, _ = dial("close?code=4321&reason=bye")
	_, _, err := conn.ReadMessage()
	fmt.Println("close", err)
	conn, _ = dial("protocols", "none", "chat.v2")
	fmt.Println("protocol", conn.Subprotocol())
	_, status = dial("refuse/503")
	fmt.Println("rejected", status)
	for _, broken := range []string{"reserved-bits", "long-control", "orphan-continuation", "masked", "close-invalid-reason"} {
		conn, _ = dial("broken/" + broken)
		_, _, err = conn.ReadMessage()
		fmt.Println(broken, err != nil)
	}
	conn, _ = dial("broken/wrong-accept")
	fmt.Println("wrong-accept", conn == nil)
	response, _ := http.Get(os.Args[1] + "/api/sse/clock?count=3&interval=0")
	count := 0
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data:") {
			count++
		}
	}
	fmt.Println("events", count)
}
