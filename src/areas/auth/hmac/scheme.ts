import { Type } from 'typebox';
import { credential, valuesIn } from '#config/setting.js';
import type { Config } from '#config/settings.js';
import { checkHead, maxParsedBodyBytes, readWholeBody } from '#http/body/request-body.js';
import { quoted, realm, unauthorized } from '#http/credentials/challenge.js';
import { singleHeader } from '#http/headers/header-values.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { anyBodies } from '#kit/describe/any-body.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import type { Scheme } from '../scheme.js';
import { hmacCollection } from './collection.js';
import { signatureFault, toleranceSeconds } from './signature-fault.js';

const settings = {
  hmacSecret: credential({
    flag: 'auth-hmac-secret',
    placeholder: 'secret',
    meaning: 'the secret of HMAC signatures',
    demo: 'demo-hmac-secret',
    parse(text) {
      if (text === '') throw new Error('must not be empty');
      return text;
    },
  }),
};

const secretOf = (config: Config) => valuesIn(config, settings).hmacSecret;

/** HTTP has no registered scheme for signed bodies, but a 401 needs a challenge. */
const challenge = `HMAC-SHA256 realm=${quoted(realm)}`;

const receiveSigned = (secret: string) =>
  endpoint('POST', '/api/auth/hmac', {
    summary: 'Send a request signed with HMAC-SHA256',
    description: `X-Timestamp is the Unix time in seconds, at most ${toleranceSeconds} seconds from the server's. X-Signature is the hex HMAC-SHA256 of timestamp + "." + raw body, with an optional prefix sha256=. The body can have any type.`,
    headers: unvalidated({
      'X-Timestamp': Type.String({ pattern: '^\\d{1,12}$', description: 'Unix seconds.' }),
      'X-Signature': Type.String({
        pattern: '^(?:[sS][hH][aA]256=)?[0-9a-fA-F]{64}$',
        description: '64 hex digits, with an optional prefix sha256=.',
      }),
    }),
    ...anyBodies,
    responses: {
      200: Type.Object({
        authenticated: Type.Literal(true),
        scheme: Type.Literal('hmac-sha256'),
        timestamp: Type.Integer({ description: 'The signed Unix time.' }),
        bodyLength: Type.Integer({ description: 'Size of the signed body in bytes.' }),
      }),
      401: errorSchema,
      413: errorSchema,
    },
    async handle(request) {
      const timestamp = singleHeader(request, 'x-timestamp');
      const signature = singleHeader(request, 'x-signature');
      checkHead(request, maxParsedBodyBytes);
      const isSigned = timestamp !== undefined && signature !== undefined;
      const body = isSigned ? await readWholeBody(request) : Buffer.alloc(0);
      const nowMs = await request.sandbox.now();
      const fault = signatureFault(secret, { timestamp, signature, body }, nowMs);
      if (fault !== undefined) throw unauthorized(fault, challenge);
      return {
        authenticated: true,
        scheme: 'hmac-sha256',
        timestamp: Number(timestamp),
        bodyLength: body.length,
      };
    },
  });

export const hmacScheme = {
  name: 'hmac',
  title: 'HMAC',
  settings,
  index: {
    schema: { hmac: Type.Object({ secret: Type.String() }) },
    read: (config) => ({ hmac: { secret: secretOf(config) } }),
  },
  credentials: (config) => [
    { title: 'HMAC', parts: [{ name: 'Secret', value: secretOf(config) }] },
  ],
  collection: { ...hmacCollection, variables: (config) => ({ hmacSecret: secretOf(config) }) },
  endpoints: ({ config }) => [receiveSigned(secretOf(config))],
} satisfies Scheme;
