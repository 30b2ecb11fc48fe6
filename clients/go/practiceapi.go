// Package practiceapi starts Practice API for Go tests, with a sandbox for each test.
package practiceapi

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	startTime = time.Minute
	stopTime  = 10 * time.Second
)

// Service is a running service.
type Service struct {
	// URL has no slash at the end.
	URL string `json:"url"`
	// TLSURL is empty unless the flags have --tls-port.
	TLSURL string `json:"tlsUrl"`
	// PID is 0 if PRACTICE_API_URL selects the service.
	PID int `json:"pid"`

	stdin io.Closer
	ended chan struct{}
	kill  func() error
}

var (
	sharedOnce  sync.Once
	shared      *Service
	sharedError error
)

// Start returns a new sandbox in a service that all tests of the process share, and deletes it after the test. The
// first call starts the service. The service ends with the process, even if it is killed: its standard input closes.
//
// With flags, the test gets its own service, which stops after the test.
func Start(t testing.TB, flags ...string) *Sandbox {
	t.Helper()
	return serviceFor(t, flags).Sandbox(t)
}

// At returns a running service, for example in a container.
func At(url string) *Service {
	return &Service{URL: strings.TrimRight(url, "/")}
}

// Sandbox returns a new sandbox, and deletes it after the test.
func (service *Service) Sandbox(t testing.TB) *Sandbox {
	t.Helper()
	sandbox := newSandbox(t, service)
	t.Cleanup(func() {
		if err := sandbox.call("DELETE", "/api/sandbox", nil, nil); err != nil {
			t.Error(err)
		}
	})
	return sandbox
}

func serviceFor(t testing.TB, flags []string) *Service {
	t.Helper()
	if len(flags) == 0 {
		sharedOnce.Do(func() { shared, sharedError = StartService() })
		if sharedError != nil {
			t.Fatal(sharedError)
		}
		return shared
	}
	service, err := StartService(flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Stop)
	return service
}

// StartService starts the program on a free port and waits until it responds. The program is practice-api from PATH,
// or the command in PRACTICE_API_COMMAND. Without flags, it uses the running service at PRACTICE_API_URL, if that is set.
func StartService(flags ...string) (*Service, error) {
	if url := os.Getenv("PRACTICE_API_URL"); url != "" && len(flags) == 0 {
		return At(url), nil
	}
	folder, err := os.MkdirTemp("", "practice-api-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	return startIn(folder, flags)
}

func startIn(folder string, flags []string) (*Service, error) {
	readyFile := filepath.Join(folder, "ready.json")
	errors, err := os.Create(filepath.Join(folder, "errors.txt"))
	if err != nil {
		return nil, err
	}
	defer errors.Close()
	command := command()
	flags = append([]string{"--port", "0", "--ready-file", readyFile, "--exit-with-stdin"}, flags...)
	process := exec.Command(command[0], append(command[1:], flags...)...)
	process.Stderr = errors
	stdin, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("%w: put practice-api on PATH, or set PRACTICE_API_COMMAND, "+
			"for example to \"node practice-api.mjs\"", err)
	}
	service := &Service{stdin: stdin, ended: make(chan struct{}), kill: process.Process.Kill}
	go func() {
		_ = process.Wait()
		close(service.ended)
	}()
	if err := service.waitUntilReady(readyFile); err != nil {
		service.Stop()
		said, _ := os.ReadFile(errors.Name())
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(string(said)))
	}
	return service, nil
}

func (service *Service) waitUntilReady(readyFile string) error {
	timeout := time.After(startTime)
	for {
		if text, err := os.ReadFile(readyFile); err == nil {
			return json.Unmarshal(text, service)
		}
		select {
		case <-service.ended:
			return fmt.Errorf("Practice API ended")
		case <-timeout:
			return fmt.Errorf("Practice API was not ready after %v", startTime)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop stops the process. A service that it did not start keeps running.
func (service *Service) Stop() {
	if service.stdin == nil {
		return
	}
	_ = service.stdin.Close()
	select {
	case <-service.ended:
	case <-time.After(stopTime):
		_ = service.kill()
		<-service.ended
	}
}

var word = regexp.MustCompile(`"([^"]*)"|'([^']*)'|(\S+)`)

// command splits PRACTICE_API_COMMAND at spaces outside of quotes.
func command() []string {
	var words []string
	for _, found := range word.FindAllStringSubmatch(os.Getenv("PRACTICE_API_COMMAND"), -1) {
		words = append(words, found[1]+found[2]+found[3])
	}
	if len(words) == 0 {
		return []string{"practice-api"}
	}
	return words
}
