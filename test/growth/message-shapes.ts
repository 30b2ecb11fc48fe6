/** HTTP messages with signatures, of about a given size. */

import { fill, list, name } from './measured-request.js';

const signatures = (components: string) => {
  const inputs = list(5, (index) => `s${index}=(${components});keyid="test-key-ed25519"`).join(
    ', ',
  );
  const values = list(5, (index) => `s${index}=:AAAA:`).join(', ');
  return `Signature-Input: ${inputs}\nSignature: ${values}\n`;
};

const signed = (components: string, field = 'a', query = '') =>
  `GET /?${query} HTTP/1.1\nHost: a.example\nD: ${field}\n${signatures(components)}\n`;

const chunked = (components: string, rest: string) =>
  `POST / HTTP/1.1\nHost: a.example\nTransfer-Encoding: chunked\n${signatures(components)}\n${rest}`;

const members = list(50, (index) => `"d";key="${name(index)}"`).join(' ');
const parameters = list(50, (index) => `"@query-param";name="${name(index)}"`).join(' ');
const dictionary = (size: number) => list(size / 8, (index) => `${name(index)}=1`).join(', ');

export const messageShapes: Readonly<Record<string, (size: number) => string>> = {
  'members of a dictionary': (size) => signed(members, dictionary(size)),
  'members of a dictionary in trailers': (size) =>
    chunked(members.replaceAll('"d"', '"d";tr'), `0\nD: ${dictionary(size)}\n\n`),
  'parameters of the query': (size) =>
    signed(parameters, 'a', list(size / 7, (index) => `${name(index)}=1`).join('&')),
  'a list': (size) => signed('"d";sf', `${fill('a,', size)}a`),
  'an inner list': (size) => signed('"d";sf', `(${fill('a ', size)})`),
  'parameters of an item': (size) =>
    signed('"d";sf', `a${list(size / 6, (index) => `;${name(index)}`).join('')}`),
  'a string': (size) => signed('"d";sf', `"${fill('\\"', size)}"`),
  'a byte sequence': (size) => signed('"d";sf', `:${fill('AAAA', size)}:`),
  'byte sequences': (size) => signed('"d";sf', `${fill('::,', size)}a`),
  'a display string': (size) => signed('"d";sf', `%"${fill('%61', size)}"`),
  'space inside a field': (size) => signed('"d"', `a${' '.repeat(size)}a`),
  'folded lines': (size) => signed('"d"', `a${fill('\n ', size)}a`),
  'space inside the host': (size) => `GET / HTTP/1.1\nHost: a${' '.repeat(size)}a\n\n`,
  'a long query': (size) => signed('"@query" "@target-uri" "@path"', 'a', '?'.repeat(size)),
  'a long content type': (size) =>
    signed('"content-type" "@method"').replace('D: a', `Content-Type: ${';'.repeat(size)}`),
  'digests of the content': (size) =>
    signed('"content-digest"').replace(
      'D: a',
      `Content-Digest: ${list(size / 10, (index) => `${name(index)}=:AA==:`).join()}`,
    ),
  chunks: (size) => chunked('"d"', `${fill('1\na\n', size)}0\n\n`),
  'parameters of a chunk': (size) => chunked('"d"', `1${';a'.repeat(size / 2)}\na\n0\n\n`),
  'empty lines in trailers': (size) => chunked('"d"', `0\nA: b${'\n'.repeat(size)}x`),
  'empty lines before the message': (size) => `${'\r\n'.repeat(size / 2)}a\r`,
  'lines without a colon': (size) => `GET / HTTP/1.1\n${fill('a\n', size)}`,
};
