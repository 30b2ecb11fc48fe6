// Prints the result of net/http for each server, and its protocol with the good one.
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
		response, err := client.Get(each.Url + "/health")
		var words any
		if err != nil {
			var fault *url.Error
			if errors.As(err, &fault) {
				err = fault.Err
			}
			words = err.Error()
		} else {
			response.Body.Close()
			if each.Name == "good" {
				fmt.Println(`["protocol", "` + response.Proto + `"]`)
			}
		}
		line, _ := json.Marshal([]any{each.Name, words})
		fmt.Println(string(line))
	}
}
