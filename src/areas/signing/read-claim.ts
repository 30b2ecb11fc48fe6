/** Parses the headers of a delivery, more leniently than libraries do, and reports what is wrong. */

import { gotValue } from '#base/text/got-value.js';
import { type Headers, type SchemeName, schemes } from '#kit/deliveries/schemes.js';
import { type Claim, headerOf, standardHeader } from './libraries.js';

/** Returns the parsed headers, or what is wrong with them. */
export function readClaim(name: SchemeName, headers: Headers): Claim | string {
  if (name === 'standard-webhooks') return readStandardClaim(headers);
  const { title } = schemes[name];
  const header = headerOf(headers, signatureHeader(name));
  if (header === undefined) {
    return `The header ${signatureHeader(name)} of ${title} is missing.`;
  }
  if (name === 'stripe') return readStripeClaim(header);
  const parts = { timestamp: '', id: '' };
  if (name === 'shopify') return { parts, signatures: [header] };
  return header.startsWith('sha256=')
    ? { parts, signatures: [header.slice('sha256='.length)] }
    : 'X-Hub-Signature-256 must begin with sha256=.';
}

/** Seconds, or a smaller unit by mistake. */
const unixTime = /^\d{1,19}$/;

function readStripeClaim(header: string): Claim | string {
  const elements = header.split(',').map((element) => {
    const equals = element.indexOf('=');
    return [element.slice(0, equals).trim(), element.slice(equals + 1).trim()] as const;
  });
  const valuesOf = (key: string) =>
    elements.flatMap(([each, value]) => (each === key ? value : []));
  const [timestamp = ''] = valuesOf('t');
  const signatures = valuesOf('v1');
  const form = 'It must look like t=1700000000,v1=<64 hex digits>.';
  if (!unixTime.test(timestamp)) {
    return `Stripe-Signature has no t= with Unix seconds. ${form}`;
  }
  if (signatures.length === 0) return `Stripe-Signature has no v1= element. ${form}`;
  return { parts: { timestamp, id: '' }, signatures };
}

function readStandardClaim(headers: Headers): Claim | string {
  const parts = ['signature', 'id', 'timestamp'];
  const absent = parts.find((part) => standardHeader(headers, part) === undefined);
  if (absent !== undefined) {
    return `The header webhook-${absent} of Standard Webhooks is missing.`;
  }
  const [header = '', id = '', timestamp = ''] = parts.map((part) => standardHeader(headers, part));
  if (!unixTime.test(timestamp)) {
    return `webhook-timestamp must be Unix seconds, such as 1700000000${gotValue('webhook-timestamp', timestamp)}.`;
  }
  const signatures = header
    .split(/\s+/)
    .flatMap((part) => (part.startsWith('v1,') ? part.slice('v1,'.length) : []));
  if (signatures.length > 0) return { parts: { id, timestamp }, signatures };
  return 'webhook-signature has no signature that begins with v1 and a comma.';
}

const shapes = {
  hex: { pattern: /^[0-9a-f]{64}$/i, words: '64 hex digits' },
  base64: {
    pattern: /^[A-Za-z0-9+/]{43}=$/,
    words: '44 characters of base64, ending with =',
  },
};

/** Returns what is wrong with the form of all signatures; `undefined` if one has the right form. */
export function checkShape(name: SchemeName, signatures: readonly string[]) {
  const { encoding } = schemes[name];
  const { pattern, words } = shapes[encoding];
  if (signatures.some((signature) => pattern.test(signature))) return undefined;
  const other = encoding === 'hex' ? 'base64' : 'hex';
  const isOther = signatures.some((signature) => shapes[other].pattern.test(signature));
  const found = isOther ? `it is ${other}` : `it has ${signatures[0]?.length} characters`;
  const place = name === 'stripe' ? 'v1' : schemes[name].signatureHeader;
  return {
    part: isOther ? 'signature' : 'header',
    message: `The signature in ${place} must be an HMAC-SHA256 as ${words}, but ${found}.`,
  } as const;
}

export function signatureHeader(name: SchemeName): string {
  return schemes[name].signatureHeader.toLowerCase();
}
