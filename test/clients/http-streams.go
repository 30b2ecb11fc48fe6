// Go's own client: ranges, codings, trailers and early hints, as one line of JSON.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"os"
)

func get(path string, headers map[string]string, trace *httptrace.ClientTrace) (*http.Response, []byte) {
	request, err := http.NewRequest("GET", os.Args[1]+"/api/http/"+path, nil)
	if err != nil {
		panic(err)
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	if trace != nil {
		request = request.WithContext(httptrace.WithClientTrace(request.Context(), trace))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		body = []byte("error")
	}
	return response, body
}

func main() {
	out := map[string]any{}
	part, bytes := get("bytes/1000", map[string]string{"Range": "bytes=10-19"}, nil)
	out["range"] = []any{part.StatusCode, part.Header.Get("Content-Range"), len(bytes)}
	coded, text := get("encoding", nil, nil)
	out["coding"] = []any{coded.Uncompressed, json.Valid(text)}
	_, broken := get("encoding/gzip?fault=truncated", nil, nil)
	out["truncated"] = string(broken)
	digested, whole := get("bytes/1048577", map[string]string{"Want-Repr-Digest": "sha-256=1"}, nil)
	sum := sha256.Sum256(whole)
	expected := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
	out["trailer"] = digested.Trailer.Get("Repr-Digest") == expected
	_, chunks := get("chunks?sizes=1,2,3&extensions=true", nil, nil)
	out["chunks"] = string(chunks)
	hints := []int{}
	get("informational?status=102&status=103", nil, &httptrace.ClientTrace{
		Got1xxResponse: func(code int, _ textproto.MIMEHeader) error {
			hints = append(hints, code)
			return nil
		},
	})
	out["hints"] = hints
	line, _ := json.Marshal(out)
	fmt.Println(string(line))
}
