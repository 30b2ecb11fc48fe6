/** Requests and responses that are signed: HTTP Message Signatures (RFC 9421) and Digest Fields (RFC 9530). */

import { Type } from 'typebox';
import type { Area } from '../../kit/area.js';
import { signatureCollection } from './collection.js';
import { signatureHandlers } from './handlers.js';
import { rfcKeys } from './rfc-keys.js';
import * as schemas from './schemas.js';

const path = '/api/auth/signature';

export const signaturesArea = {
  name: 'signatures',
  title: 'Message signatures',
  guide: 'auth/signature',
  front: {
    start: `${path}/keys`,
    examples: () => [
      {
        title: 'See how a signature is computed',
        method: 'POST',
        path: `${path}/verify`,
        headers: { 'Content-Type': 'message/http' },
        body: 'GET /foo HTTP/1.1\nHost: example.com\nSignature-Input: sig=("@method" "@authority");keyid="test-key-ed25519"\nSignature: sig=:AAAA:\n',
        answer: { status: 200, has: '@authority' },
      },
    ],
  },
  summary: 'Signed requests and responses (RFC 9421), and where a signature differs.',
  postman: [signatureCollection],
  provides: {
    listedCredentials: {
      schema: {
        signature: Type.Object({
          keys: Type.Array(Type.Object({ keyid: Type.String(), alg: Type.String() })),
        }),
      },
      read: () => ({ signature: { keys: rfcKeys.map(({ keyid, alg }) => ({ keyid, alg })) } }),
    },
  },
  securitySchemes: {
    messageSignature: {
      type: 'apiKey',
      in: 'header',
      name: 'Signature',
      description: 'With Signature-Input (RFC 9421). GET /api/auth has the keys.',
    },
  },
  addRoutes(app, services) {
    const handle = signatureHandlers(services);
    app.get(path, { schema: schemas.guardGet }, handle.guard);
    app.post(path, { schema: schemas.guardPost }, handle.guard);
    app.get(`${path}/keys`, { schema: schemas.listKeys }, () => ({ keys: [...rfcKeys] }));
    app.post(`${path}/verify`, { schema: schemas.verify }, (request) =>
      handle.verify(request, request.query.scheme),
    );
  },
} satisfies Area;
