// Makes the calls on the lines of standard input with go-retryablehttp, all concurrently.
//
// A line has client, method, URL, sandbox, idempotency key and body, with tabs between them. Prints the
// status of each in turn, or 0 where the client gave up; and last, whether this version of the library
// parses a Retry-After that is a date.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

func newClient(name string) *retryablehttp.Client {
	client := retryablehttp.NewClient()
	client.Logger = nil
	client.RetryWaitMin = 600 * time.Millisecond
	switch name {
	case "go-retryablehttp for what is safe":
		client.RetryWaitMin = 300 * time.Millisecond
		client.RetryMax = 3
		client.CheckRetry = forWhatIsSafe
	case "go-retryablehttp without patience":
		client.RetryWaitMin = 10 * time.Millisecond
	case "go-retryablehttp LinearJitterBackoff":
		client.Backoff = retryablehttp.LinearJitterBackoff
		client.RetryWaitMin = 100 * time.Millisecond
		client.RetryWaitMax = 900 * time.Millisecond
	}
	return client
}

type keyed struct{}

// Its policy does not look at the method, so this one does.
func forWhatIsSafe(ctx context.Context, response *http.Response, err error) (bool, error) {
	if ctx.Value(keyed{}) == nil {
		return false, err
	}
	return retryablehttp.DefaultRetryPolicy(ctx, response, err)
}

func carryOut(line string) int {
	fields := strings.Split(line, "\t")
	var body interface{}
	if fields[5] != "" {
		body = []byte(fields[5])
	}
	request, err := retryablehttp.NewRequest(fields[1], fields[2], body)
	if err != nil {
		panic(err)
	}
	if fields[1] != "POST" || fields[4] != "" {
		request = request.WithContext(context.WithValue(context.Background(), keyed{}, true))
	}
	request.Header.Set("X-Sandbox", fields[3])
	if fields[4] != "" {
		request.Header.Set("Idempotency-Key", fields[4])
	}
	response, err := newClient(fields[0]).Do(request)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	return response.StatusCode
}

func readsDates() bool {
	asked := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	refusal := &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {asked}}}
	return retryablehttp.DefaultBackoff(time.Second, 2*time.Hour, 0, refusal) > time.Minute
}

func main() {
	var lines []string
	for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
		lines = append(lines, scanner.Text())
	}
	statuses := make([]int, len(lines))
	var all sync.WaitGroup
	for index := range lines {
		all.Add(1)
		go func(index int) {
			defer all.Done()
			statuses[index] = carryOut(lines[index])
		}(index)
	}
	all.Wait()
	for _, status := range statuses {
		fmt.Println(status)
	}
	fmt.Println(readsDates())
}
