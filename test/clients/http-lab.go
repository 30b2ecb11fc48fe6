// Go's net/http with redirects and cookies: prints a line for each redirect, and last the verdict.
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"regexp"
	"strings"
)

var client http.Client

func call(method, url, body string) string {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	response, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func main() {
	base := os.Args[1]
	client.Jar, _ = cookiejar.New(nil)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, method := range []string{"POST", "PUT"} {
			url := fmt.Sprintf("%s/api/http/redirect/2?status=%d", base, status)
			fmt.Printf("%d %s\t%s\n", status, method, call(method, url, "hello"))
		}
	}
	started := call("POST", base+"/api/http/cookies/jar", "")
	last := ""
	for _, address := range regexp.MustCompile(`"(http[^"]+)"`).FindAllStringSubmatch(started, -1) {
		last = call("GET", address[1], "")
	}
	fmt.Printf("jar\t%s\n", last)
}
