/** Endpoints that return samples, sign bodies of callers, and verify signed deliveries. */

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { unixSeconds } from '#base/whole-seconds.js';
import { prefixOf } from '#http/address/sandbox-address.js';
import { maxParsedBodyBytes, readBody } from '#http/body/request-body.js';
import { showBody } from '#http/body/show-body.js';
import type { Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { HttpError, jsonContentType, rejectField } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { sendLargeJson } from '#http/sending/large-json.js';
import { reserveUntilResponse } from '#http/sending/reserve-until-response.js';
import { type SchemeName, schemeNames, schemes, signingSecret } from '#kit/deliveries/schemes.js';
import { signDelivery, type Tampering, tamperings } from '#kit/deliveries/sign-delivery.js';
import { anyBodies } from '#kit/describe/any-body.js';
import { endpoint, openExceptTypos, unvalidated } from '#kit/endpoint.js';
import { member } from '#kit/request-collection.js';
import { deliveryVerdictFields } from '#kit/verdict/delivery-verdict.js';
import { providers, samples } from './samples.js';
import { lastUnixSecond } from './time-unit.js';
import { faultyParts, verifyDelivery } from './verify-delivery.js';

const path = '/api/webhooks/samples';
const samplePath = `${path}/:provider`;

/** An enum instead of a union of constants, so that an error lists the valid values. */
const oneOf = <const Values extends readonly string[]>(values: Values, options: object = {}) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...options });

const headersOf = (names: readonly string[]) => {
  const header = Type.Optional(Type.String({ description: 'Only from providers that send it.' }));
  return Object.fromEntries(names.map((name) => [name, header]));
};

const params = { provider: Type.String({ description: 'Such as stripe, in any letter case.' }) };

const time = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: lastUnixSecond, description }));

const signingQuery = {
  timestamp: time('Signs for this Unix time instead of now.'),
  tamper: Type.Optional(
    oneOf(tamperings, {
      description: 'Changes this part after signing, so that the delivery must be rejected.',
    }),
  ),
};

/** The new and the old secret. Each costs another pass over the body. */
const maxSecrets = 2;

const secretHeader = unvalidated({
  'x-signing-secret': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        "Signs or verifies with this secret instead of the samples' secret. During a rotation there are two: send the header twice, or separate them by a comma.",
    }),
  ),
});

const envelopeSchema = Type.Object(
  {
    provider: Type.String(),
    eventType: Type.String(),
    secret: Type.String(),
    secrets: Type.Optional(
      Type.Array(Type.String(), { description: 'Present if there are several.' }),
    ),
    headers: Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } }),
    body: Type.String({ description: 'The exact body that was signed, as text.' }),
    bodyEncoding: Type.Optional(
      Type.Literal('base64', {
        description: 'Present if the body is base64, because it is not UTF-8.',
      }),
    ),
    verification: Type.String({ description: 'How to verify the signature.' }),
  },
  { title: 'SignedDelivery' },
);

export const listSamples = endpoint('GET', path, {
  summary: 'List the signed samples',
  description: 'One sample for each provider. All are signed with the same secret.',
  responses: {
    200: Type.Object({
      signingSecret: Type.String(),
      note: Type.String(),
      samples: Type.Array(
        Type.Object({
          provider: Type.String(),
          eventType: Type.String(),
          signatureHeader: Type.String(),
          url: Type.String(),
        }),
      ),
    }),
  },
  examples: { 'All samples': {} },
  handle: ({ raw }) => ({
    signingSecret,
    note: 'Every sample is signed with signingSecret. GET one for the exact body with its signature headers, or with ?format=envelope as one JSON object. With ?tamper=body, signature or timestamp, it must be rejected. POST your own body there to sign it, or with a signature to /api/webhooks/verify/{provider} to verify it.',
    samples: providers.map((provider) => ({
      provider,
      eventType: samples[provider].eventType,
      signatureHeader: schemes[provider].signatureHeader,
      url: `${prefixOf(raw)}${path}/${provider}`,
    })),
  }),
});

const github = { provider: 'github' };
const stripe = { provider: 'stripe' };
const paid = { event: 'paid' };
const changedTime = { path: github, query: { tamper: 'timestamp' } };

export const readSample = endpoint('GET', samplePath, {
  summary: 'Get a signed sample, exactly as from the provider',
  description:
    "Body and headers as a receiver gets them. The signed time is now, so that the providers' libraries accept it.",
  params,
  query: openExceptTypos({
    ...signingQuery,
    format: Type.Optional(
      oneOf(['raw', 'envelope'], {
        description:
          'raw, the default, is the delivery itself; envelope is a JSON object that describes it.',
      }),
    ),
  }),
  headers: secretHeader,
  responses: {
    200: {
      description: 'The exact body of the delivery, or with ?format=envelope its description.',
      content: {
        'application/json': {
          schema: Type.Unsafe({
            anyOf: [
              envelopeSchema,
              { type: 'object', description: 'The body as from the provider.' },
            ],
          }),
        },
      },
    },
    ...failures(404),
  },
  responseHeaders: {
    200: headersOf(
      providers.flatMap((provider) => [
        schemes[provider].signatureHeader,
        ...Object.keys(samples[provider].headers),
      ]),
    ),
  },
  examples: {
    'From stripe': { path: stripe, isNoExample: true },
    'From github': { path: github },
    'From shopify': { path: { provider: 'shopify' }, isNoExample: true },
    'The sample': { path: github, query: { format: 'envelope' } },
    'No time to change': changedTime,
  },
  async handle(request, reply) {
    const provider = readProvider(request, providers);
    checkTampering(provider, request.query.tamper);
    const sample = samples[provider];
    const id = newMessageId();
    const secrets = readSecretsToSign(provider, request);
    const { headers, body } = await signFor(request, provider, sample.body, secrets, id);
    const sent = { 'Content-Type': jsonContentType, ...sample.headers, ...headers };
    return request.query.format === 'envelope'
      ? envelopeOf(provider, secrets, sent, body)
      : reply.headers(sent).send(body);
  },
});

export const sign = endpoint('POST', samplePath, {
  summary: 'Sign your own body like a provider',
  description: `Accepts the raw bytes of any body up to 1 MiB, for ${schemeNames.join(', ')}.`,
  params,
  query: openExceptTypos(signingQuery),
  headers: {
    ...secretHeader,
    ...unvalidated({
      'webhook-id': Type.Optional(
        Type.String({ description: 'Only for Standard Webhooks. Default: a new id.' }),
      ),
    }),
  },
  ...anyBodies,
  responses: { 200: envelopeSchema, ...failures(404, 413) },
  examples: {
    "The caller's body": {
      path: stripe,
      json: paid,
      keeps: { signature: member('headers', 'Stripe-Signature') },
    },
    'No time to change': { ...changedTime, json: paid },
  },
  async handle(request, reply) {
    const scheme = readProvider(request, schemeNames);
    checkTampering(scheme, request.query.tamper);
    const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
    // Memory for a copy that is tampered with, or that waits for its client.
    reserveUntilResponse(request, reply, bytes.length);
    const secrets = readSecretsToSign(scheme, request);
    const { 'webhook-id': sentId, 'content-type': type = jsonContentType } = request.raw.headers;
    const id = typeof sentId === 'string' ? sentId : newMessageId();
    const { headers, body } = await signFor(request, scheme, bytes, secrets, id);
    const sent = { 'Content-Type': type, ...sampleOf(scheme)?.headers, ...headers };
    const envelope = envelopeOf(scheme, secrets, sent, body);
    return sendLargeJson(request, reply.type(jsonContentType), envelope);
  },
});

const signature = { 'Stripe-Signature': '{{signature}}' };

export const verify = endpoint('POST', '/api/webhooks/verify/:provider', {
  onlyReads: true,
  summary: 'Verify a delivery, and find the part that is wrong',
  description: `Send the delivery exactly as received: the raw body, up to 1 MiB, with the signature headers of ${schemeNames.join(', ')}.`,
  params,
  query: openExceptTypos({
    at: time('Compares the time of the delivery with this Unix time instead of now.'),
  }),
  headers: {
    ...secretHeader,
    ...unvalidated(
      headersOf([
        ...schemeNames.flatMap((name) =>
          Object.keys(schemes[name].headers([''], { timestamp: '', id: '' })),
        ),
        ...['svix-id', 'svix-timestamp', 'svix-signature'],
      ]),
    ),
  },
  ...anyBodies,
  responses: {
    200: Type.Object(
      {
        ...deliveryVerdictFields,
        provider: oneOf(schemeNames),
        part: Type.Optional(oneOf(faultyParts, { description: 'The part that is wrong.' })),
      },
      { title: 'Verdict' },
    ),
    ...failures(404, 413),
  },
  examples: {
    'A delivery that verifies': { path: stripe, headers: signature, json: paid },
    'Another body': { path: stripe, headers: signature, json: { event: 'refunded' } },
    'No time': { path: stripe, query: { at: 'now' }, json: paid },
  },
  async handle(request) {
    const provider = readProvider(request, schemeNames);
    const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
    const sample = sampleOf(provider);
    const verdict = verifyDelivery(provider, {
      headers: request.raw.headers,
      body: bytes,
      secrets: readSecrets(provider, request),
      nowSeconds: request.query.at ?? (await nowSecondsOf(request)),
      knownBodies: sample === undefined ? [] : [sample.body],
      isExplained: true,
    });
    return { provider, ...verdict };
  },
});

/** Throws 404 for an unknown provider. */
function readProvider<Name extends SchemeName>(
  { params: { provider } }: Request<{ Params: { provider: string } }>,
  known: readonly Name[],
): Name {
  const found = known.find((name) => name === provider.toLowerCase());
  if (found === undefined) {
    throw new HttpError(404, `Unknown provider; use ${known.join(', ')}.`);
  }
  return found;
}

function checkTampering(scheme: SchemeName, tampering: Tampering | undefined): void {
  if (tampering !== 'timestamp' || schemes[scheme].signsTimestamp) return;
  const { title } = schemes[scheme];
  rejectField(
    'tamper',
    `A signature of ${title} has no time to tamper with; use body or signature.`,
  );
}

/** Reads the secrets to sign with. Throws 400 for several if the provider sends only one signature. */
function readSecretsToSign(scheme: SchemeName, request: Request): readonly string[] {
  const secrets = readSecrets(scheme, request);
  if (secrets.length === 1 || schemes[scheme].hasManySignatures) return secrets;
  const { title, signatureHeader } = schemes[scheme];
  throw new HttpError(
    400,
    `${title} sends only one signature in ${signatureHeader}, so send only one X-Signing-Secret.`,
  );
}

/** Secrets of Standard Webhooks are base64; others are any text. */
function readSecrets(scheme: SchemeName, request: Request): readonly string[] {
  const sent = headerValues(request, 'x-signing-secret');
  if (sent.length === 0) return [signingSecret];
  const secrets = sent
    .flatMap((value) => Buffer.from(value, 'latin1').toString('utf8').split(','))
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
  if (secrets.length === 0 || secrets.length > maxSecrets || secrets.some(isTooLong)) {
    throw new HttpError(
      400,
      `The header X-Signing-Secret must have one or two secrets of at most ${maxSecretCharacters} characters, separated by a comma.`,
    );
  }
  const isBase64 = secrets.every((each) => /^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(each));
  if (scheme === 'standard-webhooks' && !isBase64) {
    throw new HttpError(
      400,
      'The header X-Signing-Secret must be base64 for Standard Webhooks, with an optional prefix whsec_.',
    );
  }
  return secrets;
}

const maxSecretCharacters = 500;
const isTooLong = (secret: string) => secret.length > maxSecretCharacters;

async function signFor(
  request: Request<{ Querystring: { timestamp?: number; tamper?: Tampering } }>,
  scheme: SchemeName,
  body: Buffer,
  secrets: readonly string[],
  id: string,
) {
  const { timestamp, tamper: tampering } = request.query;
  const timestampSeconds = timestamp ?? (await nowSecondsOf(request));
  return signDelivery(scheme, body, { secrets, timestampSeconds, id, tampering });
}

async function nowSecondsOf({ sandbox }: Request): Promise<number> {
  return unixSeconds(await sandbox.now());
}

function sampleOf(scheme: SchemeName) {
  return scheme === 'standard-webhooks' ? undefined : samples[scheme];
}

function envelopeOf(scheme: SchemeName, secrets: readonly string[], headers: object, body: Buffer) {
  const { text, encoding } = showBody({ bytes: body, isTruncated: false });
  return {
    provider: scheme,
    eventType: sampleOf(scheme)?.eventType ?? 'custom',
    secret: secrets[0] ?? '',
    ...(secrets.length > 1 && { secrets }),
    headers,
    body: text ?? '',
    ...(encoding === 'base64' && { bodyEncoding: encoding }),
    verification: schemes[scheme].verification,
  };
}

function newMessageId(): string {
  return `msg_${randomBytes(15).toString('base64url')}`;
}
