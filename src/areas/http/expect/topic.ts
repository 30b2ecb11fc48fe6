/** Servers that handle `Expect: 100-continue` in different ways (RFC 9110 section 10.1.1). */

import { type Static, Type } from 'typebox';
import { basePathOf } from '#http/address/sandbox-address.js';
import { anyMethod } from '#http/any-method.js';
import { readBody } from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import { type HeldRequest, pause } from '#http/held-requests.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { isBodiless, setStatus } from '#http/status/status-companions.js';
import { guard } from '#kit/connection.js';
import { anyBodies, anyContent } from '#kit/describe/any-body.js';
import { integer, number, oneOf } from '#kit/describe/value-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import type { Limits, Services } from '#kit/services.js';
import { type Sandbox, type Space, sharedSandboxName } from '#state/state.js';
import { ExpectedBody, expectingClients } from './expected-body.js';

const path = '/api/http/expect';

const behaviours = ['continue', 'final', 'silent', 'late'] as const;
type Behaviour = (typeof behaviours)[number];

/** Seconds between the head and the service's reaction. */
const defaultDelays: Readonly<Record<Behaviour, number>> = {
  continue: 0.1,
  final: 0,
  silent: 10,
  late: 3,
};

const milliseconds = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description });

const reportSchema = Type.Object(
  {
    behaviour: oneOf(behaviours),
    status: Type.Integer({ description: 'Of the final response.' }),
    client: oneOf(expectingClients, {
      description:
        'What the client did with its body: waited for 100 or the final status, sent it within 200 ms, sent it after its own timeout, sent it after the final status, or sent no body with Expect: 100-continue.',
    }),
    bodyAfterMs: milliseconds(
      'Seconds from the head to the start of the body; null if none arrived.',
    ),
    continueAfterMs: milliseconds('Seconds from the head to 100; null if it was not sent.'),
    bodyBytes: Type.Integer({ description: 'Number of bytes of the body that arrived.' }),
  },
  { title: 'ExpectReport' },
);

type Report = Static<typeof reportSchema>;

const lastSpace: Space<Report> = { name: 'http-expect', maxKeys: 1 };
const lastKey = 'last';

export const expectTopic = {
  name: 'expect',
  title: 'Expect: 100-continue',
  start: `${path}/continue`,
  summary: 'A server that sends 100, a final status instead, nothing, or a late 100.',
  endpoints: ({ limits }: Services) => [meetExpectation(limits), readLast],
};

const inSandbox = { headers: { 'X-Sandbox': 'mine' } };

const meetExpectation = ({ held }: Limits) =>
  endpoint(anyMethod, `${path}/:behaviour`, {
    summary: 'Respond to Expect: 100-continue in a chosen way',
    description:
      'The response reports what the client did. Send a body with Expect: 100-continue. In a named sandbox, `GET /api/http/expect/last` returns the report too.',
    params: {
      behaviour: oneOf(behaviours, {
        description:
          '`continue` sends 100, then reads the body. `final` sends a final status without reading it. `silent` sends no 100. `late` sends 100 after most clients have stopped waiting.',
      }),
    },
    query: {
      status: Type.Optional(
        integer(200, 599, 'The final status. Default: 200, or 417 for `final`.'),
      ),
      delay: Type.Optional(
        number(
          0,
          10,
          'Seconds from the head to 100, or to the status of `final`; `silent` waits this long for the body. Defaults: 0.1, 0, 10 and 3.',
        ),
      ),
    },
    queryFaults: 'undelayed',
    ...anyBodies,
    responses: {
      200: reportSchema,
      default: anyContent('The report, with the chosen status; also any error.'),
    },
    examples: (method) => ({
      // Without an Expect header, the report has no times.
      'No expectation': { path: { behaviour: 'continue' }, query: { delay: 0 } },
      'A final status': { path: { behaviour: 'final' } },
      ...(method === 'POST' && { 'In a sandbox': { path: { behaviour: 'final' }, ...inSandbox } }),
    }),
    async handle(request, reply) {
      const { behaviour } = request.params;
      const { delay = defaultDelays[behaviour], status: wanted } = request.query;
      const body = new ExpectedBody(request);
      const hold = held.hold(request, reply);
      try {
        await takeBody(request, body, behaviour, 1000 * delay, hold);
      } finally {
        hold.release();
      }
      if (reply.raw.destroyed) return reply;
      const usual = behaviour === 'final' ? 417 : body.isHere ? 200 : 408;
      const status = wanted ?? usual;
      const report: Report = { behaviour, status, ...body.report() };
      await keep(request.sandbox, report);
      if (behaviour === 'final') noteLateBody(request, body, report);
      const location = `${basePathOf(request.baseUrl)}${path}/continue`;
      setStatus(reply, status, { location, allow: ['GET', 'HEAD', 'POST'], size: 0 });
      if (!body.isHere) reply.header('connection', 'close');
      return isBodiless(status) ? reply.send() : report;
    },
  });

/** Waits, sends 100 and reads the body as the behaviour demands. */
async function takeBody(
  request: Request,
  body: ExpectedBody,
  behaviour: Behaviour,
  delayMs: number,
  hold: HeldRequest,
): Promise<void> {
  const reading = readBody(request, 0).then(() => true);
  // It fails if the response ends the connection before the body has arrived.
  reading.catch(() => {});
  if (behaviour === 'silent') {
    await Promise.race([reading, pause(delayMs, hold)]);
    return;
  }
  await pause(delayMs, hold);
  // The body may have arrived together with the head.
  await new Promise((resolve) => setImmediate(resolve));
  if (behaviour === 'final' || hold.signal.aborted) return;
  body.sendContinue();
  await reading;
}

const readLast = endpoint('GET', `${path}/last`, {
  summary: 'Get what the client did after its last expectation',
  description:
    'In this sandbox. After `final`, a body over HTTP/1.1 is recorded until the connection is closed.',
  responses: { 200: reportSchema, ...failures(403, 404) },
  examples: {
    'The last result': inSandbox,
    'No result yet': { headers: { 'X-Sandbox': 'unused' } },
  },
  async handle(request) {
    const sandbox = ownSandbox(request, 'Reports of expectations need');
    const report = await sandbox.read(lastSpace, lastKey);
    if (report !== undefined) return report;
    const message = `No request of this sandbox was sent to ${path}/{${behaviours.join('|')}}.`;
    throw new HttpError(404, message);
  },
});

async function keep(sandbox: Sandbox, report: Report): Promise<void> {
  if (sandbox.name === sharedSandboxName) return;
  await sandbox.update(lastSpace, lastKey, () => ({ value: report, result: undefined }));
}

/** After the final status, a client can send its body until it sees the end of the connection. */
function noteLateBody({ raw, sandbox }: Request, body: ExpectedBody, report: Report): void {
  const { socket } = raw;
  if (report.client !== 'waited' || raw.httpVersionMajor !== 1) return;
  const before = socket.bytesRead;
  const note = () => {
    const bodyBytes = socket.bytesRead - before;
    if (bodyBytes === 0) return;
    const late = { client: 'sent-after-final', bodyBytes, bodyAfterMs: body.elapsedMs } as const;
    // The state may be unreachable by now.
    keep(sandbox, { ...report, ...late }).catch(() => {});
  };
  socket.once('close', guard(raw, note));
}
