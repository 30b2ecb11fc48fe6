// Go's net/http with HTTP/2 faults: prints a line for each request.
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
			response, err := client.Do(request)
			if err != nil {
				fmt.Println(method, "error", err)
				continue
			}
			text, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil {
				fmt.Println(method, "body", err)
				continue
			}
			fmt.Println(method, response.StatusCode, response.ProtoMajor, strings.Contains(string(text), "hello"))
		}
	}
}
