/**
 * The sections that judges cite, each checked once against the table of contents of its standard.
 * A section of a rule, a case or a challenge is made by {@link cite}.
 */

import { challengeStandards } from './standards/challenges.js';
import { grpcStandards } from './standards/grpc.js';
import { http2Standards } from './standards/http2.js';
import { mcpStandards } from './standards/mcp.js';
import { openIdStandards } from './standards/openid-connect.js';
import { vendorDocumentation } from './standards/vendor-documentation.js';

export interface Standard {
  readonly edition: string;
  /** URL of the document whose headings were read. */
  readonly readAt: string;
  /** The place of the headings that were seen instead, if the document could not be read. */
  readonly seenIn?: string;
  /** Titles by number; a title without a number is its own key. */
  readonly sections: Readonly<Record<string, string>>;
}

export const standards = {
  'RFC 5861': {
    edition: 'May 2010',
    readAt: 'https://httpwg.org/specs/rfc5861.html',
    sections: {
      '3': 'The stale-while-revalidate Cache-Control Extension',
      '4': 'The stale-if-error Cache-Control Extension',
    },
  },
  'RFC 6265': {
    edition: 'April 2011',
    readAt: 'https://httpwg.org/specs/rfc6265.html',
    sections: {
      '4': 'Server Requirements',
      '5.4': 'The Cookie Header',
      '8.2': 'Ambient Authority',
    },
  },
  'RFC 6585': {
    edition: 'April 2012',
    readAt: 'https://httpwg.org/specs/rfc6585.html',
    sections: {
      '3': '428 Precondition Required',
      '4': '429 Too Many Requests',
    },
  },
  'RFC 7240': {
    edition: 'June 2014',
    readAt: 'https://httpwg.org/specs/rfc7240.html',
    sections: {
      '4.2': 'The "return=representation" and "return=minimal" Preferences',
    },
  },
  'RFC 7616': {
    edition: 'September 2015',
    readAt: 'https://httpwg.org/specs/rfc7616.html',
    sections: {
      '3.4': 'The Authorization Header Field',
    },
  },
  'RFC 7617': {
    edition: 'September 2015',
    readAt: 'https://httpwg.org/specs/rfc7617.html',
    sections: {
      '2': "The 'Basic' Authentication Scheme",
      '2.2': 'Reusing Credentials',
    },
  },
  'RFC 8246': {
    edition: 'September 2017',
    readAt: 'https://httpwg.org/specs/rfc8246.html',
    sections: {
      '2': 'The Immutable Cache-Control Extension',
    },
  },
  'RFC 8288': {
    edition: 'October 2017',
    readAt: 'https://httpwg.org/specs/rfc8288.html',
    sections: {
      '3': 'Link Serialisation in HTTP Headers',
    },
  },
  'RFC 9110': {
    edition: 'June 2022',
    readAt: 'https://httpwg.org/specs/rfc9110.html',
    sections: {
      '2': 'Conformance',
      '6.5': 'Trailer Fields',
      '8.3': 'Content-Type',
      '8.4': 'Content-Encoding',
      '9.2.2': 'Idempotent Methods',
      '9.3.1': 'GET',
      '9.3.2': 'HEAD',
      '9.3.3': 'POST',
      '9.3.5': 'DELETE',
      '9.3.7': 'OPTIONS',
      '10.1.4': 'TE',
      '10.2.3': 'Retry-After',
      '11.6.1': 'WWW-Authenticate',
      '12.4.2': 'Quality Values',
      '12.5.1': 'Accept',
      '12.5.3': 'Accept-Encoding',
      '13.1.1': 'If-Match',
      '13.1.2': 'If-None-Match',
      '13.1.3': 'If-Modified-Since',
      '13.1.4': 'If-Unmodified-Since',
      '13.1.5': 'If-Range',
      '14.1': 'Range Units',
      '14.2': 'Range',
      '15': 'Status Codes',
      '15.2': 'Informational 1xx',
      '15.3.2': '201 Created',
      '15.3.3': '202 Accepted',
      '15.4': 'Redirection 3xx',
      '15.4.9': '308 Permanent Redirect',
      '15.5': 'Client Error 4xx',
      '15.5.1': '400 Bad Request',
      '15.5.2': '401 Unauthorized',
      '15.5.4': '403 Forbidden',
      '15.5.6': '405 Method Not Allowed',
      '15.5.11': '410 Gone',
      '15.5.13': '412 Precondition Failed',
      '15.6.1': '500 Internal Server Error',
      '15.6.4': '503 Service Unavailable',
    },
  },
  'RFC 9111': {
    edition: 'June 2022',
    readAt: 'https://httpwg.org/specs/rfc9111.html',
    sections: {
      '2': 'Overview of Cache Operation',
      '3.5': 'Storing Responses to Authenticated Requests',
      '4.2': 'Freshness',
      '4.3.1': 'Sending a Validation Request',
      '5.2.2.2': 'must-revalidate',
      '5.2.2.3': 'must-understand',
      '5.2.2.4': 'no-cache',
      '5.2.2.5': 'no-store',
      '5.2.2.6': 'no-transform',
      '5.2.2.8': 'proxy-revalidate',
    },
  },
  'RFC 9112': {
    edition: 'June 2022',
    readAt: 'https://httpwg.org/specs/rfc9112.html',
    sections: {
      '7.1': 'Chunked Transfer Coding',
      '9.3': 'Persistence',
    },
  },
  'RFC 9421': {
    edition: 'February 2024',
    readAt: 'https://httpwg.org/specs/rfc9421.html',
    sections: {
      '2': 'HTTP Message Components',
      '2.1': 'HTTP Fields',
      '2.2': 'Derived Components',
      '2.3': 'Signature Parameters',
      '2.5': 'Creating the Signature Base',
      '3.2': 'Verifying a Signature',
      '4': 'Including a Message Signature in a Message',
      '4.1': 'The Signature-Input HTTP Field',
      '4.2': 'The Signature HTTP Field',
    },
  },
  'RFC 9530': {
    edition: 'February 2024',
    readAt: 'https://httpwg.org/specs/rfc9530.html',
    sections: {
      '2': 'The Content-Digest Field',
      '3': 'The Repr-Digest Field',
      '4': 'Integrity Preference Fields',
    },
  },
  'RFC 6749': {
    edition: 'October 2012',
    readAt: 'https://github.com/HeroicKatora/oxide-auth/blob/0b6f2da/docs/rfc6749.txt',
    sections: {
      '3.1': 'Authorization Endpoint',
      '4.1.2': 'Authorization Response',
      '4.4': 'Client Credentials Grant',
      '5.1': 'Successful Response',
      '5.2': 'Error Response',
      '10.12': 'Cross-Site Request Forgery',
    },
  },
  'RFC 6265bis': {
    edition: 'draft of July 2026',
    readAt:
      'https://github.com/httpwg/http-extensions/blob/b1b1c72f/draft-ietf-httpbis-rfc6265bis.md',
    sections: {
      '5.1.3': 'Domain Matching',
      '5.1.4': 'Paths and Path-Match',
      '5.3': 'Ignoring Set-Cookie Header Fields',
      '5.4': 'Cookie Name Prefixes',
      '5.6': 'The Set-Cookie Header Field',
      '5.6.1': 'The Expires Attribute',
      '5.6.2': 'The Max-Age Attribute',
      '5.7': 'Storage Model',
      '5.8.3': 'Retrieval Algorithm',
    },
  },
  'draft-ietf-httpbis-resumable-upload': {
    edition: 'after -11, July 2026',
    readAt:
      'https://github.com/httpwg/http-extensions/blob/b1b1c72f/draft-ietf-httpbis-resumable-upload.md',
    sections: {
      '4.1.2': 'Completeness',
      '4.1.3': 'Length',
      '4.1.4': 'Limits',
      '4.4': 'Upload Append',
      '4.6': 'Concurrency',
      B: 'Draft Version Identification',
    },
  },
  'draft-ietf-httpapi-idempotency-key-header': {
    edition: '-06 and later, February 2025',
    readAt:
      'https://github.com/ietf-wg-httpapi/idempotency/blob/dab060c5/draft-ietf-httpapi-idempotency-key-header.md',
    sections: {
      '2': 'The Idempotency-Key HTTP Request Header Field',
      '2.2': 'Uniqueness of Idempotency Key',
    },
  },
  'Standard Webhooks': {
    edition: '1.0.0, July 2023',
    readAt:
      'https://github.com/standard-webhooks/standard-webhooks/blob/03f5f8c6/spec/standard-webhooks.md',
    sections: {
      'Payload structure': 'Payload structure',
      'Webhook metadata': 'Webhook metadata',
      'Signature scheme': 'Signature scheme',
      'Webhook headers (sending metadata to consumers)':
        'Webhook headers (sending metadata to consumers)',
      'Verifying signatures': 'Verifying signatures',
      'Event types': 'Event types',
      'Delivery success and failure': 'Delivery success and failure',
      'Request timeouts': 'Request timeouts',
    },
  },
  ...openIdStandards,
  ...vendorDocumentation,
  ...mcpStandards,
  ...grpcStandards,
  ...challengeStandards,
  ...http2Standards,
} as const satisfies Readonly<Record<string, Standard>>;

type StandardName = keyof typeof standards;

/** Returns standard, number and title, such as `RFC 9110 section 10.2.3, Retry-After`. */
export function cite<Name extends StandardName>(
  standard: Name,
  number: keyof (typeof standards)[Name]['sections'] & string,
): string {
  const { sections }: Standard = standards[standard];
  return textOf(standard, number, sections[number] ?? '');
}

function textOf(standard: string, number: string, title: string): string {
  return `${standard} section ${number === title ? title : `${number}, ${title}`}`;
}

/** The section of advice without a standard. */
export const advice = 'advice';

const promise = '; a must at this service';

/** A rule that the standard recommends, and this service demands. */
export function demanded(citation: string): string {
  return citation + promise;
}

/** Whether a text is made of citations, or says that it is advice. */
export function isCitation(section: string): boolean {
  const citations = section.replace(promise, '').split('; ');
  return section === advice || citations.every((each) => known().has(each));
}

function known(): ReadonlySet<string> {
  const all = Object.entries<Standard>(standards).flatMap(([standard, { sections }]) =>
    Object.entries(sections).map(([number, title]) => textOf(standard, number, title)),
  );
  return new Set(all);
}
