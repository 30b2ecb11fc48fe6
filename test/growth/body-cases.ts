/** A table of bodies for every parser, each of about a given size. */

import { geminiShapes, ollamaShapes } from './conversation-shapes.js';
import { jsonShapes } from './json-shapes.js';
import { fill, list, type MakeRequest, name } from './measured-request.js';
import { messageShapes } from './message-shapes.js';
import { securityShapes, xmlShapes } from './xml-shapes.js';
import { yamlShapes } from './yaml-shapes.js';

export interface BodyCase {
  readonly title: string;
  readonly largest: number;
  readonly make: MakeRequest;
}

interface Parser {
  readonly title: string;
  readonly target: string;
  readonly type: string;
  readonly largest: number;
  readonly shapes: Readonly<Record<string, (size: number) => string>>;
}

const kibibyte = 1024;

const formShapes = {
  'fields over the limit': (size: number) =>
    list(size / 6, (index) => `${name(index)}=1`).join('&'),
  'a few long fields': (size: number) => list(100, () => `a=${'x'.repeat(size / 100)}`).join('&'),
  escapes: (size: number) => `a=${fill('%C3%A9', size)}`,
  'truncated escapes': (size: number) => `a=${fill('%4', size)}`,
  ampersands: (size: number) => '&'.repeat(size),
  'equals signs': (size: number) => '='.repeat(size),
  'a dotted name': (size: number) => `${fill('a.', size)}b=1`,
};

const part = '--b\r\nContent-Disposition: form-data; name="a"';
const partOf = (headers: string, content: string) =>
  `${part}${headers}\r\n\r\n${content}\r\n--b--\r\n`;
const multipartShapes = {
  'fields over the limit': (size: number) => `${fill(`${part}\r\n\r\nx\r\n`, size)}--b--\r\n`,
  'almost boundaries': (size: number) => partOf('', fill('\r\n--a', size)),
  'line breaks': (size: number) => partOf('', fill('\r\n', size)),
  'carriage returns only': (size: number) => partOf('', '\r'.repeat(size)),
  'parameters of a header': (size: number) => partOf(fill('; a=b', size), 'x'),
  'a long file name': (size: number) => partOf(`; filename="${fill('\\"', size)}"`, 'x'),
  'an encoded file name': (size: number) => partOf(`; filename*=utf-8''${fill('%41', size)}`, 'x'),
  'headers of a part': (size: number) => partOf(`\r\n${fill('A: b\r\n', size)}A: b`, 'x'),
  'space in a header': (size: number) => partOf(`\r\nA:${' '.repeat(size)}b`, 'x'),
  'white space after boundaries': (size: number) =>
    `${fill('--b \r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n', size)}--b--\r\n`,
  'quotes in a parameter': (size: number) => partOf(`; b="${fill('\\"', size)}`, 'x'),
  'text before the first part': (size: number) => `${'x'.repeat(size)}\r\n${partOf('', 'x')}`,
};

const csvShapes = {
  columns: (size: number) => {
    const names = list(size / 8, name);
    return `${names.join()}\n${names.map(() => 'x').join()}`;
  },
  quotes: (size: number) => '"'.repeat(size),
  'a quoted cell': (size: number) => `title\n"${fill('""', size)}"`,
  lines: (size: number) => '\n'.repeat(size),
  'a list in a cell': (size: number) => `tags\n${fill('a;', size)}`,
  'a dotted name': (size: number) => `${fill('a.', size)}b\n1`,
  'stray quotes': (size: number) => fill('a"', size),
};

const patchShapes = {
  operations: (size: number) =>
    JSON.stringify(
      list(size / 45, () => '').map(() => ({ op: 'add', path: '/tags/0', value: 'a' })),
    ),
  'a long pointer': (size: number) =>
    JSON.stringify([{ op: 'test', path: fill('/a', size), value: 1 }]),
  'escapes in a pointer': (size: number) =>
    JSON.stringify([{ op: 'test', path: `/${fill('~1', size)}`, value: 1 }]),
};

const graphqlShapes = Object.fromEntries(
  Object.entries({
    fields: (size: number) => `{${fill('a ', size)}}`,
    braces: (size: number) => fill('{a', size),
    comments: (size: number) => fill('#\n', size),
    'a block string': (size: number) => `{a(b:"""${fill('a\n', size)}""")}`,
    fragments: (size: number) =>
      list(size / 30, (index) => `fragment ${name(index)} on User{id}`).join(' '),
    directives: (size: number) => `{a ${fill('@a ', size)}}`,
    aliases: (size: number) =>
      `{${list(size / 20, (index) => `${name(index)}:__typename`).join(' ')}}`,
    variables: (size: number) =>
      `query(${list(size / 10, (index) => `$${name(index)}:Int`).join()}){a}`,
  }).map(([title, make]) => [title, (size: number) => JSON.stringify({ query: make(size) })]),
);

const ceremonyOf = (attestation: Buffer, clientData: string) =>
  JSON.stringify({
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    response: {
      attestationObject: attestation.toString('base64url'),
      clientDataJSON: Buffer.from(clientData).toString('base64url'),
    },
    clientExtensionResults: {},
  });
const passkeyShapes = {
  'CBOR lists in lists': (size: number) => ceremonyOf(Buffer.alloc(size, 0x81), '{}'),
  'a CBOR map': (size: number) => ceremonyOf(Buffer.alloc(size, 0xa1), '{}'),
  'names of client data': (size: number) =>
    ceremonyOf(Buffer.alloc(4), jsonShapes.names?.(size) ?? ''),
};

const registrationShapes = {
  'a long redirect URI': (size: number) =>
    JSON.stringify({ redirect_uris: [`https://a.example/${'a'.repeat(size)}`] }),
  'a long key': (size: number) =>
    JSON.stringify({
      redirect_uris: ['https://a.example/'],
      jwks: { keys: [{ kty: 'RSA', n: 'A'.repeat(size), e: 'AQAB' }] },
    }),
  ...jsonShapes,
};

const ownDataShapes = {
  records: (size: number) =>
    `{"c":[${list(size / 24, (index) => `{"id":${index + 1},"a":"x"}`).join()}]}`,
  'records with an error each': (size: number) =>
    `{"c":[${list(size / 8, () => '{"id":0}').join()}]}`,
  'a repeated collection': (size: number) => `{${fill('"c":[],', size)}"c":[]}`,
  'a long number': (size: number) => `{"c":[{"id":1,"a":1${'0'.repeat(size)}1}]}`,
  ...jsonShapes,
};

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const multipart = 'multipart/form-data; boundary=b';
const large = 256 * kibibyte;
const small = 60 * kibibyte;
/** About as many values as a body may have. */
const conversation = 150 * kibibyte;

const parsers: readonly Parser[] = [
  {
    title: 'echoed JSON',
    target: 'POST /api/methods/post',
    type: json,
    largest: large,
    shapes: jsonShapes,
  },
  {
    title: 'JSON that httpbin echoes',
    target: 'POST /httpbin/anything',
    type: json,
    largest: large,
    shapes: jsonShapes,
  },
  {
    title: 'JSON of a record',
    target: 'POST /api/Books',
    type: json,
    largest: large,
    shapes: jsonShapes,
  },
  {
    title: 'own data',
    target: 'PUT /s/growth/api/sandbox/data',
    type: json,
    largest: large,
    shapes: ownDataShapes,
  },
  {
    title: 'a JSON patch',
    target: 'PATCH /s/growth/api/Books/1',
    type: 'application/json-patch+json',
    largest: small,
    shapes: patchShapes,
  },
  {
    title: 'a merge patch',
    target: 'PATCH /s/growth/api/Books/1',
    type: 'application/merge-patch+json',
    largest: large,
    shapes: jsonShapes,
  },
  {
    title: 'an echoed form',
    target: 'POST /api/methods/post',
    type: form,
    largest: large,
    shapes: formShapes,
  },
  {
    title: 'a form of a record',
    target: 'POST /s/growth/api/Books',
    type: form,
    largest: small,
    shapes: formShapes,
  },
  {
    title: 'a form of the issuer',
    target: 'POST /oidc/token',
    type: form,
    largest: small,
    shapes: formShapes,
  },
  {
    title: 'echoed multipart',
    target: 'POST /api/methods/post',
    type: multipart,
    largest: large,
    shapes: multipartShapes,
  },
  {
    title: 'a multipart upload',
    target: 'POST /s/growth/api/http/uploads',
    type: multipart,
    largest: large,
    shapes: multipartShapes,
  },
  {
    title: 'CSV',
    target: 'POST /s/growth/api/Books',
    type: 'text/csv',
    largest: small,
    shapes: csvShapes,
  },
  {
    title: 'YAML',
    target: 'POST /s/growth/api/Books',
    type: 'application/yaml',
    largest: small,
    shapes: yamlShapes,
  },
  {
    title: 'SOAP',
    target: 'POST /api/soap/calculator',
    type: 'text/xml; charset=utf-8',
    largest: large,
    shapes: xmlShapes,
  },
  {
    title: 'WS-Security',
    target: 'POST /api/soap/secure',
    type: 'text/xml; charset=utf-8',
    largest: large,
    shapes: securityShapes,
  },
  {
    title: 'a signed message',
    target: 'POST /api/auth/signature/verify',
    type: 'message/http',
    largest: small - 4096,
    shapes: messageShapes,
  },
  {
    title: 'a GraphQL document',
    target: 'POST /graphql',
    type: json,
    largest: small,
    shapes: graphqlShapes,
  },
  {
    title: 'a passkey',
    target: 'POST /api/auth/passkeys/register/verify',
    type: json,
    largest: small,
    shapes: passkeyShapes,
  },
  {
    title: 'a client registration',
    target: 'POST /s/growth/oidc/register',
    type: json,
    largest: small,
    shapes: registrationShapes,
  },
  {
    title: 'a conversation with Gemini',
    target:
      'POST /s/growth/llm/gemini/v1beta/models/practice-1:generateContent?key=sk-practice-gemini',
    type: json,
    largest: conversation,
    shapes: geminiShapes,
  },
  {
    title: 'a conversation with Ollama',
    target: 'POST /s/growth/llm/ollama/api/chat',
    type: json,
    largest: conversation,
    shapes: ollamaShapes,
  },
  {
    title: 'a JSON-RPC call',
    target: 'POST /api/jsonrpc',
    type: json,
    largest: large,
    shapes: jsonShapes,
  },
];

/** Bytes that are not text, and texts that become longer in responses. */
const rawCases = ['/api/methods/post', '/httpbin/anything', '/api/auth/hmac'].flatMap((path) =>
  [0x00, 0x01, 0x22, 0x7f, 0xe9].map(
    (byte): BodyCase => ({
      title: `${path} with bytes of ${byte}`,
      largest: large,
      make: (size) => ({
        method: 'POST',
        path,
        headers: { 'Content-Type': 'text/plain' },
        body: Buffer.alloc(size, byte),
      }),
    }),
  ),
);

export const bodyCases: readonly BodyCase[] = [
  ...parsers.flatMap(({ title, target, type, largest, shapes }) => {
    const [method = '', path = ''] = target.split(' ');
    return Object.entries(shapes).map(
      ([shape, make]): BodyCase => ({
        title: `${title}: ${shape}`,
        largest,
        make: (size) => ({ method, path, headers: { 'Content-Type': type }, body: make(size) }),
      }),
    );
  }),
  ...rawCases,
];
