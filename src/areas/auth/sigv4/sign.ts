/** AWS Signature Version 4: the string to sign, and the key derived for a day, region and service. */

import { createHmac, hash } from 'node:crypto';

export const algorithm = 'AWS4-HMAC-SHA256';

/** The last part of each credential scope. */
export const terminator = 'aws4_request';

export interface Scope {
  /** Such as `20270312`. */
  readonly day: string;
  readonly region: string;
  readonly service: string;
}

export function scopeText({ day, region, service }: Scope): string {
  return `${day}/${region}/${service}/${terminator}`;
}

/** `time` has the form `20270312T180000Z`. Text is Latin-1, like headers. */
export function stringToSign(time: string, scope: Scope, canonicalRequest: string): string {
  const digest = hash('sha256', Buffer.from(canonicalRequest, 'latin1'), 'hex');
  return [algorithm, time, scopeText(scope), digest].join('\n');
}

/** `secret` already has the prefix `AWS4`. */
export function deriveKey(secret: string, { day, region, service }: Scope): Buffer {
  return [day, region, service, terminator].reduce(
    (key: string | Buffer, part) => createHmac('sha256', key).update(part, 'latin1').digest(),
    secret,
  ) as Buffer;
}

export function sign(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'latin1').digest();
}
