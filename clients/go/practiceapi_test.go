package practiceapi_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"practiceapi.invalid/practiceapi"
)

func send(t *testing.T, method, url string) *http.Response {
	t.Helper()
	request, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response
}

func expect(t *testing.T, what string, is bool) {
	t.Helper()
	if !is {
		t.Fatal(what)
	}
}

// getPatiently is the client under test: it makes two attempts, and waits as long as Retry-After says.
func getPatiently(t *testing.T, url string) int {
	response := send(t, "GET", url)
	if response.StatusCode == 503 {
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		time.Sleep(time.Duration(seconds) * time.Second)
		response = send(t, "GET", url)
	}
	return response.StatusCode
}

func TestEachTestHasASandbox(t *testing.T) {
	for _, name := range []string{"one", "another"} {
		t.Run(name, func(t *testing.T) {
			book := practiceapi.Start(t).URL + "/api/Books/1"
			expect(t, "the book exists", send(t, "GET", book).StatusCode == 200)
			expect(t, "it is deleted", send(t, "DELETE", book).StatusCode == 204)
			expect(t, "it is gone", send(t, "GET", book).StatusCode == 404)
		})
	}
}

func TestTestsShareAService(t *testing.T) {
	one, other := practiceapi.Start(t), practiceapi.Start(t)
	expect(t, "one service", one.Service == other.Service)
	expect(t, "two sandboxes", one.Name != other.Name)
}

func TestAPlanAndAVerdict(t *testing.T) {
	sandbox := practiceapi.Start(t)
	sandbox.Plan(practiceapi.Fault{"status": 503, "retryAfter": 1})
	expect(t, "the client succeeds", getPatiently(t, sandbox.URL+"/api/Books/1") == 200)
	expect(t, "it waits", sandbox.Verdict().HonouredRetryAfter.Honoured)
}

func TestAPlanForAPath(t *testing.T) {
	sandbox := practiceapi.Start(t)
	sandbox.PlanRules(practiceapi.Rule{
		"match":    map[string]string{"path": "/api/Books/:id"},
		"sequence": []practiceapi.Fault{{"status": 503, "retryAfter": 0}},
	})
	send(t, "GET", sandbox.URL+"/api/Users")
	getPatiently(t, sandbox.URL+"/api/Books/1")
	send(t, "GET", sandbox.URL+"/api/Books/2")
	expect(t, "two series", len(sandbox.Log().Series) == 2)
	expect(t, "one retry", sandbox.Verdict("/api/Books/1").Retried)
	expect(t, "none for the other", !sandbox.Verdict("/api/Books/2").Retried)
}

func TestTheClock(t *testing.T) {
	practiceapi.Start(t).Advance(24 * time.Hour)
}

func TestAServiceWithFlags(t *testing.T) {
	var url string
	t.Run("has its own process", func(t *testing.T) {
		sandbox := practiceapi.Start(t, "--introspection", "off")
		url = sandbox.Service.URL
		expect(t, "another process", sandbox.Service.PID != practiceapi.Start(t).Service.PID)
	})
	_, err := http.Get(url + "/health")
	expect(t, "it has stopped", err != nil)
}

func TestARunningService(t *testing.T) {
	running := practiceapi.Start(t).Service
	t.Setenv("PRACTICE_API_URL", running.URL+"/")
	service, err := practiceapi.StartService()
	expect(t, fmt.Sprint(err), err == nil && service.URL == running.URL && service.PID == 0)
	service.Stop()
	expect(t, "it keeps running", send(t, "GET", running.URL+"/health").StatusCode == 200)
}

func TestAWrongFlagIsReported(t *testing.T) {
	_, err := practiceapi.StartService("--no-such-flag")
	expect(t, fmt.Sprint(err), err != nil && strings.Contains(err.Error(), "ended: --no-such-flag"))
}

func TestAMissingProgramIsReported(t *testing.T) {
	t.Setenv("PRACTICE_API_COMMAND", `"no such program" --flag`)
	_, err := practiceapi.StartService()
	expect(t, fmt.Sprint(err), err != nil && strings.Contains(err.Error(), "PRACTICE_API_COMMAND"))
}

// TestHold waits until a test of the project kills this process.
func TestHold(t *testing.T) {
	file := os.Getenv("HOLD_FILE")
	if file == "" {
		t.Skip("HOLD_FILE is not set")
	}
	pid := practiceapi.Start(t).Service.PID
	if err := os.WriteFile(file, []byte(strconv.Itoa(pid)), 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(10 * time.Minute)
}
