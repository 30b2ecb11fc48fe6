/** Subscriptions of the stateless revision: a request whose response stays open. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { turns } from '#base/work-in-turns.js';
import { notification, type RpcId } from '../messages/message.js';
import { invalidParams } from '../messages/rpc-error.js';
import { ChangeWatch, changeMessage, type Interest } from '../methods/watch-changes.js';
import type { Call } from '../model/call.js';
import { requireTasks } from '../tools/tasks.js';
import type { ResponseStream } from './response-stream.js';

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

/** Limit for one subscription. */
const maxUris = 100;

const flags = {
  toolsListChanged: 'tools',
  promptsListChanged: 'prompts',
  resourcesListChanged: 'resources',
} as const;

function readFilter({ notifications }: JsonObject): { accepted: JsonObject; interest: Interest } {
  if (!isObject(notifications)) throw invalidParams('notifications must be an object.');
  const accepted: Record<string, unknown> = {};
  const interest = { tools: false, prompts: false, resources: false, uris: [] as string[] };
  for (const [flag, list] of Object.entries(flags)) {
    const wanted = notifications[flag];
    if (wanted !== undefined && typeof wanted !== 'boolean') {
      throw invalidParams(`notifications.${flag} must be a boolean.`);
    }
    if (wanted !== true) continue;
    accepted[flag] = true;
    interest[list] = true;
  }
  const { resourceSubscriptions: uris } = notifications;
  if (uris !== undefined) {
    if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) {
      throw invalidParams('notifications.resourceSubscriptions must be a list of URIs.');
    }
    if (uris.length > maxUris) {
      throw invalidParams(`notifications.resourceSubscriptions has at most ${maxUris} URIs.`);
    }
    accepted.resourceSubscriptions = uris;
    interest.uris = uris;
  }
  return { accepted, interest };
}

/** Sends notifications until the client leaves, or the service stops. */
export async function listen(call: Call, id: RpcId, stream: ResponseStream): Promise<JsonObject> {
  const { notifications } = call.params;
  if (isObject(notifications) && notifications.taskIds !== undefined) requireTasks(call);
  const { accepted, interest } = readFilter(call.params);
  await turns.whenFree();
  const watch = await ChangeWatch.begin(call.sandbox, interest);
  const _meta = { [subscriptionKey]: id };
  const { signal } = stream.hold();
  await stream.send(
    notification('notifications/subscriptions/acknowledged', { _meta, notifications: accepted }),
  );
  while (!signal.aborted) {
    await watch.wait(signal);
    const changes = signal.aborted ? [] : await watch.read(interest);
    for (const change of changes) await stream.send(changeMessage(change, { _meta }));
  }
  return { resultType: 'complete', _meta };
}
