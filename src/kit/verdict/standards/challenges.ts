/** Standards that only challenges cite, in the form of `citations.ts`. */

export const challengeStandards = {
  GraphQL: {
    edition: 'September 2025',
    readAt: 'https://github.com/graphql/graphql-spec/tree/September2025/spec',
    sections: {
      '2.6': 'Fields',
      '2.8': 'Field Alias',
      '2.9': 'Fragments',
      '2.11': 'Variables',
      '3.13': 'Directives',
      '6.1': 'Executing Requests',
      '6.2.2': 'Mutation',
      '7.1': 'Response Format',
    },
  },
  'GraphQL over HTTP': {
    edition: 'draft of August 2026',
    readAt: 'https://graphql.github.io/graphql-over-http/draft',
    sections: {
      '5.3': 'GET',
      '6.4': 'Status Codes',
    },
  },
  'GraphQL over HTTP, Persisted Operations': {
    edition: 'proposal of August 2026',
    readAt: 'https://github.com/graphql/graphql-over-http/blob/e1e46e7/rfcs/PersistedOperations.md',
    sections: {
      Sending: 'Sending',
    },
  },
  'GraphQL over Server-Sent Events': {
    edition: 'August 2026',
    readAt: 'https://github.com/enisdenjo/graphql-sse/blob/4caa9fb/PROTOCOL.md',
    sections: {
      'Distinct connections mode': 'Distinct connections mode',
    },
  },
  HTML: {
    edition: 'living standard of June 2025',
    readAt: 'https://thelaithe.com/sse.txt.html',
    sections: {
      '9.2': 'Server-sent events',
      '9.2.3': 'Processing model',
      '9.2.4': 'The `Last-Event-ID` header',
    },
  },
  'NDJSON 1.0': {
    edition: 'October 2014',
    readAt: 'https://github.com/ndjson/ndjson-spec/blob/8a5a235/index.md',
    sections: {
      '3.1': 'Serialization',
    },
  },
  'RFC 2104': {
    edition: 'February 1997',
    readAt: 'https://github.com/gitpan/Digest-MD5/blob/a6dcca4d/rfc2104.txt',
    sections: {
      '2': 'Definition of HMAC',
    },
  },
  'RFC 3986': {
    edition: 'January 2005',
    readAt: 'https://github.com/schrepfler/uri4s/blob/1e85941/rfc3986.txt',
    sections: {
      '3.4': 'Query',
    },
  },
  'RFC 6202': {
    edition: 'April 2011',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/010b2134/html/rfc6202.html',
    sections: {
      '2': 'HTTP Long Polling',
    },
  },
  'RFC 6455': {
    edition: 'December 2011',
    readAt:
      'https://github.com/laeubi/osgi-websockets/blob/4229f6a/specifications/rfc6455/rfc6455.md',
    sections: {
      '1.9': 'Subprotocols Using the WebSocket Protocol',
      '4': 'Opening Handshake',
      '10.5': 'WebSocket Client Authentication',
    },
  },
  'RFC 6750': {
    edition: 'October 2012',
    readAt: 'https://github.com/HeroicKatora/oxide-auth/blob/0b6f2da/docs/rfc6750.txt',
    sections: {
      '2.1': 'Authorization Request Header Field',
      '3.1': 'Error Codes',
      '5.3': 'Summary of Recommendations',
    },
  },
  'RFC 6902': {
    edition: 'April 2013',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/010b2134/html/rfc6902.html',
    sections: {
      '4.6': 'test',
    },
  },
  'RFC 7009': {
    edition: 'August 2013',
    readAt: 'https://github.com/HeroicKatora/oxide-auth/blob/0b6f2da/docs/rfc7009.txt',
    sections: {
      '2': 'Token Revocation',
    },
  },
  'RFC 7396': {
    edition: 'October 2014',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/01b8a538/html/rfc7396.html',
    sections: {
      '2': 'Processing Merge Patch Documents',
    },
  },
  'RFC 7591': {
    edition: 'July 2015',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/010b2134/html/rfc7591.html',
    sections: {
      '3': 'Client Registration Endpoint',
    },
  },
  'RFC 7636': {
    edition: 'September 2015',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/01b8a538/html/rfc7636.html',
    sections: {
      '4': 'Protocol',
    },
  },
  'RFC 7662': {
    edition: 'October 2015',
    readAt: 'https://github.com/HeroicKatora/oxide-auth/blob/0b6f2da/docs/rfc7662.txt',
    sections: {
      '2': 'Introspection Endpoint',
    },
  },
  'RFC 8259': {
    edition: 'December 2017',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/01b8a538/html/rfc8259.html',
    sections: {
      '9': 'Parsers',
    },
  },
  'RFC 8628': {
    edition: 'August 2019',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/03bf8e40/html/rfc8628.html',
    sections: {
      '3': 'Protocol',
    },
  },
  'RFC 9126': {
    edition: 'September 2021',
    readAt: 'https://github.com/oauthstuff/draft-oauth-par/blob/b8ad01b/main.md',
    sections: {
      '2': 'Pushed Authorization Request Endpoint',
    },
  },
  'RFC 9457': {
    edition: 'July 2023',
    readAt:
      'https://github.com/ietf-wg-httpapi/rfc7807bis/blob/ef2a6da/draft-ietf-httpapi-rfc7807bis.md',
    sections: {
      '3': 'The Problem Details JSON Object',
    },
  },
  'SOAP 1.1': {
    edition: 'May 2000',
    readAt: 'https://www.w3.org/TR/2000/NOTE-SOAP-20000508/',
    seenIn: 'a copy in Markdown in a public repository',
    sections: {
      '6.1.1': 'The SOAPAction HTTP Header Field',
      '7.1': 'RPC and SOAP Body',
    },
  },
  'SOAP 1.2 Part 1': {
    edition: 'April 2007',
    readAt: 'https://www.w3.org/TR/soap12-part1/',
    seenIn: 'quotations in other documents',
    sections: {
      '5.1': 'SOAP Envelope',
      '5.2.3': 'SOAP mustUnderstand Attribute',
      '5.4': 'SOAP Fault',
    },
  },
  'Standard Webhooks 1.0': {
    edition: 'August 2026',
    readAt:
      'https://github.com/standard-webhooks/standard-webhooks/blob/b2fa7b8/spec/standard-webhooks.md',
    sections: {
      'Webhook headers (sending metadata to consumers)':
        'Webhook headers (sending metadata to consumers)',
      'Verifying signatures': 'Verifying signatures',
    },
  },
  'WSDL 1.1': {
    edition: 'March 2001',
    readAt: 'https://www.w3.org/TR/2001/NOTE-wsdl-20010315',
    seenIn: 'a copy in Markdown in a public repository',
    sections: {
      '2.1': 'WSDL Document Structure',
    },
  },
  'WSS UsernameToken Profile 1.1.1': {
    edition: 'May 2012',
    readAt:
      'https://docs.oasis-open.org/wss-m/wss/v1.1.1/os/wss-UsernameTokenProfile-v1.1.1-os.html',
    seenIn: 'quotations in other documents',
    sections: {
      '3.1': 'Usernames and Passwords',
    },
  },
  'draft-ietf-httpapi-ratelimit-headers': {
    edition: '-10 and later, September 2025',
    readAt:
      'https://github.com/ietf-wg-httpapi/ratelimit-headers/blob/0669b82/draft-ietf-httpapi-ratelimit-headers.md',
    sections: {
      '4': 'RateLimit Field',
    },
  },
} as const;
