"""Authlib with requests: an OAuth2Session, and its ID token claims. One line of JSON for each step."""

import json
import sys
from urllib.parse import parse_qs, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.oauth2.rfc8414 import get_well_known_url
from authlib.oidc.core import CodeIDToken, UserInfo
from authlib.oidc.discovery import OpenIDProviderMetadata

CALLBACK = "http://127.0.0.1:4711/callback"


def log_in(issuer):
    found = requests.get(get_well_known_url(issuer, external=True)).json()
    server = OpenIDProviderMetadata(found)
    # Authlib requires https here, which a practice issuer on this machine lacks.
    if server["issuer"] != issuer:
        raise ValueError("Invalid issuer")
    nonce, state, verifier = generate_token(20), generate_token(20), generate_token(48)
    session = OAuth2Session(
        "demo-web",
        "demo-web-secret-of-32-characters",
        scope="openid profile offline_access",
        redirect_uri=CALLBACK,
        code_challenge_method="S256",
        token_endpoint=server["token_endpoint"],
    )
    url, _ = session.create_authorization_url(
        server["authorization_endpoint"], state=state, nonce=nonce, code_verifier=verifier, auto="ada"
    )
    arrived = requests.get(url, allow_redirects=False).headers["location"]
    if arrived.split("?")[0] != CALLBACK:
        raise ValueError("404: the application has no page at " + urlsplit(arrived).path)
    token = session.fetch_token(
        server["token_endpoint"], authorization_response=arrived, state=state, code_verifier=verifier
    )
    keys = JsonWebKey.import_key_set(requests.get(server["jwks_uri"]).json())
    jwt = JsonWebToken(server["id_token_signing_alg_values_supported"])
    claims = jwt.decode(
        token["id_token"],
        key=keys,
        claims_cls=CodeIDToken,
        claims_options={"iss": {"values": [server["issuer"]]}, "aud": {"values": ["demo-web"]}},
        claims_params={"nonce": nonce, "client_id": "demo-web", "access_token": token["access_token"]},
    )
    claims.validate(leeway=120)
    about = UserInfo(session.get(server["userinfo_endpoint"]).json())
    if about["sub"] != claims["sub"]:
        raise ValueError("the application compares both subs, which Authlib does not")
    session.refresh_token(server["token_endpoint"], refresh_token=token["refresh_token"])
    session.get(issuer + "/api/me").raise_for_status()
    requests.get(
        server["end_session_endpoint"],
        params={"id_token_hint": token["id_token"], "post_logout_redirect_uri": "http://127.0.0.1:4711/"},
        allow_redirects=False,
    ).raise_for_status()


for step in json.loads(sys.argv[1]):
    try:
        log_in(step["issuer"])
        words = None
    except Exception as fault:
        words = f"{type(fault).__name__}: {fault}"
    print(json.dumps([step["name"], words]), flush=True)
