/** Rules about what a client sends for requests of the server, and about canary URLs. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { CheckBudget } from '#json-schema/budget.js';
import { findFaults } from '#json-schema/find-faults.js';
import { advice } from '#kit/verdict/citations.js';
import type { RpcId } from '../messages/message.js';
import { sections } from '../messages/sections.js';
import { formKey, targetOf } from './memory.js';
import { metaOf, type Observed } from './observed.js';
import { type Checked, type ClientRule, checkEach, faultUnless } from './rule.js';

interface KeyedResult {
  /** The id of the request, or {@link formKey}. */
  readonly key: RpcId;
  readonly result: JsonObject;
}

/** Returns results of the client: in responses, and in inputResponses. */
function keyedResults({
  messages,
  requests,
}: Pick<Observed, 'messages' | 'requests'>): readonly KeyedResult[] {
  const replies = messages.flatMap((each) =>
    each.kind === 'reply' && each.result ? [{ key: each.id, result: each.result }] : [],
  );
  const inputs = requests.flatMap(({ params }) => {
    const { inputResponses } = params;
    const sent = Object.entries(isObject(inputResponses) ? inputResponses : {});
    return sent.flatMap(([key, result]) =>
      isObject(result) ? [{ key: formKey(targetOf(params), key), result }] : [],
    );
  });
  return [...replies, ...inputs];
}

const ofResults = (check: (result: JsonObject) => Checked) => (observed: Observed) =>
  checkEach(keyedResults(observed), ({ result }) => check(result));

const inputs: readonly ClientRule[] = [
  {
    level: 'must',
    name: 'elicitation-action',
    section: sections.responseActions,
    what: 'The result of an elicitation has the action accept, decline or cancel.',
    right: 'Send action as accept, decline or cancel.',
    check: ofResults(({ action }) =>
      action === undefined
        ? undefined
        : faultUnless(
            ['accept', 'decline', 'cancel'].includes(String(action)),
            () => `action: ${action}`,
          ),
    ),
  },
  {
    name: 'elicitation-content',
    level: 'should',
    section: sections.formSecurity,
    what: 'The content of an accepted elicitation fits its requestedSchema.',
    right: 'Validate what the user has entered against requestedSchema before you send it.',
    check: ({ memory: { forms }, ...observed }) =>
      checkEach(keyedResults(observed), ({ key, result: { action, content = {} } }) => {
        const form = forms.findLast((each) => each.key === key);
        if (action !== 'accept' || form === undefined) return undefined;
        const { isValid } = findFaults(form.schema, content, new CheckBudget());
        return faultUnless(isValid !== false, () => `content: ${JSON.stringify(content)}`);
      }),
  },
  {
    level: 'must',
    name: 'sampling-result',
    section: sections.sampling,
    what: 'The result of sampling has a role, a content and a model.',
    right: 'Send role, content and model.',
    check: ofResults(({ role, content, model }) =>
      role === undefined
        ? undefined
        : faultUnless(
            ['assistant', 'user'].includes(String(role)) &&
              content !== undefined &&
              typeof model === 'string',
            'role, content or model is missing',
          ),
    ),
  },
  {
    level: 'must',
    name: 'roots-are-files',
    section: sections.roots,
    what: 'The URI of a root is a file URI.',
    right: 'Send uri as file:///path.',
    check: ofResults(({ roots }) =>
      Array.isArray(roots)
        ? faultUnless(
            roots.every((root) => isObject(root) && String(root.uri).startsWith('file://')),
            'another URI',
          )
        : undefined,
    ),
  },
  {
    level: 'must',
    name: 'reply-to-request',
    section: sections.responses,
    what: 'A response of a client has the id of a request of the server.',
    right: 'Return the id of the request unchanged, with the same type.',
    check: ({ messages }) =>
      checkEach(messages, (each) =>
        each.kind === 'reply'
          ? faultUnless(
              /^(?:[\da-f]{12}|main|wrong)-\d+$/.test(String(each.id)),
              () => `id: ${each.id}`,
            )
          : undefined,
      ),
  },
  {
    level: 'must',
    name: 'session-header',
    section: sections.sessionManagement,
    what: 'Messages after initialize have Mcp-Session-Id.',
    right: 'Send the Mcp-Session-Id of the response to initialize.',
    check: ({ isStateless, messages, headers, httpMethod, isOld }) => {
      // A client may look for a stream before initialize, also for the one of 2024-11-05.
      if (isStateless || isOld || !['POST', 'DELETE'].includes(httpMethod)) return undefined;
      const isFirst = messages.some((each) => 'method' in each && each.method === 'initialize');
      if (isFirst || (httpMethod === 'POST' && messages.length === 0)) return undefined;
      return faultUnless(headers['mcp-session-id'] !== undefined, 'no Mcp-Session-Id');
    },
  },
  {
    level: 'must',
    name: 'one-version-in-meta',
    section: sections.versionNegotiation,
    what: 'The protocol version in _meta is a date.',
    right: 'Send a revision such as 2026-07-28.',
    check: (observed) =>
      checkEach(observed.requests, (request) => {
        const version = metaOf(request)['io.modelcontextprotocol/protocolVersion'];
        return typeof version === 'string'
          ? faultUnless(/^\d{4}-\d\d-\d\d$/.test(version), version)
          : undefined;
      }),
  },
  {
    level: 'must',
    name: 'listener-header',
    section: sections.earlierRevisions,
    what: 'A client of 2026-07-28 sends only POST.',
    right: 'Use subscriptions/listen instead of GET, and nothing instead of DELETE.',
    check: ({ httpMethod, headers }) =>
      headers['mcp-protocol-version'] === '2026-07-28'
        ? faultUnless(httpMethod === 'POST', httpMethod)
        : undefined,
  },
];

/** Met with a misbehaviour, and broken by accepting it. */
const never = () => undefined;

/** By the misbehaviour that they are about. */
export const misbehaviourRules = {
  'network-ref': {
    level: 'must',
    name: 'no-network-refs',
    section: sections.refResolution,
    what: 'A client does not fetch a $ref of a schema from the network.',
    right: 'Resolve only references within the schema.',
    check: never,
  },
  'url-elicitation': {
    level: 'must',
    name: 'no-url-prefetch',
    section: sections.safeUrls,
    what: 'A client does not fetch the URL of an elicitation.',
    right: 'Show the URL, and let the user open it.',
    check: never,
  },
  'foreign-endpoint': {
    name: 'endpoint-of-same-origin',
    level: 'advice',
    section: advice,
    what: 'A client sends messages only to the origin of the stream.',
    right: 'Reject an endpoint event of another origin.',
    check: never,
  },
  'changing-list': {
    name: 'list-cached-while-fresh',
    level: 'should',
    section: sections.timeToLive,
    what: 'A client does not request a list again while it is fresh.',
    right: 'Use the list until ttlMs is over, or until a notification says that it changed.',
    check: never,
  },
  'private-list': {
    level: 'must',
    name: 'private-list-not-shared',
    section: sections.cacheScope,
    what: 'A client does not use a private list with another token.',
    right: 'Request the list once more with each token.',
    check: never,
  },
  token: {
    level: 'must',
    name: 'token-only-to-its-server',
    section: sections.tokenHandling,
    what: 'A client sends its token only to the server that it is for.',
    right: 'Send no Authorization header to other URLs.',
    check: never,
  },
} as const satisfies Readonly<Record<string, ClientRule>>;

export const inputRules: readonly ClientRule[] = [...inputs, ...Object.values(misbehaviourRules)];
