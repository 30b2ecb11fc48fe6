// Meets each case of the file with a new transport of net/http, and prints what came of it.
package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

type step struct {
	Case, Url, Method   string
	BodyBytes, Requests int
}

func send(client *http.Client, each step) string {
	var body io.Reader
	method := "GET"
	if each.Method != "" {
		method = each.Method
		size := each.BodyBytes
		if size == 0 {
			size = 1
		}
		body = bytes.NewReader(bytes.Repeat([]byte("a"), size))
	}
	request, _ := http.NewRequest(method, each.Url, body)
	response, err := client.Do(request)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	if _, err = io.ReadAll(response.Body); err != nil {
		return err.Error()
	}
	return ""
}

func meet(each step) string {
	transport := &http.Transport{
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
	}
	client := &http.Client{Transport: transport, Timeout: 6 * time.Second}
	var others sync.WaitGroup
	for at := 1; at < each.Requests; at++ {
		others.Add(1)
		go func() {
			defer others.Done()
			time.Sleep(400 * time.Millisecond)
			send(client, each)
		}()
	}
	fault := send(client, each)
	others.Wait()
	// The acknowledgement of the last frames is on its way.
	time.Sleep(300 * time.Millisecond)
	transport.CloseIdleConnections()
	return fault
}

func main() {
	var steps []step
	text, _ := os.ReadFile(os.Args[1])
	if err := json.Unmarshal(text, &steps); err != nil {
		panic(err)
	}
	queue := make(chan step)
	var mutex sync.Mutex
	var workers sync.WaitGroup
	for range [8]int{} {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for each := range queue {
				fault := meet(each)
				line, _ := json.Marshal([]string{each.Case, fault})
				mutex.Lock()
				fmt.Println(string(line))
				mutex.Unlock()
			}
		}()
	}
	for _, each := range steps {
		queue <- each
	}
	close(queue)
	workers.Wait()
}
