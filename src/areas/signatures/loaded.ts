/** The part of the area that its first request loads. */

import { Type } from 'typebox';
import { endpoint } from '#kit/endpoint.js';
import { guardGet, guardPost } from './guard.js';
import { rfcKeys } from './keys/rfc-keys.js';
import { path } from './path.js';
import { verify } from './verify.js';

export { signatureJudge } from './signature-judge.js';

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

export const readKeys = () => ({
  signature: { keys: rfcKeys.map(({ keyid, alg }) => ({ keyid, alg })) },
});

export const endpoints = [guardGet, guardPost, listKeys, verify];
