/** Signed requests and responses: HTTP Message Signatures (RFC 9421) and Digest Fields (RFC 9530). */

import { Type } from 'typebox';
import type { Area } from '#kit/area.js';
import { endpoint } from '#kit/endpoint.js';
import { credentialsToken } from '#kit/offers/credentials.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { guardGet, guardPost } from './guard.js';
import { rfcKeys } from './keys/rfc-keys.js';
import { path } from './schemas.js';
import { signatureJudge } from './signature-judge.js';
import { verify } from './verify.js';

const needsSignature =
  'It requires a signature for each request, which an .http file cannot compute.';

const listKeys = endpoint('GET', `${path}/keys`, {
  summary: 'Get the signature keys, including private keys',
  description: 'The published keys of RFC 9421 appendix B.1.',
  responses: {
    200: Type.Object({
      keys: Type.Array(
        Type.Object({
          keyid: Type.String(),
          alg: Type.String({ description: 'The only algorithm that the key is for.' }),
          jwk: Type.Unsafe({
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'RFC 7517.',
          }),
        }),
      ),
    }),
  },
  handle: () => ({ keys: rfcKeys }),
});

export const signaturesArea = {
  name: 'signatures',
  title: 'Message signatures',
  guide: 'auth/signature',
  front: {
    group: 'login',
    start: `${path}/keys`,
    examples: () => [
      {
        title: 'See how a signature is computed',
        method: 'POST',
        path: `${path}/verify`,
        headers: { 'Content-Type': 'message/http' },
        body: 'GET /foo HTTP/1.1\nHost: example.com\nSignature-Input: sig=("@method" "@authority");keyid="test-key-ed25519"\nSignature: sig=:AAAA:\n',
        response: { status: 200, has: '@authority' },
      },
    ],
  },
  summary: 'Signed requests and responses (RFC 9421), and where a signature differs.',
  postman: [{ leftOut: { getAuthSignature: needsSignature, postAuthSignature: needsSignature } }],
  offers: [
    judgeToken.of(() => signatureJudge),
    credentialsToken.of(() => ({
      title: 'Message signatures',
      schema: {
        signature: Type.Object({
          keys: Type.Array(Type.Object({ keyid: Type.String(), alg: Type.String() })),
        }),
      },
      read: () => ({ signature: { keys: rfcKeys.map(({ keyid, alg }) => ({ keyid, alg })) } }),
    })),
  ],
  securitySchemes: {
    messageSignature: {
      type: 'apiKey',
      in: 'header',
      name: 'Signature',
      description: 'With Signature-Input (RFC 9421). GET /api/auth has the keys.',
    },
  },
  endpoints: () => [guardGet, guardPost, listKeys, verify],
} satisfies Area;
