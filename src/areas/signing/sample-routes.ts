/** Signed sample deliveries, signatures for the caller's own, and what is wrong with a faulty one. */

import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import { anyBody } from '../../server/any-body.js';
import type { App, HeaderSchemas, Services } from '../../server/area.js';
import { errorSchema } from '../../server/error-schema.js';
import { cacheControl } from '../../server/header-schemas.js';
import { HttpError } from '../../server/http-error.js';
import { maxParsedBodyBytes, readBody } from '../../server/request-body.js';
import { showBody } from '../../server/show-body.js';
import { providers, sampleContentType, samples } from './samples.js';
import {
  envelopeSchema,
  providerParamsSchema,
  sampleListSchema,
  sampleQuerySchema,
  sampleSchema,
  signHeadersSchema,
  signQuerySchema,
  verdictSchema,
  verifyQuerySchema,
} from './schemas.js';
import {
  type SchemeName,
  type SigningOptions,
  schemeNames,
  schemes,
  signDelivery,
  signingSecret,
  type Tampering,
} from './sign-delivery.js';
import { verifyDelivery } from './verify-delivery.js';

const samplesPath = '/api/webhooks/samples';

/** What providers send with a delivery: who signs, and what it is about. */
const sampleHeaders = {
  ...cacheControl,
  ...optionalHeaders(
    providers.flatMap((provider) => [
      samples[provider].signatureHeader,
      ...Object.keys(samples[provider].headers),
    ]),
  ),
};

/** What schemes sign with. */
const deliveryHeaders = optionalHeaders(
  schemeNames.flatMap((name) => {
    const { signatureHeader, timestampHeader } = schemes[name];
    return timestampHeader === undefined
      ? [signatureHeader]
      : ['webhook-id', timestampHeader, signatureHeader];
  }),
);

function optionalHeaders(names: readonly string[]): HeaderSchemas {
  return Object.fromEntries(
    names.map((name) => [
      name,
      Type.Optional(Type.String({ description: 'Of the providers that send it.' })),
    ]),
  );
}

const note =
  'Every sample is signed with signingSecret. GET one for the exact body with its signature headers, or with ?format=envelope for all of it as JSON; ?tamper=body, signature or timestamp gives one that must be refused. POST your own body there to have it signed, or with its signature to /api/webhooks/verify/{provider} to have it checked.';

export function addSampleRoutes(app: App, services: Services): void {
  const nowSecondsOf = async (request: Parameters<Services['sandboxOf']>[0]) =>
    Math.floor((await services.sandboxOf(request).now()) / 1000);

  app.get(
    samplesPath,
    {
      schema: {
        summary: 'Lists the signed samples',
        description: 'One for each provider, and the secret that all of them are signed with.',
        response: { 200: sampleListSchema },
      },
    },
    async () => ({
      signingSecret,
      note,
      samples: providers.map((provider) => ({
        provider,
        eventType: samples[provider].eventType,
        signatureHeader: samples[provider].signatureHeader,
        url: `${samplesPath}/${provider}`,
      })),
    }),
  );

  app.get(
    `${samplesPath}/:provider`,
    {
      schema: {
        summary: 'Gives a signed sample, as the provider would send it',
        description:
          'Body and headers as a receiver gets them. The time that is signed is now, so that the libraries of providers take it.',
        params: providerParamsSchema,
        querystring: sampleQuerySchema,
        response: { 200: sampleSchema, 400: errorSchema, 404: errorSchema },
        responseHeaders: { 200: sampleHeaders },
      },
    },
    async (request, reply) => {
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
      const allHeaders = {
        'Content-Type': sampleContentType,
        ...headers,
        ...signed.headers,
      };
      if (format === 'envelope') {
        reply.header('content-type', sampleContentType);
        return Buffer.from(
          JSON.stringify({
            provider,
            eventType,
            secret: signingSecret,
            headers: allHeaders,
            body: signed.body.toString('utf8'),
            verification: schemes[provider].verification,
          }),
        );
      }
      for (const [name, value] of Object.entries(allHeaders)) reply.header(name, value);
      const exposed = Object.keys({ ...headers, ...signed.headers });
      const common = reply.getHeader('access-control-expose-headers');
      reply.header('access-control-expose-headers', [common, ...exposed].join(', '));
      return signed.body;
    },
  );

  app.post(
    `${samplesPath}/:provider`,
    {
      schema: {
        summary: "Signs the caller's own body as a provider would",
        description: `Takes the raw bytes of any body up to 1 MiB, for ${schemeNames.join(', ')}.`,
        params: providerParamsSchema,
        querystring: signQuerySchema,
        headers: signHeadersSchema,
        described: {
          headers: {
            'webhook-id': Type.Optional(
              Type.String({ description: 'Of Standard Webhooks; a new one without it.' }),
            ),
          },
          ...anyBody,
        },
        response: { 200: envelopeSchema, 400: errorSchema, 404: errorSchema, 413: errorSchema },
        responseHeaders: { 200: cacheControl },
      },
    },
    async (request) => {
      const { timestamp, tamper } = request.query;
      const scheme = readProvider(request.params.provider, schemeNames);
      checkTampering(scheme, tamper);
      const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
      const secret = readSecret(scheme, request.headers);
      const sentId = request.headers['webhook-id'];
      const options: SigningOptions = {
        secret,
        timestampSeconds: timestamp ?? (await nowSecondsOf(request)),
        id: typeof sentId === 'string' ? sentId : newMessageId(),
        tampering: tamper,
      };
      const signed = signDelivery(scheme, bytes, options);
      const sample = scheme === 'standard-webhooks' ? undefined : samples[scheme];
      const shown = showBody({ bytes: signed.body, isTruncated: false });
      return {
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
    },
  );

  app.post(
    '/api/webhooks/verify/:provider',
    {
      schema: {
        summary: 'Says whether a delivery verifies, and if not which part of it is wrong',
        description: `Send the delivery as its receiver gets it: the raw body, up to 1 MiB, with the signature headers of ${schemeNames.join(', ')}.`,
        params: providerParamsSchema,
        querystring: verifyQuerySchema,
        headers: signHeadersSchema,
        described: { headers: deliveryHeaders, ...anyBody },
        response: { 200: verdictSchema, 400: errorSchema, 404: errorSchema, 413: errorSchema },
      },
    },
    async (request) => {
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
  );
}

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
