/** The exercise for cookie jars: its start, its steps, its verdict. */

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { basePathOf } from '#http/address/sandbox-address.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { nullableText, oneOf, text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import type { Judge } from '#kit/verdict/judge.js';
import { verdictSchema } from '#kit/verdict/verdict.js';
import type { Space } from '#state/state.js';
import {
  jarRules,
  jarVerdicts,
  judgeJar,
  nextStep,
  ofExercise,
  startingCookies,
  steps,
  turningCookies,
  turningStep,
  type Visits,
  verdictOf,
} from './jar.js';
import { receivedCookies, sentCookieSchema, setCookie } from './set-cookies.js';

const path = '/api/http/cookies/jar';

const unknownJar = `Unknown exercise. POST ${path} starts one.`;

/** Beyond it, the oldest exercise is deleted. */
const jarsSpace: Space<Visits> = { name: 'http-cookie-jars', maxKeys: 50 };

/** The newest exercise, for the page of verdicts. */
export const jarJudge: Judge = {
  name: 'cookie-jar',
  title: 'Cookie jars',
  says: 'The newest exercise for a cookie jar: which cookies the client sent at which step.',
  guide: 'http/cookies',
  rules: jarRules,
  async read(sandbox) {
    const [, visits] = (await sandbox.entries(jarsSpace)).at(-1) ?? [];
    return { verdicts: visits === undefined ? [] : jarVerdicts(visits) };
  },
};

const sandboxOf = (request: Request) => ownSandbox(request, 'An exercise needs');

const addressOf = ({ baseUrl }: Request, id: string) => `${baseUrl}${path}/${id}`;

export const startJar = endpoint('POST', path, {
  summary: 'Start an exercise for a cookie jar',
  description:
    'Requires a private sandbox. Sets a dozen cookies. Visit the steps in order with the same jar, then get the verdict.',
  query: openExceptTypos({}),
  responses: {
    201: Type.Object({
      id: Type.String(),
      steps: Type.Array(Type.String()),
      verdict: Type.String(),
    }),
    ...failures(403),
  },
  responseHeaders: { 201: { Location: Type.String(), ...setCookie } },
  async handle(request, reply) {
    const id = randomBytes(9).toString('base64url');
    await sandboxOf(request).update(jarsSpace, id, () => ({ value: {}, result: undefined }));
    const address = addressOf(request, id);
    reply
      .code(201)
      .header('location', address)
      .header('set-cookie', startingCookies(basePathOf(address)));
    return { id, steps: steps.map((step) => `${address}/${step}`), verdict: address };
  },
});

const id = text('The id of the exercise.');
const isRight = Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] });

const cookieSchema = Type.Object({
  name: Type.String(),
  rule: Type.String(),
  specification: Type.String(),
  isRight,
  visits: Type.Array(
    Type.Object({
      step: Type.String(),
      expected: oneOf(['comes', 'stays away']),
      came: Type.Unsafe<readonly string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'The values that the client sent.',
      }),
      isRight,
    }),
  ),
});

export const judge = endpoint('GET', `${path}/:id`, {
  summary: 'Report whether each cookie was sent where it should be',
  query: openExceptTypos({}),
  params: { id },
  responses: {
    200: Type.Object({
      id: Type.String(),
      isComplete: Type.Boolean({ description: 'Whether all steps were visited.' }),
      isRight,
      next: nullableText('The next step.'),
      cookies: Type.Array(cookieSchema),
      verdicts: Type.Array(verdictSchema),
    }),
    ...failures(403, 404),
  },
  async handle(request) {
    const { id } = request.params;
    const visits = await sandboxOf(request).read(jarsSpace, id);
    if (visits === undefined) throw new HttpError(404, unknownJar);
    const cookies = judgeJar(visits);
    const next = steps[nextStep(visits)];
    const isComplete = next === undefined;
    return {
      id,
      isComplete,
      isRight: verdictOf(cookies, isComplete),
      next: isComplete ? null : `${addressOf(request, id)}/${next}`,
      cookies,
      verdicts: jarVerdicts(visits),
    };
  },
});

export const visit = endpoint('GET', `${path}/:id/*`, {
  summary: 'Visit a step of the exercise',
  query: openExceptTypos({}),
  params: { id },
  responses: {
    200: Type.Object({
      step: Type.String(),
      came: Type.Array(sentCookieSchema),
      next: text('The next step, or the verdict.'),
    }),
    ...failures(403, 404, 409),
  },
  responseHeaders: { 200: { 'Set-Cookie': Type.Optional(Type.String()) } },
  async handle(request, reply) {
    const { id, '*': step } = request.params as { readonly id: string; readonly '*': string };
    const index = steps.indexOf(step.replace(/\/$/, ''));
    if (index < 0)
      throw new HttpError(404, `Unknown step. The exercise has these steps: ${steps.join(', ')}.`);
    const received = ofExercise(receivedCookies(request).cookies);
    const turn = await sandboxOf(request).update(jarsSpace, id, (visits) => {
      if (visits === undefined) return { value: undefined, result: undefined };
      const next = nextStep(visits);
      // Only the first visit to a step counts: later visits may have other cookies.
      const visit = { sent: received, requestId: request.id };
      return { value: index === next ? { ...visits, [index]: visit } : visits, result: next };
    });
    if (turn === undefined) throw new HttpError(404, unknownJar);
    const address = addressOf(request, id);
    if (index > turn) {
      throw new HttpError(409, `Visit another step first: ${address}/${steps[turn]}`);
    }
    if (index === turningStep) reply.header('set-cookie', turningCookies(basePathOf(address)));
    const following = steps[index + 1];
    return {
      step,
      came: received,
      next: following === undefined ? address : `${address}/${following}`,
    };
  },
});
