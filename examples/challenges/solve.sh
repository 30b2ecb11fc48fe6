#!/bin/sh
# Solutions of challenges with curl: sh solve.sh http-head
# PRACTICE_API is the URL of the sandbox in which the challenge was started.
set -eu

api=${PRACTICE_API:-http://localhost:3000/s/mary}
callback=http://localhost:4711/callback
verifier=a-code-verifier-of-forty-three-characters-or-more
book='{"title":"Emma","author":"Jane Austen","isbn":"9780306406157","publishedYear":1815,"pages":474}'

# Prints a header of a response that `curl -i` printed.
header() { tr -d '\r' | sed -n "s/^$1: //Ip" | head -n 1; }

# Prints a text member of a JSON object.
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# Creates a payment of 20.00 USD.
pay() {
  curl -s "$api/v1/payment_intents" -u sk_test_practice: "$@" -d amount=2000 -d currency=usd \
    -d 'payment_method_types[]=card' -d payment_method=pm_card_visa -d confirm=true
}

# Prints the SHA-256 of its input, in hex.
sha256() { openssl dgst -sha256 -r | cut -d ' ' -f 1; }

# Prints the response to an OpenID Connect login with PKCE.
login() {
  challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=')
  code=$(curl -s -o /dev/null -w '%{redirect_url}' -G "$api/oidc/authorize" \
    -d client_id=demo-spa -d response_type=code -d auto=ada -d state=a-random-state \
    -d "redirect_uri=$callback" --data-urlencode "scope=$1" \
    -d "code_challenge=$challenge" -d code_challenge_method=S256 |
    sed 's/.*[?&]code=\([^&]*\).*/\1/')
  curl -s "$api/oidc/token" -d grant_type=authorization_code -d client_id=demo-spa \
    -d "redirect_uri=$callback" -d "code_verifier=$verifier" -d "code=$code"
}

# Calls Divide with SOAP 1.1.
divide() {
  curl -s "$api/api/soap/calculator" -H 'Content-Type: text/xml; charset=utf-8' \
    -H 'SOAPAction: "http://tempuri.org/Divide"' \
    -d "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>
      <Divide xmlns=\"http://tempuri.org/\"><intA>12</intA><intB>$1</intB></Divide></e:Body></e:Envelope>"
}

solve() {
  case $1 in
    http-head) curl -s -I "$api/api/Books/1" ;;

    http-not-modified)
      tag=$(curl -s -i "$api/api/Books/1" | header etag)
      curl -s -i "$api/api/Books/1" -H "If-None-Match: $tag"
      ;;

    http-redirects) curl -s -L "$api/api/http/redirect/3" ;;

    http-cookie)
      jar=$(mktemp)
      curl -s -c "$jar" "$api/api/http/cookies/set?flavour=oat"
      curl -s -b "$jar" "$api/api/http/cookies"
      rm "$jar"
      ;;

    rest-pages)
      next="$api/api/Books?limit=10"
      while [ -n "$next" ]; do
        next=$(curl -s -i "$next" | header link | sed -n 's/.*<\([^>]*\)>; rel="next".*/\1/p')
      done
      ;;

    rest-if-match)
      tag=$(curl -s -i "$api/api/Events/1" | header etag)
      curl -s -X PATCH "$api/api/Events/1" -H "If-Match: $tag" --json '{"ticketsSold": 1}'
      ;;

    rest-idempotency | resilience-safe-post)
      for attempt in 1 2; do
        curl -s "$api/api/Books" -H 'Idempotency-Key: "order-1"' --json "$book" || true
      done
      ;;

    rest-json-patch)
      curl -s -X PATCH "$api/api/Books/1" -H 'Content-Type: application/json-patch+json' -d '[
        {"op": "test", "path": "/price", "value": 12.99},
        {"op": "replace", "path": "/price", "value": 9.5}]'
      ;;

    auth-jwt)
      token=$(curl -s "$api/api/auth/jwt/login" \
        --json '{"username": "user", "password": "user-secret"}' | member accessToken)
      curl -s "$api/api/auth/jwt/me" -H "Authorization: Bearer $token"
      ;;

    auth-client-credentials)
      token=$(curl -s "$api/api/auth/oauth/token" -u demo-client:demo-client-secret \
        -d grant_type=client_credentials -d scope=read | member access_token)
      curl -s "$api/api/auth/oauth/protected" -H "Authorization: Bearer $token"
      ;;

    auth-hmac)
      time=$(date +%s)
      signature=$(printf '%s.{}' "$time" | openssl dgst -sha256 -hmac demo-hmac-secret -r | cut -d ' ' -f 1)
      curl -s "$api/api/auth/hmac" -H "X-Timestamp: $time" -H "X-Signature: $signature" -d '{}'
      ;;

    oidc-code) login openid ;;

    oidc-refresh)
      refresh=$(login 'openid offline_access' | member refresh_token)
      curl -s "$api/oidc/token" -d grant_type=refresh_token -d client_id=demo-spa \
        -d "refresh_token=$refresh"
      ;;

    graphql-variables)
      curl -s "$api/graphql" --json '{
        "query": "query ($id: Int!) { book(id: $id) { title } }", "variables": {"id": 1}}'
      ;;

    graphql-persisted)
      query='{ book(id: 1) { title } }'
      extensions="{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"$(printf %s "$query" | sha256)\"}}"
      curl -s "$api/graphql" --json "{\"query\":\"$query\",\"extensions\":$extensions}"
      curl -s "$api/graphql" --json "{\"extensions\":$extensions}"
      ;;

    soap-add)
      curl -s "$api/api/soap/calculator" -H 'Content-Type: text/xml; charset=utf-8' \
        -H 'SOAPAction: "http://tempuri.org/Add"' \
        -d '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
          <Add xmlns="http://tempuri.org/"><intA>12</intA><intB>4</intB></Add></e:Body></e:Envelope>'
      ;;

    soap-fault)
      divide 0
      divide 4
      ;;

    grpc-hello)
      curl -s "$api/hello.HelloService/SayHello" -H 'Content-Type: application/json' -d '{"greeting":"Ada"}'
      ;;

    grpc-metadata)
      curl -s "$api/practice.v1.Echo/Unary" -H 'Content-Type: application/json' -H 'X-Color: green' -d '{}'
      ;;

    payments-first)
      pay
      ;;

    payments-key)
      pay -H 'Idempotency-Key: order-7'
      pay -H 'Idempotency-Key: order-7'
      ;;

    webhooks-verify)
      sample=$(mktemp)
      signature=$(curl -s -D - -o "$sample" "$api/api/webhooks/samples/github" | header x-hub-signature-256)
      curl -s "$api/api/webhooks/verify/github" -H 'Content-Type: application/json' \
        -H "X-Hub-Signature-256: $signature" --data-binary "@$sample"
      rm "$sample"
      ;;

    webhooks-retry)
      bin=$(curl -s -X POST "$api/api/webhooks/bins" | member id)
      curl -s "$api/api/webhooks/$bin?status=503" -H 'Webhook-Id: msg_1' --json '{"event": "paid"}'
      curl -s "$api/api/webhooks/$bin" -H 'Webhook-Id: msg_1' --json '{"event": "paid"}'
      ;;

    streams-events)
      curl -s -N "$api/api/sse/clock?count=3&interval=0" -H 'Accept: text/event-stream'
      ;;

    streams-chunked)
      printf 'of unknown length' | curl -s "$api/api/methods/post" -H 'Transfer-Encoding: chunked' -d @-
      ;;

    resilience-retry-after) curl -s --retry 1 "$api/api/Books/2" ;;

    *)
      echo "There is no solution of $1." >&2
      exit 1
      ;;
  esac
}

solve "$1"
