/** A request signed over its time and its raw body. */

import { Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import { maxParsedBodyBytes, readBody } from '../../../http/body/request-body.js';
import { quoted, unauthorized } from '../../../http/credentials/challenge.js';
import { isFault } from '../../../http/credentials/fault.js';
import { realm } from '../../../http/credentials/realm.js';
import { singleHeader } from '../../../http/headers/header-values.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import type { App } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import { anyBody } from '../../../kit/describe/any-body.js';
import { hmacSettings } from './settings.js';
import { toleranceSeconds, verifySignature } from './verify-signature.js';

const recordSchema = Type.Object({
  authenticated: Type.Literal(true),
  scheme: Type.Literal('hmac-sha256'),
  timestamp: Type.Integer({ description: 'The Unix time that was signed.' }),
  bodyLength: Type.Integer({ description: 'How many bytes of body were signed.' }),
});

/** No scheme is registered for this either; see api-key. */
const challenge = `HMAC-SHA256 realm=${quoted(realm)}`;

export function addHmacRoutes(app: App, { config, sandboxOf }: Services): void {
  const { hmacSecret } = valuesIn(config, hmacSettings);
  app.post(
    '/api/auth/hmac',
    {
      schema: {
        summary: 'Send a request signed with HMAC-SHA256',
        description: `X-Timestamp is the Unix time in seconds, at most ${toleranceSeconds} from ours. X-Signature is hex HMAC-SHA256 of timestamp + "." + raw body, with or without sha256= before it. The body can be of any type.`,
        described: {
          headers: {
            'X-Timestamp': Type.String({ pattern: '^\\d{1,12}$', description: 'Unix seconds.' }),
            'X-Signature': Type.String({
              pattern: '^(?:[sS][hH][aA]256=)?[0-9a-fA-F]{64}$',
              description: 'Of the time and the body.',
            }),
          },
          ...anyBody,
        },
        response: { 200: recordSchema, 400: errorSchema, 401: errorSchema, 413: errorSchema },
      },
    },
    async (request) => {
      const timestamp = singleHeader(request, 'x-timestamp');
      const signature = singleHeader(request, 'x-signature');
      const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
      const nowMs = await sandboxOf(request).now();
      const signed = verifySignature(hmacSecret, { timestamp, signature, body: bytes }, nowMs);
      if (isFault(signed)) throw unauthorized(signed.fault, challenge);
      return {
        authenticated: true,
        scheme: 'hmac-sha256',
        timestamp: signed.timestamp,
        bodyLength: bytes.length,
      } as const;
    },
  );
}
