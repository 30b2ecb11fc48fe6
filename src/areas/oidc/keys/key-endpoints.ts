/** The keys of an issuer as clients see them (RFC 7517 section 5). */

import { Type } from 'typebox';
import { failures } from '../../../kit/describe/error-schema.js';
import { ownSandbox } from '../../../kit/own-sandbox.js';
import { issuerEndpoint } from '../exchange.js';
import { misbehaviourAt, requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { wrongKeys } from '../misbehaviour/wrong-id-token.js';
import { openObject, text } from '../schemas.js';
import { publishedKeys } from './key-ring.js';

const jwksSchema = Type.Object({
  keys: Type.Array(openObject('JsonWebKey', { kty: text, kid: text, alg: text, use: text })),
});

export const keyEndpoints = [
  issuerEndpoint('GET', 'keys', {
    summary: 'Get the keys that tokens are signed with',
    description: 'A key that was rotated away stays until what it signed has expired.',
    responses: { 200: jwksSchema },
    async handle({ request, sandbox, keys }) {
      const ring = await keys.ringOf(sandbox);
      const misbehaviour = await misbehaviourAt(sandbox, requestedMisbehaviour(request));
      const published = publishedKeys(ring, await sandbox.now());
      return { keys: await wrongKeys(misbehaviour?.name, published) };
    },
  }),
  issuerEndpoint('POST', 'rotate', {
    summary: 'Create a new key for every algorithm',
    description: 'Of rotations at the same time one succeeds.',
    responses: { 200: jwksSchema, ...failures(403, 409) },
    async handle({ services, request, keys }) {
      const sandbox = ownSandbox(services, request, 'Keys are rotated in');
      const ring = await keys.rotate(sandbox);
      return { keys: publishedKeys(ring, await sandbox.now()) };
    },
  }),
];
