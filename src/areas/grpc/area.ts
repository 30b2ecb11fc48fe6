/** gRPC, gRPC-Web and Connect: services to call, on the port of everything else. */

import type { IncomingMessage } from 'node:http';
import type { Request } from '#http/exchange.js';
import type { Area } from '#kit/area.js';
import { shapeRejectionToken } from '#kit/offers/entries.js';
import { tagRecordToken, writeRecordToken } from '#kit/offers/steering.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { codeOfStatus } from './messages/codes.js';
import { writeFailure } from './messages/failures.js';
import { formOf, formOfRequest } from './messages/forms.js';
import { RpcError } from './messages/rpc-error.js';

const loaded = () => import('./loaded.js');

export const grpcArea = {
  name: 'grpc',
  title: 'gRPC',
  guide: 'grpc',
  summary: 'gRPC, gRPC-Web and Connect on the port of everything else.',
  front: {
    group: 'protocols',
    start: '/grpc',
    page: { path: '/grpc' },
    purposes: [
      {
        purpose: 'test',
        title: 'gRPC',
        says: 'gRPC, gRPC-Web and Connect, with the services of grpcbin.',
        base: '',
        line: `curl -s {base}/hello.HelloService/SayHello -H 'Content-Type: application/json' -d '{"greeting":"Ada"}'`,
        links: [
          ['Page', '/grpc'],
          ['Test plan', '/guides/grpc/test-your-error-handling'],
          ['Guide', '/guides/grpc'],
        ],
      },
    ],
    banner: (baseUrl) => ['gRPC', new URL(baseUrl).host],
    examples: () => [
      {
        title: 'Call a method of gRPC by Connect',
        method: 'POST',
        path: '/hello.HelloService/SayHello',
        json: { greeting: 'Ada' },
        response: { status: 200, has: 'hello Ada' },
      },
    ],
  },
  failures: {
    negotiated: { below: [], types: ['application/json'], claims: isCall },
    shape: async (request, failure) => (await loaded()).shape(request, failure),
  },
  offers: [
    judgeToken.of(async () => (await loaded()).rulesJudge),
    judgeToken.of(async () => (await loaded()).planJudge),
    shapeRejectionToken.of(() => shapeRejection),
  ],
  needs: [writeRecordToken, tagRecordToken],
  isLate: true,
  endpoints: async (services, offered) => (await loaded()).endpoints(services, offered),
} satisfies Area;

/** Paths of methods, such as `/hello.HelloService/SayHello`. */
const pathForm = /^\/[\w.]+\.[A-Z]\w*\/[A-Z]\w*$/;

const isOfMethod = ({ route }: Request): boolean => pathForm.test(route?.path ?? '');

/** Whether a request is a call, also at another path. Connect in JSON looks like any request. */
function isCall(request: Request): boolean {
  const form = formOfRequest(request);
  return form !== undefined && (form.isBare !== true || isOfMethod(request));
}

/** Returns the failure of a call that reaches no handler, such as one with too much metadata. */
function shapeRejection(request: IncomingMessage, code: number, message: string) {
  const { method, headers, url = '', httpVersionMajor } = request;
  const form = method === 'POST' ? formOf(headers['content-type']) : undefined;
  if (form === undefined || (form.isBare && !pathForm.test(url))) return undefined;
  if (form.protocol === 'gRPC' && httpVersionMajor < 2) return undefined;
  const { contentType, ...rest } = writeFailure(form, new RpcError(codeOfStatus(code), message));
  return { ...rest, headers: { ...rest.headers, 'content-type': contentType } };
}
