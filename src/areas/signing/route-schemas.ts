/** What the routes of samples and signatures take and respond with, and how they are described. */

import { Type } from 'typebox';
import type { Fields } from '../../http/exchange.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { anyBody } from '../../kit/describe/any-body.js';
import { providers, samples } from './samples.js';
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
import { schemeNames, schemes } from './sign-delivery.js';

/** What providers send with a delivery: who signs, and what it is about. */
const sampleHeaders = optionalHeaders(
  providers.flatMap((provider) => [
    samples[provider].signatureHeader,
    ...Object.keys(samples[provider].headers),
  ]),
);

/** What schemes sign with. */
const deliveryHeaders = optionalHeaders(
  schemeNames.flatMap((name) => {
    const { signatureHeader, timestampHeader } = schemes[name];
    return timestampHeader === undefined
      ? [signatureHeader]
      : ['webhook-id', timestampHeader, signatureHeader];
  }),
);

function optionalHeaders(names: readonly string[]): Fields {
  const header = Type.Optional(Type.String({ description: 'Of the providers that send it.' }));
  return Object.fromEntries(names.map((name) => [name, header]));
}

export const listSamples = {
  summary: 'List the signed samples',
  description: 'One for each provider, and the secret that all of them are signed with.',
  response: { 200: sampleListSchema },
};

export const giveSample = {
  summary: 'Get a signed sample, as the provider would send it',
  description:
    'Body and headers as a receiver gets them. The time that is signed is now, so that the libraries of providers accept it.',
  params: providerParamsSchema,
  querystring: sampleQuerySchema,
  response: { 200: sampleSchema, 400: errorSchema, 404: errorSchema },
  responseHeaders: { 200: sampleHeaders },
};

const messageId = Type.String({ description: 'Of Standard Webhooks; a new one without it.' });

export const sign = {
  summary: 'Sign your own body as a provider would',
  description: `Takes the raw bytes of any body up to 1 MiB, for ${schemeNames.join(', ')}.`,
  params: providerParamsSchema,
  querystring: signQuerySchema,
  headers: signHeadersSchema,
  described: { headers: { 'webhook-id': Type.Optional(messageId) }, ...anyBody },
  response: { 200: envelopeSchema, 400: errorSchema, 404: errorSchema, 413: errorSchema },
};

export const verify = {
  summary: 'Verify a delivery, and find which part of it is wrong',
  description: `Send the delivery as its receiver gets it: the raw body, up to 1 MiB, with the signature headers of ${schemeNames.join(', ')}.`,
  params: providerParamsSchema,
  querystring: verifyQuerySchema,
  headers: signHeadersSchema,
  described: { headers: deliveryHeaders, ...anyBody },
  response: { 200: verdictSchema, 400: errorSchema, 404: errorSchema, 413: errorSchema },
};
