/** Parses the signature of a request, from its Authorization header or from the query of a presigned URL. */

import { cutText } from '#base/text/cut-text.js';
import type { Request } from '#http/exchange.js';
import { singleHeader } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import type { Field } from './canonical-request.js';
import { reject } from './difference.js';
import { readTime } from './read-time.js';
import { algorithm, type Scope, terminator } from './sign.js';

export interface PresentedSignature {
  readonly accessKeyId: string;
  readonly scope: Scope;
  /** In lower case and sorted. */
  readonly signedHeaders: readonly string[];
  readonly signature: Buffer;
  /** Such as `20270312T180000Z`. */
  readonly time: string;
  /** The lifetime of a presigned URL. */
  readonly expiresSeconds?: number;
}

/** `pairs` are the decoded parameters of the query. Throws 403, or 400 for an ambiguous request. */
export function readSignature(request: Request, pairs: readonly Field[]): PresentedSignature {
  const header = singleHeader(request, 'authorization');
  const isPresigned = pairs.some(([name]) =>
    /^X-Amz-(?:Algorithm|Credential|Signature)$/.test(name),
  );
  if (header !== undefined && isPresigned) {
    throw new HttpError(
      400,
      'The request has two signatures: in its Authorization header and in its query. Send one of them.',
    );
  }
  if (isPresigned) return readQuery(pairs);
  if (header === undefined) {
    reject(
      'Authorization',
      `It is missing. Send ${algorithm} with Credential, SignedHeaders and Signature, or presign the URL.`,
    );
  }
  return readHeader(header, request);
}

const names = ['Credential', 'SignedHeaders', 'Signature'] as const;

function readHeader(header: string, request: Request): PresentedSignature {
  const space = header.indexOf(' ');
  checkAlgorithm('Authorization', space < 0 ? header : header.slice(0, space));
  const values = new Map<string, string>();
  for (const part of header.slice(algorithm.length).split(',')) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(part.trim()) ?? [];
    if (!names.includes(name as (typeof names)[number])) {
      reject('Authorization', `It has ${quote(part.trim())}. It must have ${names.join(', ')}.`);
    }
    if (values.has(name)) reject('Authorization', `It has ${name} twice.`);
    if (value.includes(' ')) reject(name, 'It contains a space. Separate the parts by commas.');
    values.set(name, value);
  }
  const partOf = (name: string) =>
    values.get(name) ?? reject('Authorization', `${name} is missing.`);
  const time = readTime(request);
  return {
    ...readCredential('Credential', partOf('Credential'), time),
    signedHeaders: readSignedHeaders('SignedHeaders', partOf('SignedHeaders')),
    signature: readHex('Signature', partOf('Signature')),
    time,
  };
}

const maxExpiresSeconds = 7 * 24 * 60 * 60;

function readQuery(pairs: readonly Field[]): PresentedSignature {
  const partOf = (name: string) => {
    const values = pairs.filter(([each]) => each === name).map(([, value]) => value);
    if (values.length > 1) reject(name, `It occurs ${values.length} times. Send it once.`);
    return values[0] ?? reject(name, 'It is missing from the query.');
  };
  checkAlgorithm('X-Amz-Algorithm', partOf('X-Amz-Algorithm'));
  const time = partOf('X-Amz-Date');
  const expires = partOf('X-Amz-Expires');
  const expiresSeconds = /^\d{1,6}$/.test(expires) ? Number(expires) : 0;
  if (expiresSeconds < 1 || expiresSeconds > maxExpiresSeconds) {
    reject('X-Amz-Expires', `It must be a number of seconds from 1 to ${maxExpiresSeconds}.`);
  }
  return {
    ...readCredential('X-Amz-Credential', partOf('X-Amz-Credential'), time),
    signedHeaders: readSignedHeaders('X-Amz-SignedHeaders', partOf('X-Amz-SignedHeaders')),
    signature: readHex('X-Amz-Signature', partOf('X-Amz-Signature')),
    time,
    expiresSeconds,
  };
}

function checkAlgorithm(part: string, sent: string): void {
  if (sent === algorithm) return;
  const known: Readonly<Record<string, string>> = {
    'AWS4-ECDSA-P256-SHA256': 'Signature Version 4A is not supported.',
    AWS: 'This is Signature Version 2, which is not supported.',
  };
  const isOther = /^[A-Z\d]+4-HMAC-SHA256$/.test(sent);
  const hint = isOther
    ? 'curl uses it with --aws-sigv4 aws:amz.'
    : `It begins with ${quote(sent)}.`;
  const found = Object.hasOwn(known, sent) ? known[sent] : hint;
  reject(part, `It must be ${algorithm}. ${found}`);
}

function readCredential(part: string, text: string, time: string) {
  const parts = text.split('/');
  const [accessKeyId = '', day = '', region = '', service = '', end] = parts;
  if (parts.length !== 5 || [accessKeyId, region, service].includes('')) {
    reject(part, `It must have the form key/day/region/service/${terminator}.`);
  }
  if (end !== terminator)
    reject(part, `Its scope ends with ${quote(end)}, not with ${terminator}.`);
  if (!time.startsWith(`${day}T`)) {
    reject(part, `Its day is ${quote(day)}, but the request's day is ${quote(time)}, in UTC.`);
  }
  return { accessKeyId, scope: { day, region, service } };
}

function readSignedHeaders(part: string, text: string): readonly string[] {
  const sent = text.split(';');
  if (!sent.every((name) => /^[!#$%&'*+.^`|~\w-]+$/.test(name))) {
    reject(part, 'It must have names of headers, separated by semicolons.');
  }
  if (/[A-Z]/.test(text)) reject(part, 'The names must be in lower case.');
  const sorted = [...new Set(sent)].sort();
  if (sorted.join(';') !== text) {
    reject(part, `The names must be sorted, each once: ${cutText(sorted.join(';'), 500)}.`);
  }
  if (!sent.includes('host')) reject(part, 'The header host must be signed.');
  return sent;
}

function readHex(part: string, text: string): Buffer {
  if (!/^[\da-f]{64}$/.test(text)) reject(part, 'It must be 64 hex digits in lower case.');
  return Buffer.from(text, 'hex');
}

function quote(text = ''): string {
  return JSON.stringify(cutText(text, 60));
}
