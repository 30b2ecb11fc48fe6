/** Reports of bugs of conditional and repeated requests, which are never served. */

import type { BugCase } from './bug-case.js';

export const conditionCases: Readonly<Record<string, BugCase>> = {
  'photos-lost-update': {
    steps: ['PATCH /api/Photos/2 | If-Match: "old" | {"title":"Two"}'],
    at: 'status',
    right: 412,
    wrong: 200,
    healthy: ['PATCH /api/Photos/2 | {"title":"Two"}'],
    healthyStatus: 200,
  },
  'countries-tag-never-changes': {
    steps: ['GET /api/Countries/2', 'PATCH /api/Countries/2 | {"capital":"Nowhere"}'],
    at: 'headers.etag',
    right: '"another tag"',
    wrong: '"country-2"',
    healthy: ['GET /api/Countries/999'],
    healthyStatus: 404,
  },
  'books-always-sent': {
    steps: ['GET /api/Books/2 | If-None-Match: *'],
    at: 'status',
    right: 304,
    wrong: 200,
    healthy: ['GET /api/Books/2'],
    healthyStatus: 200,
  },
  'products-never-modified': {
    steps: ['GET /api/Products/2 | If-Modified-Since: Thu, 01 Jan 2015 00:00:00 GMT'],
    at: 'status',
    right: 200,
    wrong: 304,
    healthy: ['GET /api/Products/2'],
    healthyStatus: 200,
  },
  'posts-created-twice': {
    steps: [
      'POST /api/Posts | Idempotency-Key: "k" | {"userId":1,"title":"Once","body":"Text"}',
      'POST /api/Posts | Idempotency-Key: "k" | {"userId":1,"title":"Once","body":"Text"}',
    ],
    at: 'body.id',
    right: 101,
    wrong: 102,
    healthy: ['POST /api/Posts | {"userId":1,"title":"Once","body":"Text"}'],
    healthyStatus: 201,
  },
  'events-key-not-required': {
    steps: [
      'POST /api/Events?requireIdempotency=true | {"name":"Fair","category":"Music","venue":"Hall","city":"Oslo","startsAt":"2026-06-19T18:00:00.000Z","endsAt":"2026-06-19T23:00:00.000Z","price":5,"capacity":10,"ticketsSold":0,"organizer":"Us","tags":[]}',
    ],
    at: 'status',
    right: 400,
    wrong: 201,
    healthy: ['POST /api/Events | {}'],
    healthyStatus: 400,
  },
};
