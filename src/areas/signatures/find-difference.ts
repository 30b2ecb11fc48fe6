/** Finds what was signed instead: tries common mistakes of clients one at a time. */

import type { SignatureKey } from './keys/keys.js';
import { baseBytes, type Difference } from './signature-base.js';

export const unexplained: Difference = {
  part: 'signature',
  message:
    'It is of another base, or made with another key. Compare signatureBase with yours line by line.',
};

type Way = readonly [signed: string, message: string];

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Other values that clients sign by mistake for a component. */
const otherValues: Readonly<Record<string, (value: string) => readonly Way[]>> = {
  '@method': (value) => [
    [value.toLowerCase(), 'It was signed in lower case; sign the method as sent.'],
    ...methods.map((method) => [method, `It was signed as ${method}, but is ${value}.`] as const),
  ],
  '@scheme': (value) => [
    [
      value === 'https' ? 'http' : 'https',
      `It was signed as the other scheme; here it is ${value}.`,
    ],
  ],
  '@authority': (value) => [
    [`${value}:443`, 'It was signed with the default port of https.'],
    [`${value}:80`, 'It was signed with the default port of http.'],
    [value.replace(/:\d+$/, ''), 'It was signed without its port.'],
  ],
  '@path': (value) => [
    [value.replace(/\/$/, ''), 'It was signed without the slash at its end.'],
    [`${value}/`, 'It was signed with a slash at its end.'],
    [value.replace(/^\/s\/[^/]+/, ''), 'It was signed without the sandbox prefix.'],
    [decoded(value), 'It was signed decoded; sign it as sent.'],
  ],
  '@query': (value) => [
    [value.slice(1), 'It was signed without its question mark.'],
    ['', 'It was signed as empty; it has at least its question mark.'],
    ['?', 'It was signed as empty.'],
    [decoded(value), 'It was signed decoded; sign it as sent.'],
  ],
  '@query-param': (value) => [
    [decoded(value), 'It was signed decoded; sign its percent-encoded value.'],
  ],
  '@target-uri': (value) => [
    [value.replace(/^https:/, 'http:'), 'It was signed with the scheme http.'],
    [value.replace(/^http:/, 'https:'), 'It was signed with the scheme https.'],
    [before(value, '?'), 'It was signed without its query.'],
    [value.replace(/^https?:\/\/[^/]+/, ''), 'It was signed without scheme and authority.'],
    [value.replace(/\/s\/[^/]+/, ''), 'It was signed without the sandbox prefix.'],
  ],
  '@request-target': (value) => [
    [before(value, '?'), 'It was signed without its query.'],
    [value.replace(/^\/s\/[^/]+/, ''), 'It was signed without the sandbox prefix.'],
  ],
  'content-type': (value) => [
    [before(value, ';'), 'It was signed without its parameters.'],
    [`${value}; charset=utf-8`, 'It was signed with a charset that did not arrive.'],
    [`${value};charset=utf-8`, 'It was signed with a charset that did not arrive.'],
  ],
  'content-length': () => [['0', 'It was signed as 0.']],
};

/** Other ways to join the lines. */
function otherBases(lines: readonly string[], label: string): readonly Way[] {
  const text = lines.join('\n');
  const parameters = '"@signature-params": ';
  return [
    [`${text}\n`, 'The base was signed with a line break at its end.'],
    [lines.join('\r\n'), 'The lines were separated by CRLF; separate them by LF.'],
    [lines.slice(0, -1).join('\n'), 'The last line, @signature-params, was not signed.'],
    [text.replace(parameters, `${parameters}${label}=`), '@signature-params included the label.'],
    [text.replaceAll(/^"([^"]+)"/gm, '$1'), 'The names of components were signed without quotes.'],
  ];
}

/** Called only after verification has failed. Makes at most about forty more tries. */
export function findDifference(
  lines: readonly string[],
  label: string,
  signature: Buffer,
  key: SignatureKey,
): Difference {
  for (const [message, isRight] of key.mistakes) {
    if (isRight(baseBytes(lines), signature)) return { part: 'signature', message };
  }
  for (const [text, message] of otherBases(lines, label)) {
    const part = 'signature-base';
    if (key.verify(Buffer.from(text, 'latin1'), signature)) return { part, message };
  }
  for (const [index, line] of lines.entries()) {
    const [, part = '', name = '', value = ''] = /^("([^"]+)"[^:]*?): (.*)$/s.exec(line) ?? [];
    for (const [other, message] of otherValues[name]?.(value) ?? []) {
      const changed = lines.with(index, `${part}: ${other}`);
      if (other !== value && key.verify(baseBytes(changed), signature)) return { part, message };
    }
  }
  return unexplained;
}

function before(text: string, mark: string): string {
  return text.split(mark, 1)[0] ?? '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
