import { Type } from 'typebox';
import { credential, valuesIn } from '#config/setting.js';
import type { Config } from '#config/settings.js';
import { anyMethod } from '#http/any-method.js';
import { checkHead, maxParsedBodyBytes, readWholeBody } from '#http/body/request-body.js';
import { isSameMac } from '#http/credentials/keyed-mac.js';
import type { Request } from '#http/exchange.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import { type Scheme, seeIndex } from '../scheme.js';
import { canonicalRequest } from './canonical-request.js';
import { sigv4Collection } from './collection.js';
import { type Computed, reject, rejection } from './difference.js';
import { findDifference } from './find-difference.js';
import { checkedPayloadHash, readPayloadHash } from './payload-hash.js';
import { readSignature } from './read-signature.js';
import { checkTime } from './read-time.js';
import { deriveKey, sign, stringToSign } from './sign.js';
import { canonicalParts, sentRequest } from './signed-request.js';

export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const settings = {
  /** The access key of AWS Signature Version 4, as `id:secret`. */
  sigv4Key: credential({
    flag: 'auth-sigv4-key',
    placeholder: 'id:secret',
    meaning: 'the access key of AWS Signature Version 4',
    demo: 'AKIDPRACTICE:demo-sigv4-secret',
    parse: parseKey,
  }),
};

function parseKey(text: string): AccessKey {
  const [, accessKeyId = '', secretAccessKey = ''] = /^([\w.-]+):([\x21-\x7e]+)$/.exec(text) ?? [];
  if (accessKeyId !== '') return { accessKeyId, secretAccessKey };
  throw new Error('must be a key id of letters and digits, a colon and a secret without spaces');
}

const keyOf = (config: Config) => valuesIn(config, settings).sigv4Key;

const path = '/api/auth/sigv4';

const text = Type.String();
const computedFields = {
  canonicalRequest: Type.String({ description: 'As computed by the server.' }),
  stringToSign: text,
};

const spec = (key: AccessKey) => ({
  summary: 'Send a request signed with AWS Signature Version 4',
  description:
    'In the Authorization header, or as a presigned URL. Any region and service work; the path is encoded once for s3. Any method and any path below work. GET /api/auth shows the key under sigv4.',
  security: [{ sigv4: [] }],
  headers: unvalidated({
    'X-Amz-Date': Type.Optional(Type.String({ description: 'Such as 20270312T180000Z.' })),
    'X-Amz-Content-Sha256': Type.Optional(
      Type.String({ description: 'In hex, or UNSIGNED-PAYLOAD.' }),
    ),
  }),
  responses: {
    401: undefined,
    200: Type.Object({
      authenticated: Type.Literal(true),
      scheme: Type.Literal('aws-sigv4'),
      accessKeyId: text,
      region: text,
      service: text,
      signedHeaders: Type.Array(text),
      ...computedFields,
    }),
    403: Type.Object({
      ...errorSchema.properties,
      canonicalRequest: Type.Optional(computedFields.canonicalRequest),
      stringToSign: Type.Optional(text),
      differs: Type.Object({ part: text, message: text }),
    }),
    413: errorSchema,
  },
  handle: (request: Request) => authenticate(request, key),
});

async function authenticate(request: Request, { accessKeyId, secretAccessKey }: AccessKey) {
  const sent = sentRequest(request);
  const signature = readSignature(request, sent.pairs);
  const { scope, time, expiresSeconds, signedHeaders } = signature;
  checkTime(time, expiresSeconds, await request.sandbox.now());
  if (signature.accessKeyId !== accessKeyId) {
    reject('Credential', 'The key is unknown. GET /api/auth lists it under sigv4.');
  }
  const named = readPayloadHash(request, signature, sent.pairs);
  checkHead(request, maxParsedBodyBytes);
  const parts = canonicalParts(
    sent,
    signature,
    checkedPayloadHash(named, await readWholeBody(request)),
  );
  const canonical = canonicalRequest(parts);
  const toSign = stringToSign(time, scope, canonical);
  const computed: Computed = { canonicalRequest: shown(canonical), stringToSign: toSign };
  const expected = sign(deriveKey(`AWS4${secretAccessKey}`, scope), toSign);
  if (!isSameMac(signature.signature, expected)) {
    const wrong = { sent, signature, parts, secret: secretAccessKey };
    throw rejection(findDifference(wrong), computed);
  }
  const { region, service } = scope;
  const scheme = 'aws-sigv4';
  return { authenticated: true, scheme, accessKeyId, region, service, signedHeaders, ...computed };
}

/** Decodes UTF-8 in headers. */
function shown(latin: string): string {
  return Buffer.from(latin, 'latin1').toString();
}

export const sigv4Scheme = {
  name: 'sigv4',
  title: 'AWS Signature Version 4',
  settings,
  index: {
    schema: { sigv4: Type.Object({ accessKeyId: text, secretAccessKey: text }) },
    read: (config) => ({ sigv4: keyOf(config) }),
  },
  credentials: (config) => [
    {
      title: 'AWS Signature Version 4',
      parts: [
        { name: 'Key id', value: keyOf(config).accessKeyId },
        { name: 'Secret', value: keyOf(config).secretAccessKey },
      ],
    },
  ],
  securitySchemes: {
    sigv4: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: `AWS Signature Version 4. ${seeIndex}`,
      'x-amazon-apigateway-authtype': 'awsSigv4',
    },
  },
  collection: {
    ...sigv4Collection,
    variables: (config) => ({
      sigv4KeyId: keyOf(config).accessKeyId,
      sigv4Secret: keyOf(config).secretAccessKey,
    }),
  },
  endpoints: ({ config }) => [
    endpoint(anyMethod, path, spec(keyOf(config))),
    endpoint(anyMethod, `${path}/*`, { ...spec(keyOf(config)), describedAs: path }),
  ],
} satisfies Scheme;
