/** Giving samples, signing the bodies of callers, and judging what is signed. */

import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { unixSeconds } from '../../base/whole-seconds.js';
import { prefixOf } from '../../http/address/sandbox-address.js';
import {
  maxParsedBodyBytes,
  readBody,
  reserveUntilResponse,
} from '../../http/body/request-body.js';
import { showBody } from '../../http/body/show-body.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError, jsonContentType } from '../../http/http-error.js';
import { sendLargeJson } from '../../http/json/large-json.js';
import type { Services } from '../../kit/area.js';
import { providers, sampleContentType, samples } from './samples.js';
import {
  type SchemeName,
  schemeNames,
  schemes,
  signDelivery,
  signingSecret,
  type Tampering,
} from './sign-delivery.js';
import { verifyDelivery } from './verify-delivery.js';

interface OfProvider {
  Params: { provider: string };
}
interface Signing extends OfProvider {
  Querystring: { timestamp?: number; tamper?: Tampering };
}
interface Giving extends Signing {
  Querystring: Signing['Querystring'] & { format?: 'raw' | 'envelope' };
}
interface Verifying extends OfProvider {
  Querystring: { at?: number };
}

export function signingHandlers({ sandboxOf }: Services) {
  const nowSecondsOf = async (request: Request) => unixSeconds(await sandboxOf(request).now());

  return {
    list: ({ raw }: Request) => ({
      signingSecret,
      note,
      samples: providers.map((provider) => ({
        provider,
        eventType: samples[provider].eventType,
        signatureHeader: samples[provider].signatureHeader,
        url: `${prefixOf(raw)}/api/webhooks/samples/${provider}`,
      })),
    }),

    async give(request: Request<Giving>, reply: Reply): Promise<Buffer> {
      const { format, timestamp, tamper } = request.query;
      const provider = readProvider(request.params.provider, providers);
      const { eventType, body, headers } = samples[provider];
      checkTampering(provider, tamper);
      const signed = signDelivery(provider, body, {
        secret: signingSecret,
        timestampSeconds: timestamp ?? (await nowSecondsOf(request)),
        id: newMessageId(),
        tampering: tamper,
      });
      const allHeaders = { 'Content-Type': sampleContentType, ...headers, ...signed.headers };
      if (format !== 'envelope') {
        for (const [name, value] of Object.entries(allHeaders)) reply.header(name, value);
        return signed.body;
      }
      reply.header('content-type', sampleContentType);
      const envelope = {
        provider,
        eventType,
        secret: signingSecret,
        headers: allHeaders,
        body: signed.body.toString('utf8'),
        verification: schemes[provider].verification,
      };
      return Buffer.from(JSON.stringify(envelope));
    },

    async sign(request: Request<Signing>, reply: Reply) {
      const { timestamp, tamper } = request.query;
      const scheme = readProvider(request.params.provider, schemeNames);
      checkTampering(scheme, tamper);
      const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
      // A copy that is tampered with, or that waits for its client.
      reserveUntilResponse(request, reply, bytes.length);
      const secret = readSecret(scheme, request.headers);
      const sentId = request.headers['webhook-id'];
      const signed = signDelivery(scheme, bytes, {
        secret,
        timestampSeconds: timestamp ?? (await nowSecondsOf(request)),
        id: typeof sentId === 'string' ? sentId : newMessageId(),
        tampering: tamper,
      });
      const sample = scheme === 'standard-webhooks' ? undefined : samples[scheme];
      const shown = showBody({ bytes: signed.body, isTruncated: false });
      const envelope = {
        provider: scheme,
        eventType: sample?.eventType ?? 'custom',
        secret,
        headers: {
          'Content-Type': request.headers['content-type'] ?? sampleContentType,
          ...sample?.headers,
          ...signed.headers,
        },
        body: shown.text ?? '',
        ...(shown.encoding === 'base64' && { bodyEncoding: shown.encoding }),
        verification: schemes[scheme].verification,
      };
      return sendLargeJson(request, reply.type(jsonContentType), envelope);
    },

    async verify(request: Request<Verifying>) {
      const provider = readProvider(request.params.provider, schemeNames);
      const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
      const verdict = verifyDelivery(provider, {
        headers: request.raw.headers,
        body: bytes,
        secret: readSecret(provider, request.headers),
        nowSeconds: request.query.at ?? (await nowSecondsOf(request)),
        knownBodies: provider === 'standard-webhooks' ? [] : [samples[provider].body],
        isExplained: true,
      });
      return { provider, ...verdict };
    },
  };
}

const note =
  'Every sample is signed with signingSecret. GET one for the exact body with its signature headers, or with ?format=envelope for all of it as JSON; ?tamper=body, signature or timestamp gives one that must be rejected. POST your own body there to have it signed, or with its signature to /api/webhooks/verify/{provider} to have it checked.';

/** Throws 404 for a provider that is not among those. */
function readProvider<Name extends SchemeName>(text: string, known: readonly Name[]): Name {
  const found = known.find((name) => name === text.toLowerCase());
  if (found === undefined) {
    throw new HttpError(404, `There is no such provider here; there are ${known.join(', ')}.`);
  }
  return found;
}

function checkTampering(scheme: SchemeName, tampering: Tampering | undefined): void {
  if (tampering !== 'timestamp' || schemes[scheme].signsTimestamp) return;
  const message = `A signature of ${schemes[scheme].title} holds no time that could be tampered with; body and signature can be.`;
  throw new HttpError(400, message, { body: { errors: [{ field: 'tamper', message }] } });
}

/** Standard Webhooks takes base64 alone as a secret; the others take any text. */
function readSecret(scheme: SchemeName, headers: IncomingHttpHeaders): string {
  const sent = headers['x-signing-secret'];
  if (typeof sent !== 'string') return signingSecret;
  const text = Buffer.from(sent, 'latin1').toString('utf8');
  if (scheme === 'standard-webhooks' && !/^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw new HttpError(
      400,
      'The header X-Signing-Secret must be base64, with or without whsec_ in front, for Standard Webhooks.',
    );
  }
  return text;
}

function newMessageId(): string {
  return `msg_${randomBytes(15).toString('base64url')}`;
}
