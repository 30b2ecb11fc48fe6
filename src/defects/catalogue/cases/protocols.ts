/** Reports of bugs of protocols, which are never served. */

import type { BugCase } from './bug-case.js';

export const protocolCases: Readonly<Record<string, BugCase>> = {
  'graphql-error-is-200': {
    steps: ['POST /graphql | Accept: application/graphql-response+json | {"query":"{ nothing }"}'],
    at: 'status',
    right: 400,
    wrong: 200,
    healthy: ['POST /graphql | {"query":"{ users { name } }"}'],
    healthyStatus: 200,
  },
  'graphql-toggle-lost': {
    steps: [
      'POST /graphql | {"query":"mutation { toggleTodo(id: 1) { completed } }"}',
      'GET /api/Todos/1',
    ],
    reported: 1,
    at: 'body.completed',
    right: true,
    wrong: false,
    healthy: ['POST /graphql | {"query":"mutation { toggleTodo(id: 0) { id } }"}'],
    healthyStatus: 200,
  },
  'graphql-null-with-error': {
    steps: ['POST /graphql | {"query":"{ user(id: 9999) { name } }"}'],
    at: 'body.errors',
    right: null,
    wrong: { length: 1 },
    healthy: ['POST /graphql | {"query":"{ user(id: 1) { name } }"}'],
    healthyStatus: 200,
  },
  'soap-subtract-swapped': {
    steps: ['POST /api/soap/calculator | soap11 Subtract intA=9 intB=4'],
    at: 'body',
    right: '<SubtractResult>5</SubtractResult>',
    wrong: '<SubtractResult>-5</SubtractResult>',
    healthy: ['POST /api/soap/calculator | soap11 Add intA=9 intB=4'],
    healthyStatus: 200,
  },
  'soap-fault-is-200': {
    steps: ['POST /api/soap/calculator | soap11 Divide intA=9 intB=0'],
    at: 'status',
    right: 500,
    wrong: 200,
    healthy: ['POST /api/soap/calculator | soap11 Divide intA=9 intB=3'],
    healthyStatus: 200,
  },
  'soap-country-by-case': {
    steps: [
      'POST /api/soap/countries | Content-Type: text/xml | <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><GetCountryInfo xmlns="http://tempuri.org/"><countryCode>jp</countryCode></GetCountryInfo></s:Body></s:Envelope>',
    ],
    at: 'status',
    right: 200,
    wrong: 500,
    healthy: [
      'POST /api/soap/countries | Content-Type: text/xml | <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><GetCountryInfo xmlns="http://tempuri.org/"><countryCode>JP</countryCode></GetCountryInfo></s:Body></s:Envelope>',
    ],
    healthyStatus: 200,
  },
  'rpc-unknown-method': {
    steps: ['POST /api/jsonrpc | {"jsonrpc":"2.0","method":"nothing","id":1}'],
    at: 'body.error.code',
    right: -32601,
    wrong: -32600,
    healthy: ['POST /api/jsonrpc | {"jsonrpc":"2.0","method":"subtract","params":[3,1],"id":1}'],
    healthyStatus: 200,
  },
  'rpc-batch-without-errors': {
    steps: [
      'POST /api/jsonrpc | [{"jsonrpc":"2.0","method":"subtract","params":[3,1],"id":1},{"jsonrpc":"2.0","method":"nothing","id":2}]',
    ],
    at: 'body',
    right: { length: 2 },
    wrong: { length: 1 },
    healthy: ['POST /api/jsonrpc | [{"jsonrpc":"2.0","method":"subtract","params":[3,1],"id":1}]'],
    healthyStatus: 200,
  },
  'webhook-verified-as-parsed': {
    steps: [
      'POST /api/webhooks/verify/github | X-Hub-Signature-256: sha256=<<hmac whsec_cHJhY3RpY2UtYXBpLWRlbW8tc2lnbmluZy1zZWNyZXQ= { "a": 1 }>> | Content-Type: application/json | text { "a": 1 }',
    ],
    at: 'body.verified',
    right: true,
    wrong: false,
    healthy: ['POST /api/webhooks/verify/github | Content-Type: application/json | text {"a":1}'],
    healthyStatus: 200,
  },
  'webhook-signed-as-parsed': {
    steps: ['POST /api/webhooks/samples/github | Content-Type: application/json | text { "a": 1 }'],
    at: 'body.headers.X-Hub-Signature-256',
    right: 'sha256=e1deefb4ecd1fb1aa497e1700441ac30aac5f27cbbd413d5141e38c3f2cd78dd',
    wrong: 'sha256=d380547f8a9cf23a55b9806215eca57d032a019aa6310387ca8671ef282759e2',
    healthy: ['POST /api/webhooks/samples/github | Content-Type: application/json | text {"a":1}'],
    healthyStatus: 200,
  },
  'webhook-old-delivery': {
    steps: [
      'POST /api/webhooks/verify/stripe | Stripe-Signature: t=1577836800,v1=<<hmac whsec_cHJhY3RpY2UtYXBpLWRlbW8tc2lnbmluZy1zZWNyZXQ= 1577836800.{ "a": 1 }>> | Content-Type: application/json | text { "a": 1 }',
    ],
    at: 'body.verified',
    right: false,
    wrong: true,
    healthy: ['POST /api/webhooks/verify/stripe | Content-Type: application/json | text {"a":1}'],
    healthyStatus: 200,
  },
};
