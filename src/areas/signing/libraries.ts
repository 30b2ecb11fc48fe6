/** Which deliveries the libraries of each provider accept, according to their sources. */

import type { Headers, SchemeName, SignedParts } from '#kit/deliveries/schemes.js';

export interface Claim {
  readonly parts: SignedParts;
  /** Encoded and unchanged; several during a rotation of the secret. */
  readonly signatures: readonly string[];
}

export interface Library {
  /** Empty for the method in the provider's documentation. */
  readonly name: string;
  /** Returns `undefined` if the library rejects the headers. */
  readonly read: (headers: Headers) => Claim | undefined;
  /** How a signature is compared; default: as text. */
  readonly isSame?: (sent: string, right: string) => boolean;
  /** Overrides the tolerance of the scheme. */
  readonly futureSeconds?: number;
  /** Bodies that the library rejects. */
  readonly rejects?: { readonly empty?: true; readonly bytes?: true; readonly mark?: true };
}

/** Returns a header as a receiver gets it, trimmed. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : value?.join(', ');
}

interface StripeRules {
  readonly separator?: RegExp;
  readonly isTrimmed?: true;
  /** How to treat text after a second equals sign; default: dropped. */
  readonly equals?: 'kept' | 'rejected';
  /** Whether an element without an equals sign is rejected; default: ignored. */
  readonly rejectsBare?: true;
  readonly rejectsEmptySignature?: true;
  readonly time: RegExp;
  readonly usesLastTime?: true;
}

/** Texts that libraries parse as a time; the group is the number that they sign. */
const plainDigits = /^(0|[1-9]\d{0,14})$/;
const digits = /^0*(0|[1-9]\d{0,14})$/;
const spacedDigits = /^\s*0*(0|[1-9]\d{0,14})\s*$/;
const leadingDigits = /^\s*0*(0|[1-9]\d{0,14})(?!\d)/;

function stripeReader(rules: StripeRules): Library['read'] {
  const { separator = /,/, isTrimmed, equals, rejectsBare, time, usesLastTime } = rules;
  return (headers) => {
    const items = (headerOf(headers, 'stripe-signature') ?? '').split(separator);
    const elements = items.map((item) => (isTrimmed ? item.trim() : item).split('='));
    if (equals === 'rejected' && elements.some(({ length }) => length > 2)) return undefined;
    if (rejectsBare && elements.some(({ length }) => length < 2)) return undefined;
    const valuesOf = (key: string) =>
      elements
        .filter(([name]) => name === key)
        .map(([, value = '', ...more]) => (equals === 'kept' ? [value, ...more].join('=') : value));
    const times = valuesOf('t');
    const [, timestamp] = time.exec(times.at(usesLastTime ? -1 : 0) ?? '') ?? [];
    const signatures = valuesOf('v1');
    if (timestamp === undefined || signatures.length === 0) return undefined;
    if (rules.rejectsEmptySignature && signatures.includes('')) return undefined;
    return { parts: { timestamp, id: '' }, signatures };
  };
}

const anyCase = (sent: string, right: string) => sent.toLowerCase() === right;

const stripe: readonly Library[] = [
  {
    name: 'Node.js',
    read: stripeReader({ time: leadingDigits, usesLastTime: true, rejectsEmptySignature: true }),
    rejects: { bytes: true, mark: true },
  },
  { name: 'Python', read: stripeReader({ time: spacedDigits }), rejects: { bytes: true } },
  {
    name: 'Ruby',
    read: stripeReader({
      separator: /,\s*/,
      equals: 'kept',
      time: /^\s*(0|[1-9]\d{0,14})\s*$/,
    }),
  },
  {
    name: 'PHP',
    read: stripeReader({ equals: 'kept', time: spacedDigits }),
    futureSeconds: 300,
  },
  {
    name: 'Java',
    read: stripeReader({ equals: 'kept', time: /^0*([1-9]\d{0,14})$/ }),
    rejects: { bytes: true },
  },
  {
    name: 'Go',
    read: stripeReader({
      equals: 'rejected',
      rejectsBare: true,
      time: digits,
      usesLastTime: true,
    }),
    isSame: anyCase,
  },
  {
    name: '.NET',
    read: stripeReader({ isTrimmed: true, equals: 'kept', rejectsBare: true, time: plainDigits }),
    futureSeconds: 300,
    rejects: { bytes: true },
  },
];

const unsigned = { timestamp: '', id: '' };

/** Returns a parser for a header with one signature after a prefix. */
function singleReader(name: string, prefix = '', alsoNeeded: readonly string[] = []) {
  return (headers: Headers): Claim | undefined => {
    const header = headerOf(headers, name);
    if (!header?.startsWith(prefix)) return undefined;
    if (alsoNeeded.some((each) => !headerOf(headers, each))) return undefined;
    return { parts: unsigned, signatures: [header.slice(prefix.length)] };
  };
}

const githubReader = singleReader('x-hub-signature-256', 'sha256=');

const github: readonly Library[] = [
  { name: '', read: githubReader },
  {
    name: '@octokit/webhooks-methods',
    read: githubReader,
    rejects: { empty: true, bytes: true },
  },
];

const shopifyHeader = 'x-shopify-hmac-sha256';
const shopifyContext = ['x-shopify-topic', 'x-shopify-shop-domain'];
/** Headers that Shopify's libraries require in addition to the signature. */
export const shopifyNeeds = [...shopifyContext, 'x-shopify-api-version', 'x-shopify-webhook-id'];

const base64 = /^[A-Za-z0-9+/]{43}=?$/;
const isSameDecoded = (sent: string, right: string) =>
  base64.test(sent) && Buffer.from(sent, 'base64').equals(Buffer.from(right, 'base64'));

const shopify: readonly Library[] = [
  { name: '', read: singleReader(shopifyHeader) },
  {
    name: '@shopify/shopify-api',
    read: singleReader(shopifyHeader, '', shopifyNeeds),
    rejects: { empty: true, bytes: true },
  },
  {
    name: 'Ruby',
    read: singleReader(shopifyHeader, '', shopifyContext),
    isSame: isSameDecoded,
  },
  {
    name: 'PHP',
    read: singleReader(shopifyHeader, '', shopifyContext),
    rejects: { empty: true },
  },
];

interface StandardRules {
  readonly separator?: RegExp;
  readonly time: RegExp;
  /** Whether text after a second comma belongs to the signature; default: dropped. */
  readonly keepsCommas?: true;
  /** Returns false at the first malformed part, so that later parts are ignored. */
  readonly demands?: (parts: readonly string[]) => boolean;
  readonly readsSvix?: true;
}

/** Returns a header of a Standard Webhooks message, which Svix also sends under another name. */
export function standardHeader(headers: Headers, part: string, readsSvix = true) {
  const own = readsSvix ? headerOf(headers, `svix-${part}`) : undefined;
  return own ?? headerOf(headers, `webhook-${part}`);
}

function standardReader(rules: StandardRules): Library['read'] {
  const { separator = / /, time, keepsCommas, demands, readsSvix = false } = rules;
  return (headers) => {
    const [id, sentTime, header] = ['id', 'timestamp', 'signature'].map((part) =>
      standardHeader(headers, part, readsSvix),
    );
    const [, timestamp] = time.exec(sentTime ?? '') ?? [];
    if (!id || !header || timestamp === undefined) return undefined;
    const all = header.split(separator).map((part) => part.split(','));
    const stop = demands === undefined ? -1 : all.findIndex((parts) => !demands(parts));
    const signatures = (stop < 0 ? all : all.slice(0, stop))
      .filter(([version]) => version === 'v1')
      .map(([, signature = '', ...more]) =>
        keepsCommas ? [signature, ...more].join(',') : signature,
      );
    return { parts: { id, timestamp }, signatures };
  };
}

const isPadded = ([version, signature = '', ...more]: readonly string[]) =>
  more.length === 0 && (version !== 'v1' || (signature !== '' && signature.length % 4 === 0));

const standardWebhooks: readonly Library[] = [
  { name: 'JavaScript', read: standardReader({ time: leadingDigits }), rejects: { bytes: true } },
  {
    name: 'Python',
    read: standardReader({
      time: /^\s*0*(0|[1-9]\d{0,14})(?:\.\d*)?\s*$/,
      demands: (parts) => parts.length === 2 && isPadded(parts),
    }),
    isSame: (sent, right) => sent.endsWith('=') && isSameDecoded(sent, right),
    rejects: { bytes: true },
  },
  {
    name: 'Ruby',
    read: standardReader({ separator: /\s+/, time: plainDigits, keepsCommas: true }),
  },
  { name: 'PHP', read: standardReader({ time: leadingDigits, keepsCommas: true }) },
  { name: 'Java', read: standardReader({ time: digits }), rejects: { bytes: true } },
  { name: 'Go', read: standardReader({ time: digits }) },
  {
    name: 'C#',
    read: standardReader({ time: spacedDigits, demands: ({ length }) => length > 1 }),
    rejects: { bytes: true },
  },
  {
    name: 'Svix',
    read: standardReader({ time: leadingDigits, readsSvix: true }),
    rejects: { bytes: true },
  },
];

export const libraries: Readonly<Record<SchemeName, readonly Library[]>> = {
  stripe,
  github,
  shopify,
  'standard-webhooks': standardWebhooks,
};
