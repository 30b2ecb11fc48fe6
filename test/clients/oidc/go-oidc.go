// go-oidc with golang.org/x/oauth2: one line of JSON for each step.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"sync"

	"github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

const callback = "http://127.0.0.1:4711/callback"

type step struct{ Name, Issuer string }

func random() string {
	bytes := make([]byte, 32)
	rand.Read(bytes)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func follow(address string) (*url.URL, error) {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	response, err := client.Get(address)
	if err != nil {
		return nil, err
	}
	arrived, err := response.Location()
	if err == nil && arrived.Path != "/callback" {
		return nil, errors.New("404: the application has no page at " + arrived.Path)
	}
	return arrived, err
}

func logIn(issuer string) error {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		return err
	}
	config := oauth2.Config{
		ClientID:     "demo-web",
		ClientSecret: "demo-web-secret-of-32-characters",
		Endpoint:     provider.Endpoint(),
		RedirectURL:  callback,
		Scopes:       []string{"openid", "profile", "offline_access"},
	}
	state, nonce, verifier := random(), random(), random()
	challenge := sha256.Sum256([]byte(verifier))
	arrived, err := follow(config.AuthCodeURL(state, oidc.Nonce(nonce),
		oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(challenge[:])),
		oauth2.SetAuthURLParam("code_challenge_method", "S256"),
		oauth2.SetAuthURLParam("auto", "ada")))
	if err != nil {
		return err
	}
	if arrived.Query().Get("state") != state {
		return errors.New("the application compares state, as go-oidc's guide does")
	}
	token, err := config.Exchange(ctx, arrived.Query().Get("code"),
		oauth2.SetAuthURLParam("code_verifier", verifier))
	if err != nil {
		return err
	}
	raw, _ := token.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: "demo-web"}).Verify(ctx, raw)
	if err != nil {
		return err
	}
	if idToken.Nonce != nonce {
		return errors.New("the application compares nonce, as go-oidc's guide does")
	}
	if err := idToken.VerifyAccessToken(token.AccessToken); err != nil {
		return err
	}
	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return err
	}
	if info.Subject != idToken.Subject {
		return errors.New("the application compares both subs, which go-oidc does not")
	}
	fresh, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	if err != nil {
		return err
	}
	response, err := oauth2.NewClient(ctx, oauth2.StaticTokenSource(fresh)).Get(issuer + "/api/me")
	if err == nil && response.StatusCode != 200 {
		err = errors.New(response.Status)
	}
	return err
}

func main() {
	var steps []step
	json.Unmarshal([]byte(os.Args[1]), &steps)
	var group sync.WaitGroup
	words := make([]any, len(steps))
	for place, each := range steps {
		group.Add(1)
		go func(place int, issuer string) {
			defer group.Done()
			if err := logIn(issuer); err != nil {
				words[place] = err.Error()
			}
		}(place, each.Issuer)
	}
	group.Wait()
	for place, each := range steps {
		line, _ := json.Marshal([]any{each.Name, words[place]})
		fmt.Println(string(line))
	}
}
