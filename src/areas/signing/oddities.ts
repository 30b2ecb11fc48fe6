/** Describes properties of a delivery that a provider's libraries treat differently. */

import type { Headers, SchemeName } from '#kit/deliveries/schemes.js';
import { headerOf, shopifyNeeds, standardHeader } from './libraries.js';

export interface BodyTraits {
  readonly isEmpty: boolean;
  readonly isText: boolean;
  readonly hasMark: boolean;
}

export interface Traits {
  readonly headers: Headers;
  readonly body: BodyTraits;
  readonly isFuture: boolean;
}

type Oddity = readonly [words: string, isThere: boolean];

/** Returns the unusual properties of a delivery. */
export function odditiesOf(name: SchemeName, { headers, body, isFuture }: Traits): string[] {
  const all: readonly Oddity[] = [
    ...ofHeaders[name](headers),
    ['a time more than 300 seconds ahead', isFuture],
    ['an empty body', body.isEmpty],
    ['a body that is not UTF-8', !body.isText],
    ['a byte-order mark before the body', body.hasMark],
  ];
  return all.flatMap(([words, isThere]) => (isThere ? words : []));
}

const ofHeaders: Readonly<Record<SchemeName, (headers: Headers) => readonly Oddity[]>> = {
  stripe(headers) {
    const header = headerOf(headers, 'stripe-signature') ?? '';
    const elements = header.split(',').map((element) => element.trim());
    const times = elements.filter((element) => element.startsWith('t='));
    return [
      ['white space in the header', /\s/.test(header)],
      ['more than one t=', times.length > 1],
      ['capital hex digits', elements.some((each) => /^v1=.*[A-F]/.test(each))],
      ['an element without an equals sign', elements.some((each) => !each.includes('='))],
      ['a second equals sign in an element', elements.some((each) => /=.*=/.test(each))],
      ['an empty v1=', elements.includes('v1=')],
      ['a time that is not a plain number', times.some((each) => !/^t=(?:0|[1-9]\d*)$/.test(each))],
      ['a time of zero', times.includes('t=0')],
    ];
  },
  github: (headers) => [
    ['capital hex digits', /[A-F]/.test(headerOf(headers, 'x-hub-signature-256') ?? '')],
  ],
  shopify(headers) {
    const absent = shopifyNeeds.filter((each) => !headerOf(headers, each));
    return [
      [`no header ${absent.join(', ')}`, absent.length > 0],
      [
        'base64 that is not canonical',
        !/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(
          headerOf(headers, 'x-shopify-hmac-sha256') ?? '',
        ),
      ],
    ];
  },
  'standard-webhooks'(headers) {
    const [id, timestamp = '', header = ''] = ['id', 'timestamp', 'signature'].map((part) =>
      standardHeader(headers, part),
    );
    const parts = header.split(/\s+/);
    return [
      [
        'headers whose names begin with svix-',
        Object.keys(headers).some((each) => each.startsWith('svix-')),
      ],
      ['an empty webhook-id', id === ''],
      ['a time that is not a plain number', !/^(?:0|[1-9]\d*)$/.test(timestamp)],
      ['white space other than one space', /\s\s|[^\S ]/.test(header)],
      ['a part without a comma', parts.some((each) => !each.includes(','))],
      ['a part with two commas', parts.some((each) => /,.*,/.test(each))],
      [
        'base64 that is not canonical',
        parts.some(
          (each) => /^v1,/.test(each) && !/^v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(each),
        ),
      ],
    ];
  },
};
