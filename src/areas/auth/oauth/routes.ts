/**
 * An authorization server with the client credentials grant (RFC 6749 section 4.4), introspection
 * (RFC 7662), revocation (RFC 7009), metadata (RFC 8414), and a resource that wants its tokens.
 */

import { valuesIn } from '../../../config/setting.js';
import { isFault } from '../../../http/credentials/fault.js';
import { type Form, parseForm } from '../../../http/credentials/oauth-form.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { headerValues, singleHeader } from '../../../http/header-values.js';
import { HttpError } from '../../../http/http-error.js';
import { bodyText, maxParsedBodyBytes, mediaType, readBody } from '../../../http/request-body.js';
import type { Services } from '../../../kit/area.js';
import type { App } from '../../../kit/endpoint.js';
import { invalidToken } from '../bearer-errors.js';
import { readBearerToken } from '../read-bearer-token.js';
import {
  expiresAt,
  issuedTokens,
  notBeforeSeconds,
  oauthTokenSeconds,
  randomToken,
  rememberToken,
  revokeToken,
  tokenFault,
  tokenKey,
} from './access-tokens.js';
import { authenticateClient } from './authenticate-client.js';
import { grantScope, knownScopes } from './grant-scope.js';
import { noStore, oauthError } from './oauth-error.js';
import * as schemas from './schemas.js';
import { oauthSettings } from './settings.js';

const paths = {
  token: '/api/auth/oauth/token',
  introspect: '/api/auth/oauth/introspect',
  revoke: '/api/auth/oauth/revoke',
  protected: '/api/auth/oauth/protected',
  metadata: '/.well-known/oauth-authorization-server',
} as const;

export function addOAuthRoutes(app: App, services: Services): void {
  const oauth = new OAuthEndpoints(services);
  const { grantToken, introspect, revoke, showProtected, showMetadata } = schemas;

  app.post(paths.token, { schema: grantToken }, (...exchange) => oauth.grantToken(...exchange));
  app.post(paths.introspect, { schema: introspect }, (...exchange) =>
    oauth.introspect(...exchange),
  );
  app.post(paths.revoke, { schema: revoke }, (...exchange) => oauth.revoke(...exchange));
  app.get(paths.protected, { schema: showProtected }, (request) => oauth.showProtected(request));
  app.get(paths.metadata, { schema: showMetadata }, (request) => oauth.showMetadata(request));
}

class OAuthEndpoints {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async grantToken(request: Request, reply: Reply) {
    const { form, clientId } = await this.#formOfClient(request, reply);
    const grantType = needed(form, 'grant_type');
    if (grantType !== 'client_credentials') {
      throw oauthError('unsupported_grant_type', 'grant_type must be client_credentials.');
    }
    const scope = grantScope(form.get('scope'));
    const token = randomToken();
    await this.#services
      .sandboxOf(request)
      .update(issuedTokens, tokenKey(token), (_none, nowMs) =>
        rememberToken({ clientId, scope, issuedAtMs: nowMs }),
      );
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: oauthTokenSeconds,
      scope,
    } as const;
  }

  async introspect(request: Request, reply: Reply) {
    const { form } = await this.#formOfClient(request, reply);
    const sandbox = this.#services.sandboxOf(request);
    const token = await sandbox.read(issuedTokens, tokenKey(needed(form, 'token')));
    if (token === undefined || tokenFault(token, await sandbox.now()) !== undefined) {
      return { active: false };
    }
    const issuer = this.#services.baseUrlOf(request);
    const issuedAt = notBeforeSeconds(token);
    return {
      active: true,
      scope: token.scope,
      client_id: token.clientId,
      token_type: 'Bearer',
      exp: Math.floor(expiresAt(token) / 1000),
      iat: issuedAt,
      nbf: issuedAt,
      sub: token.clientId,
      aud: issuer,
      iss: issuer,
    } as const;
  }

  async revoke(request: Request, reply: Reply) {
    const { form } = await this.#formOfClient(request, reply);
    const key = tokenKey(needed(form, 'token'));
    await this.#services.sandboxOf(request).update(issuedTokens, key, revokeToken);
    return {};
  }

  async showProtected(request: Request) {
    const text = readBearerToken(singleHeader(request, 'authorization'));
    const sandbox = this.#services.sandboxOf(request);
    const token = await sandbox.read(issuedTokens, tokenKey(text));
    const nowMs = await sandbox.now();
    const fault = tokenFault(token, nowMs);
    if (token === undefined || fault !== undefined) throw invalidToken(fault ?? '');
    return {
      message: 'The access token is right.',
      client_id: token.clientId,
      sub: token.clientId,
      scope: token.scope,
      expires_in: Math.ceil((expiresAt(token) - nowMs) / 1000),
    };
  }

  async showMetadata(request: Request) {
    const issuer = this.#services.baseUrlOf(request);
    const methods = ['client_secret_basic', 'client_secret_post'];
    return {
      issuer,
      token_endpoint: issuer + paths.token,
      introspection_endpoint: issuer + paths.introspect,
      revocation_endpoint: issuer + paths.revoke,
      scopes_supported: [...knownScopes],
      // Required, and never empty, though there is no authorization endpoint: see decision 35.
      response_types_supported: ['none'],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: methods,
      introspection_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
    };
  }

  /** The form of a request whose client has authenticated. */
  async #formOfClient(request: Request, reply: Reply) {
    reply.headers(noStore);
    const form = await readForm(request);
    const authorization = headerValues(request, 'authorization');
    const { oauthClient } = valuesIn(this.#services.config, oauthSettings);
    return { form, clientId: authenticateClient(authorization, form, oauthClient) };
  }
}

async function readForm(request: Request): Promise<Form> {
  const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
  const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
  if (mediaType(contentType) !== 'application/x-www-form-urlencoded') {
    throw oauthError(
      'invalid_request',
      'The body must be a form: send Content-Type: application/x-www-form-urlencoded.',
    );
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw oauthError('invalid_request', 'Send the form without a Content-Encoding.');
  }
  const form = parseForm(textOf(bytes));
  if (isFault(form)) throw oauthError('invalid_request', form.fault);
  return form;
}

function textOf(bytes: Buffer): string {
  try {
    return bodyText(bytes);
  } catch (error) {
    if (error instanceof HttpError) throw oauthError('invalid_request', error.message);
    throw error;
  }
}

function needed(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw oauthError('invalid_request', `The parameter ${name} is missing.`);
  return value;
}
