/** Bounds of message signatures, of webhook signatures, and of the OpenID Connect issuer. */

import { type Bound, listOf, times } from './bound.js';

const parsing = 'areas/signatures/parse-signatures.ts';
const metadata = 'areas/oidc/model/client-metadata.ts';

/** A message to verify. */
const message = (fields: readonly string[]) => ({
  target: 'POST /api/auth/signature/verify',
  headers: { 'Content-Type': 'message/http' },
  body: `GET /a HTTP/1.1\r\nHost: x\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`,
});
const register = (client: object) => ({
  target: 'POST /s/bounds-of-clients/oidc/register',
  json: { redirect_uris: ['https://client.example/'], ...client },
});
const issuer = (json: object) => ({
  target: 'PUT /s/bounds-of-issuer/api/sandbox/oidc',
  json,
});

export const identityBounds: readonly Bound[] = [
  {
    limit: `${parsing}#maxFieldLength`,
    value: 8192,
    request: (size) =>
      message([`Signature-Input: a=("${times(size - 6, 'x')}")`, 'Signature: a=:AA==:']),
    rejection: [200, /have at most 8192 characters each/],
  },
  {
    limit: `${parsing}#maxSignatures`,
    value: 5,
    request: (size) =>
      message([
        `Signature-Input: ${listOf(size, (place) => `a${place}=("@method")`)}`,
        `Signature: ${listOf(size, (place) => `a${place}=:AA==:`)}`,
      ]),
    rejection: [200, /has more than 5 signatures/],
  },
  {
    limit: `${parsing}#maxComponents`,
    value: 50,
    request: (size) =>
      message([
        `Signature-Input: a=(${listOf(size, (place) => `"x-${place}"`, ' ')})`,
        'Signature: a=:AA==:',
      ]),
    rejection: [200, /covers more than 50 components/],
  },
  {
    limit: 'areas/signing/endpoints.ts#maxSecrets',
    value: 2,
    request: (size) => ({
      target: 'GET /api/webhooks/samples/stripe',
      headers: { 'X-Signing-Secret': listOf(size, (place) => `secret-${place}`) },
    }),
    rejection: [400, /must have one or two secrets/],
  },
  {
    limit: 'areas/signing/endpoints.ts#maxSecretCharacters',
    value: 500,
    request: (size) => ({
      target: 'GET /api/webhooks/samples/stripe',
      headers: { 'X-Signing-Secret': times(size, 's') },
    }),
    rejection: [400, /at most 500 characters/],
  },
  {
    limit: `${metadata}#maxTagged`,
    value: 20,
    request: (size) =>
      register(
        Object.fromEntries(
          Array.from({ length: size }, (_, place) => [
            `client_name#${String.fromCharCode(97 + place)}a`,
            'a',
          ]),
        ),
      ),
    rejection: [400, /At most 20 members may have a language tag; got 21/],
  },
  {
    limit: `${metadata}#maxDefaultSeconds`,
    value: 999_999_999,
    request: (size) => register({ default_max_age: size }),
    rejection: [400, /default_max_age must be an integer from 0 to 999999999/],
  },
  {
    limit: `${metadata}#maxDefaultAcrValues`,
    value: 10,
    request: (size) => register({ default_acr_values: Array(size).fill('pwd') }),
    rejection: [400, /default_acr_values must be an array of at most 10 items.*; got 11 items/],
  },
  {
    limit: `${metadata}#maxUriLength`,
    value: 500,
    request: (size) => register({ 'client_name#de': times(size, 'a') }),
    rejection: [400, /must be a string of 1 to 500 printable characters/],
  },
  {
    limit: 'areas/oidc/endpoints/check-settings.ts#maxSettingsBytes',
    value: 65_536,
    request: (size) => {
      const settings = (text: string) => ({
        users: [
          ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p'],
        ].map((username) => ({
          username,
          password: 'p',
          claims: { text: username === 'a' ? text : filling },
        })),
      });
      const filling = times(4000, 'x');
      const rest = JSON.stringify(settings('')).length;
      return {
        target: 'PUT /s/bounds-of-issuer/api/sandbox/oidc',
        json: settings(times(size - rest, 'x')),
      };
    },
    rejection: [400, /must be at most 65536 bytes as JSON; got 65537/],
  },
  {
    limit: 'areas/oidc/model/issuer-settings.ts#maxSeconds',
    value: 365 * 86_400,
    request: (size) => issuer({ lifetimes: { access: size } }),
    rejection: [400, /lifetimes.access/],
  },
  {
    limit: 'areas/oidc/endpoints/check-settings.ts#maxAccessClaimsBytes',
    value: 2048,
    request: (size) => {
      const accessClaims = { text: times(size - '{"text":""}'.length, 'x') };
      return issuer({ users: [{ username: 'a', password: 'p', accessClaims }] });
    },
    rejection: [400, /must be at most 2048 bytes as JSON; got 2049/],
  },
  {
    limit: `${metadata}#maxKeyBytes`,
    value: 4096,
    request: (size) => {
      const key = { kty: 'EC', crv: 'P-256', x: '' };
      const rest = JSON.stringify([key]).length;
      return register({ jwks: { keys: [{ ...key, x: times(size - rest, 'x') }] } });
    },
    rejection: [400, /jwks is too long/],
  },
];
