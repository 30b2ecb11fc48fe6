/** Signed requests and responses: HTTP Message Signatures (RFC 9421) and Digest Fields (RFC 9530). */

import { Type } from 'typebox';
import type { Area } from '#kit/area.js';
import { credentialsToken } from '#kit/offers/credentials.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { path } from './path.js';

const loaded = () => import('./loaded.js');

const needsSignature =
  'It requires a signature for each request, which an .http file cannot compute.';

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
    judgeToken.of(async () => (await loaded()).signatureJudge),
    credentialsToken.of(async () => ({
      title: 'Message signatures',
      schema: {
        signature: Type.Object({
          keys: Type.Array(Type.Object({ keyid: Type.String(), alg: Type.String() })),
        }),
      },
      read: (await loaded()).readKeys,
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
  isLate: true,
  endpoints: async () => (await loaded()).endpoints,
} satisfies Area;
