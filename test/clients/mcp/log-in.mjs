/** Logs a user in for the OAuth client of an SDK, as a browser would. */

/** The storage of a client, which both SDKs accept as `OAuthClientProvider`. */
export class Login {
  redirectUrl = 'http://127.0.0.1:8976/callback';
  clientMetadata = {
    client_name: 'Test',
    redirect_uris: [this.redirectUrl],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    scope: 'mcp:read mcp:write',
  };

  /** @type {any} */
  #client;
  /** @type {any} */
  #tokens;
  /** @type {any} */
  #discovered;
  #verifier = '';
  /** The parameters that the issuer returned. */
  returned = new URLSearchParams();

  clientInformation() {
    return this.#client;
  }

  /** @param {any} client */
  saveClientInformation(client) {
    this.#client = client;
  }

  tokens() {
    return this.#tokens;
  }

  /** @param {any} tokens */
  saveTokens(tokens) {
    this.#tokens = tokens;
  }

  discoveryState() {
    return this.#discovered;
  }

  /** @param {any} discovered */
  saveDiscoveryState(discovered) {
    this.#discovered = discovered;
  }

  codeVerifier() {
    return this.#verifier;
  }

  /** @param {string} verifier */
  saveCodeVerifier(verifier) {
    this.#verifier = verifier;
  }

  /** @param {URL} url */
  async redirectToAuthorization(url) {
    this.returned = await logIn(url.href);
  }
}

/**
 * Returns the parameters of the redirect.
 *
 * @param {string} url
 */
export async function logIn(url) {
  const { headers, status } = await fetch(`${url}&auto=ada`, { redirect: 'manual' });
  const location = headers.get('location');
  if (location === null) throw new Error(`The issuer responded with ${status}.`);
  return new URL(location).searchParams;
}
