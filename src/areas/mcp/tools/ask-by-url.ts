/** A tool that asks the user to open a page of this service: elicitation in the mode url. */

import { isObject } from '#base/json-object.js';
import { noteElicitation } from '../judge/watch.js';
import { notification } from '../messages/message.js';
import { Cancelled } from '../messages/rpc-error.js';
import { ask, NeedsInput, requireCapabilities } from '../model/ask.js';
import {
  acceptPage,
  createPage,
  type PageStep,
  pageSteps,
  waitForPage,
} from '../model/asked-pages.js';
import { type Call, writeLog } from '../model/call.js';
import { argumentsOf, errorResult, readOnly, type Tool, textResult } from './tool.js';

/** Below it are the pages, by the id of the elicitation. */
export const askedPagePath = '/mcp/elicitations';

const usualSeconds = 50;

const requestOf = ({ baseUrl }: Call, id: string) => ({
  method: 'elicitation/create' as const,
  params: {
    mode: 'url',
    message: 'Open this page.',
    url: `${baseUrl}${askedPagePath}/${id}`,
    elicitationId: id,
  },
});

export const askByUrl: Tool = {
  name: 'ask_user_by_url',
  title: 'Ask the user at a URL',
  description: 'Asks the user to open a page of this service, and waits until the page is open.',
  inputSchema: argumentsOf(
    {
      until: { type: 'string', enum: pageSteps, default: 'opened' },
      seconds: { type: 'integer', minimum: 1, maximum: 240, default: usualSeconds },
    },
    [],
  ),
  annotations: readOnly,
  async run({ until = 'opened', seconds = usualSeconds }, call) {
    const { state, sandbox } = call;
    if (!isObject(state) || typeof state.page !== 'string') return askFirst(call);
    const { page: id } = state;
    const { user } = ask(call, { user: requestOf(call, id) }, { page: id });
    await noteElicitation(sandbox, id, `the user responded with ${user.action}`);
    if (user.action !== 'accept') return textResult(`The user responded with ${user.action}.`);
    // The user has agreed, which does not mean that the page is open.
    await acceptPage(sandbox, id);
    const wanted: readonly PageStep[] = until === 'completed' ? ['completed'] : pageSteps;
    const step = await waitFor(call, id, wanted, Number(seconds));
    if (step === undefined) {
      return errorResult(`The user agreed, but the page was not ${until} within ${seconds} s.`);
    }
    await writeLog(call, 'info', { elicitationId: id, page: step });
    if (call.revision === '2025-11-25') {
      const params = { elicitationId: id };
      await call.channel.send(notification('notifications/elicitation/complete', params));
    }
    return textResult(`The user agreed, and the page was ${step}.`);
  },
};

async function askFirst(call: Call): Promise<never> {
  const id = await createPage(call.sandbox);
  const requests = { user: requestOf(call, id) };
  requireCapabilities(call, requests);
  throw new NeedsInput(requests, { page: id });
}

async function waitFor(
  { sandbox, channel }: Call,
  id: string,
  wanted: readonly PageStep[],
  seconds: number,
) {
  const { signal } = channel.hold();
  const end = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  const step = await waitForPage(sandbox, id, wanted, end);
  if (signal.aborted) throw new Cancelled();
  return step;
}
