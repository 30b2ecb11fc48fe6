/** The exercise for cookie jars: its start, its steps, its verdict. */

import { randomBytes } from 'node:crypto';
import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { basePathOf } from '../../../http/public-path.js';
import type { Services } from '../../../kit/area.js';
import { ownSandbox } from '../../../kit/sandbox/own-sandbox.js';
import type { Sandbox, Space } from '../../../state/state.js';
import { cameWith } from './came.js';
import {
  judgeJar,
  nextStep,
  ofExercise,
  startingCookies,
  steps,
  turningCookies,
  turningStep,
  type Visits,
} from './jar.js';

/** Beyond it, the oldest exercise is dropped. */
const jarsSpace: Space<Visits> = { name: 'http-cookie-jars', maxKeys: 50 };

type OfJar = Request<{ Params: { id: string } }>;

export function jarHandlers(services: Services) {
  const sandboxOf = (request: Request) =>
    ownSandbox(services, request, 'An exercise takes place in');
  const addressOf = (request: Request, id: string) =>
    `${services.baseUrlOf(request)}/api/http/cookies/jar/${id}`;

  return {
    async start(request: Request, reply: Reply) {
      const sandbox = sandboxOf(request);
      const id = randomBytes(9).toString('base64url');
      await sandbox.update(jarsSpace, id, () => ({ value: {}, result: undefined }));
      const address = addressOf(request, id);
      reply
        .code(201)
        .header('location', address)
        .header('set-cookie', startingCookies(basePathOf(address)));
      return { id, steps: steps.map((step) => `${address}/${step}`), verdict: address };
    },

    async visit(request: OfJar, reply: Reply) {
      const { id } = request.params;
      const { '*': rest } = request.params as unknown as { readonly '*': string };
      const place = (steps as readonly string[]).indexOf(rest.replace(/\/$/, ''));
      if (place < 0) throw new HttpError(404, `The exercise has these steps: ${steps.join(', ')}.`);
      const came = ofExercise(cameWith(request).cookies);
      const next = await note(sandboxOf(request), id, place, came);
      const address = addressOf(request, id);
      if (place > next) {
        throw new HttpError(409, `Another step comes first: ${address}/${steps[next]}`);
      }
      if (place === turningStep) reply.header('set-cookie', turningCookies(basePathOf(address)));
      const following = steps[place + 1];
      return {
        step: rest,
        came,
        next: following === undefined ? address : `${address}/${following}`,
      };
    },

    async judge(request: OfJar) {
      const { id } = request.params;
      const visits = await sandboxOf(request).read(jarsSpace, id);
      if (visits === undefined) throw unknownJar();
      const cookies = judgeJar(visits);
      const next = steps[nextStep(visits)];
      const isComplete = next === undefined;
      const isWrong = cookies.some(({ isRight }) => isRight === false);
      return {
        id,
        isComplete,
        isRight: isWrong ? false : isComplete ? true : null,
        next: next === undefined ? null : `${addressOf(request, id)}/${next}`,
        cookies,
      };
    },
  };
}

/** Notes a first visit in its turn; gives the place of the step that was next. */
async function note(
  sandbox: Sandbox,
  id: string,
  place: number,
  came: Visits[number],
): Promise<number> {
  const next = await sandbox.update(jarsSpace, id, (visits) => {
    if (visits === undefined) return { value: undefined, result: undefined };
    const turn = nextStep(visits);
    // Who comes back may have other cookies by then.
    const value = place === turn ? { ...visits, [place]: came } : visits;
    return { value, result: turn };
  });
  if (next === undefined) throw unknownJar();
  return next;
}

function unknownJar(): HttpError {
  return new HttpError(
    404,
    'There is no exercise of this id in the sandbox. POST /api/http/cookies/jar starts one.',
  );
}
