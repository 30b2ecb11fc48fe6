package practiceapi

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Sandbox is a private copy of the data, with its own clock and fault plans, for one test.
type Sandbox struct {
	// URL is the base URL of the client under test.
	URL string
	// Name is the value of X-Sandbox in requests to the URL of the service.
	Name    string
	Service *Service

	t testing.TB
}

// Fault is one fault, such as {"status": 503, "retryAfter": 1}. With an empty fault, a request passes.
type Fault map[string]any

// Rule is one rule of a fault plan, with the members that docs/faults.md lists.
type Rule map[string]any

// Verdict says how well a client retried. A nil part could not be judged.
type Verdict struct {
	Retried            bool      `json:"retried"`
	Succeeded          bool      `json:"succeeded"`
	HonouredRetryAfter *Patience `json:"honouredRetryAfter"`
	BackedOff          *bool     `json:"backedOff"`
	Jittered           *bool     `json:"jittered"`
	GaveUpAfter        *int      `json:"gaveUpAfter"`
	RepeatedUnsafely   bool      `json:"repeatedUnsafely"`
	SameBody           *bool     `json:"sameBody"`
}

// Patience compares the wait that Retry-After requires with the wait of the client.
type Patience struct {
	Honoured bool    `json:"honoured"`
	AskedMs  float64 `json:"askedMs"`
	WaitedMs float64 `json:"waitedMs"`
}

// Log has the requests that a plan matched.
type Log struct {
	Attempts []map[string]any `json:"attempts"`
	Series   []struct {
		Method  string  `json:"method"`
		Path    string  `json:"path"`
		Verdict Verdict `json:"verdict"`
	} `json:"series"`
}

var direct = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{}}

func newSandbox(t testing.TB, service *Service) *Sandbox {
	t.Helper()
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	name := "test-" + hex.EncodeToString(random)
	return &Sandbox{URL: service.URL + "/s/" + name, Name: name, Service: service, t: t}
}

// Plan sets one fault for each request in turn; later requests pass.
func (sandbox *Sandbox) Plan(faults ...Fault) {
	sandbox.t.Helper()
	sandbox.PlanRules(Rule{"sequence": faults})
}

// PlanRules sets a plan of several rules.
func (sandbox *Sandbox) PlanRules(rules ...Rule) {
	sandbox.t.Helper()
	sandbox.mustCall("PUT", "/api/sandbox/faults", map[string]any{"rules": rules}, nil)
}

// Log returns the requests since the plan was set.
func (sandbox *Sandbox) Log() Log {
	sandbox.t.Helper()
	var log Log
	sandbox.mustCall("GET", "/api/sandbox/faults/log", nil, &log)
	return log
}

// Verdict returns how well the client retried. Pass a path if the log has requests to several.
func (sandbox *Sandbox) Verdict(path ...string) Verdict {
	sandbox.t.Helper()
	var seen []string
	var verdict Verdict
	for _, series := range sandbox.Log().Series {
		if len(path) > 0 && path[0] != series.Path {
			continue
		}
		seen = append(seen, series.Method+" "+series.Path)
		verdict = series.Verdict
	}
	if len(seen) != 1 {
		sandbox.t.Fatalf("A verdict is about one series of requests; got: [%s]", strings.Join(seen, ", "))
	}
	return verdict
}

// Advance sets the clock of the sandbox to this duration after the real time.
func (sandbox *Sandbox) Advance(by time.Duration) {
	sandbox.t.Helper()
	body := map[string]any{"offsetSeconds": int(by.Seconds())}
	sandbox.mustCall("PUT", "/api/sandbox/clock", body, nil)
}

func (sandbox *Sandbox) mustCall(method, path string, body, result any) {
	sandbox.t.Helper()
	if err := sandbox.call(method, path, body, result); err != nil {
		sandbox.t.Fatal(err)
	}
}

func (sandbox *Sandbox) call(method, path string, body, result any) error {
	content := []byte{}
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, sandbox.URL+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := direct.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %d %s", method, path, response.StatusCode, text)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(text, result)
}
