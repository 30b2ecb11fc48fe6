// What net/http says of each server, and which protocol it speaks with the good one.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
)

type site struct{ Name, Url string }

func main() {
	pem, _ := os.ReadFile(os.Args[1] + "/ca.pem")
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	var sites []site
	json.Unmarshal([]byte(os.Args[2]), &sites)
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		_, port, _ := net.SplitHostPort(address)
		return (&net.Dialer{}).DialContext(ctx, network, "127.0.0.1:"+port)
	}
	client := http.Client{Transport: &http.Transport{
		DialContext:       dial,
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{RootCAs: roots},
	}}
	for _, each := range sites {
		answer, err := client.Get(each.Url + "/health")
		var words any
		if err != nil {
			var fault *url.Error
			if errors.As(err, &fault) {
				err = fault.Err
			}
			words = err.Error()
		} else {
			answer.Body.Close()
			if each.Name == "good" {
				fmt.Println(`["protocol", "` + answer.Proto + `"]`)
			}
		}
		line, _ := json.Marshal([]any{each.Name, words})
		fmt.Println(string(line))
	}
}
