/** Lawful ways and near misses of the track gRPC. */

import type { Cases } from '../../challenge.js';

const hello = 'POST /hello.HelloService/SayHello';
const ada = '{"greeting":"Ada"}';
const echo = 'POST /practice.v1.Echo/Unary';
const create = 'POST /practice.v1.Books/Create';
const list = 'POST /practice.v1.Books/List';
const update = 'POST /practice.v1.Books/Update';
const read = 'POST /practice.v1.Books/Get | {"id":1}';
const changed = '"id":1,"price":2';
const withEtag = (etag: string) => `${update} | {"book":{${changed},"etag":"${etag}"}}`;
const old = withEtag('old');
const cached = 'GET /hello.HelloService/SayHello?encoding=json&message={}';
const late = '{"delay":"1s"}';

export const grpcCases: Readonly<Record<string, Cases>> = {
  'grpc-hello': {
    accepts: [`${hello} | ${ada}`, `${hello} | {"greeting":"日本"}`, `${hello} | X-A: b | ${ada}`],
    rejects: [
      ['no greeting', `${hello} | {}`],
      ['no greeting', `${hello} | {"greeting":""}`],
      ['no greeting', `${hello} | {"name":"Ada"}`],
    ],
  },
  'grpc-metadata': {
    accepts: [
      `${echo} | x-color: green | {}`,
      `${echo} | X-Color: green | {"text":"a"}`,
      `${echo} | x-color: green | x-size: 1 | {}`,
    ],
    rejects: [
      ['not green', `${echo} | {}`],
      ['not green', `${echo} | x-color: red | {}`],
      ['not green', `${echo} | {"text":"x-color: green"}`],
    ],
  },
  'grpc-binary': {
    accepts: [
      `${echo} | x-bytes-bin: AAEC | {}`,
      `${echo} | X-Bytes-Bin: AA== | {}`,
      `${echo} | x-bytes-bin: AA | {}`,
    ],
    rejects: [
      ['no Base64', `${echo} | {}`],
      ['no Base64', `${echo} | x-bytes: AAEC | {}`],
      ['no Base64', `${echo} | x-bytes-bin: a b | {}`],
    ],
  },
  'grpc-deadline': {
    accepts: [
      `${hello} | Connect-Timeout-Ms: 5000 | ${ada}`,
      `${hello} | connect-timeout-ms: 900 | {}`,
      `${hello} | Connect-Protocol-Version: 1 | Connect-Timeout-Ms: 4000 | ${ada}`,
    ],
    rejects: [
      ['no deadline', `${hello} | ${ada}`],
      ['is later', `${hello} | Connect-Timeout-Ms: 6000 | ${ada}`],
      ['no deadline', `${hello} | {"greeting":"connect-timeout-ms: 5"}`],
    ],
  },
  'grpc-expired': {
    accepts: [
      `${echo} | Connect-Timeout-Ms: 20 | ${late}`,
      `${echo} | Connect-Timeout-Ms: 50 | {"delay":"0.500s"}`,
      `${echo} | Connect-Timeout-Ms: 1 | {"text":"a","delay":"9s"}`,
    ],
    rejects: [
      ['in time', `${echo} | Connect-Timeout-Ms: 5000 | {}`],
      ['no deadline', `${echo} | {"delay":"0.010s"}`],
      ['in time', `${echo} | Connect-Timeout-Ms: 5000 | {"delay":"90s"}`],
    ],
  },
  'grpc-invalid': {
    accepts: [`${create} | {"book":{"title":"A"}}`, `${create} | {"book":{}}`, `${create} | {}`],
    rejects: [
      [
        'was accepted',
        `${create} | {"book":{"title":"A","author":"B","isbn":"9780547928227","publishedYear":1,"pages":2}}`,
      ],
      [
        'was accepted',
        `${create} | {"book":{"title":"A","author":"B","isbn":"9780547928227","publishedYear":1,"pages":2,"tags":["a"]}}`,
      ],
      [
        'was accepted',
        `${create} | Connect-Protocol-Version: 1 | {"book":{"title":"C","author":"D","isbn":"9780547928227","publishedYear":2,"pages":3}}`,
      ],
    ],
  },
  'grpc-page': {
    accepts: [
      `${list} | {"pageSize":2} && ${list} | {"pageSize":2,"pageToken":"{1.json.nextPageToken}"}`,
      `${list} | {} && ${list} | {"pageToken":"{1.json.nextPageToken}"}`,
      `${list} | {"page_size":5} && ${list} | {"page_token":"{1.json.nextPageToken}"}`,
    ],
    rejects: [
      ['first page', `${list} | {}`],
      ['first page', `${list} | {"pageSize":2}`],
      ['did not succeed', `${list} | {"pageToken":"2"}`],
    ],
  },
  'grpc-etag': {
    accepts: [
      `${read} && ${withEtag('{1.json.etag}')}`,
      `${read} && ${update} | {"book":{"id":1,"pages":9,"etag":"{1.json.etag}"}}`,
      `${read} && ${update} | {"book":{${changed},"etag":"{1.json.etag}"},"updateMask":"price"}`,
    ],
    rejects: [
      ['no etag', `${update} | {"book":{${changed}}}`],
      ['no etag', `${update} | {"book":{${changed},"etag":""}}`],
      ['did not succeed', old],
    ],
  },
  'grpc-aborted': {
    accepts: [old, withEtag('1'), `${read} && ${withEtag('x')}`],
    rejects: [
      ['was accepted', `${update} | {"book":{${changed}}}`],
      ['was accepted', `${update} | {"book":{${changed},"etag":""}}`],
      ['was accepted', `${update} | {"book":{"id":9999,"etag":"old"}}`],
    ],
  },
  'grpc-cached': {
    accepts: [
      `${cached} && ${cached} | If-None-Match: {1.etag}`,
      `${cached} && ${cached} | If-None-Match: *`,
      `${cached} && ${cached} | If-None-Match: "a", {1.etag}`,
    ],
    rejects: [
      ['no revalidation', cached],
      ['no revalidation', `${cached} | If-None-Match: "a"`],
      ['no revalidation', `${cached}&connect=v1`],
    ],
  },
};
