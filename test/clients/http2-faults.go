// What Go's net/http makes of faults of HTTP/2: a line for each request.
package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	base, sandboxes := os.Args[1], os.Args[2:]
	transport := &http.Transport{
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
		ForceAttemptHTTP2: true,
	}
	client := http.Client{Transport: transport, Timeout: 20 * time.Second}
	for _, sandbox := range sandboxes {
		for _, method := range []string{"POST", "GET"} {
			url := base + "/api/methods/" + strings.ToLower(method)
			request, err := http.NewRequest(method, url, strings.NewReader("hello"))
			if err != nil {
				panic(err)
			}
			request.Header.Set("X-Sandbox", sandbox)
			answer, err := client.Do(request)
			if err != nil {
				fmt.Println(method, "error", err)
				continue
			}
			text, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil {
				fmt.Println(method, "body", err)
				continue
			}
			fmt.Println(method, answer.StatusCode, answer.ProtoMajor, strings.Contains(string(text), "hello"))
		}
	}
}
