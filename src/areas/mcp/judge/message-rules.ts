/** Rules about JSON-RPC messages and their parameters. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { isRpcId } from '../messages/message.js';
import { sections } from '../messages/sections.js';
import { isLogLevel } from '../model/call.js';
import { metaOf, type Observed, rawMessages } from './observed.js';
import { type Checked, type ClientRule, checkEach, faultUnless } from './rule.js';

const shown = (value: unknown) => JSON.stringify(value) ?? 'nothing';

const ofMessages = (check: (message: JsonObject) => Checked) => (observed: Observed) =>
  checkEach(rawMessages(observed), check);

/** Checks requests and notifications of some methods. */
const ofMethods =
  (methods: readonly string[], check: (params: JsonObject, observed: Observed) => Checked) =>
  (observed: Observed): Checked =>
    checkEach(
      observed.messages.filter((each) => each.kind !== 'reply'),
      ({ method, params }) => (methods.includes(method) ? check(params, observed) : undefined),
    );

const envelope: readonly ClientRule[] = [
  {
    level: 'must',
    name: 'jsonrpc-version',
    section: sections.messages,
    what: 'jsonrpc is "2.0".',
    right: 'Send "jsonrpc": "2.0" in each message.',
    check: ofMessages(({ jsonrpc }) =>
      faultUnless(jsonrpc === '2.0', () => `jsonrpc: ${shown(jsonrpc)}`),
    ),
  },
  {
    level: 'must',
    name: 'id-type',
    section: sections.requests,
    what: 'An id is a string or an integer, and not null.',
    right: 'Send a string or an integer as id.',
    check: ofMessages(({ id }) =>
      id === undefined ? undefined : faultUnless(isRpcId(id), () => `id: ${shown(id)}`),
    ),
  },
  {
    level: 'must',
    name: 'params-object',
    section: sections.messages,
    what: 'params is an object.',
    right: 'Send params as an object, or omit it.',
    check: ofMessages(({ params }) =>
      params === undefined
        ? undefined
        : faultUnless(isObject(params), () => `params: ${shown(params)}`),
    ),
  },
  {
    level: 'must',
    name: 'notification-without-id',
    section: sections.notifications,
    what: 'A notification has no id.',
    right: 'Omit id in messages whose method begins with notifications/.',
    check: ofMessages(({ id, method }) =>
      typeof method === 'string' && method.startsWith('notifications/')
        ? faultUnless(id === undefined, () => `${method} with the id ${shown(id)}`)
        : undefined,
    ),
  },
  {
    level: 'must',
    name: 'request-with-id',
    section: sections.requests,
    what: 'A request has an id.',
    right: 'Send an id with each request.',
    check: ofMessages(({ id, method }) =>
      typeof method === 'string' && !method.startsWith('notifications/')
        ? faultUnless(id !== undefined, () => `${method} without id`)
        : undefined,
    ),
  },
  {
    level: 'must',
    name: 'result-or-error',
    section: sections.responses,
    what: 'A response has either a result or an error.',
    right: 'Send result for success, and error for a failure.',
    check: ofMessages(({ method, id, result, error }) =>
      method === undefined && id !== undefined
        ? faultUnless((result === undefined) !== (error === undefined), 'both, or none')
        : undefined,
    ),
  },
  {
    level: 'must',
    name: 'error-form',
    section: sections.errorResponses,
    what: 'An error has an integer as code, and a message.',
    right: 'Send error as {"code": integer, "message": text}.',
    check: ofMessages(({ error }) =>
      error === undefined
        ? undefined
        : faultUnless(
            isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string',
            () => `error: ${shown(error)}`,
          ),
    ),
  },
];

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const clientKey = 'io.modelcontextprotocol/clientInfo';
const levelKey = 'io.modelcontextprotocol/logLevel';

const isImplementation = (value: unknown) =>
  isObject(value) && typeof value.name === 'string' && typeof value.version === 'string';

const ofStateless =
  (check: (meta: JsonObject) => Checked) =>
  (observed: Observed): Checked =>
    observed.isStateless
      ? checkEach(observed.requests, (request) => check(metaOf(request)))
      : undefined;

const prefix = '(?:[a-z](?:[a-z\\d-]*[a-z\\d])?(?:\\.[a-z](?:[a-z\\d-]*[a-z\\d])?)*/)?';
const metaKey = new RegExp(`^${prefix}(?:[a-z\\d](?:[\\w.-]*[a-z\\d])?)?$`, 'i');

const meta: readonly ClientRule[] = [
  {
    level: 'must',
    name: 'meta-version',
    section: sections.metaOfRequests,
    what: '_meta has the protocol version.',
    right: `Send _meta with ${versionKey}.`,
    check: ofStateless((meta) =>
      faultUnless(typeof meta[versionKey] === 'string', () => shown(meta[versionKey])),
    ),
  },
  {
    level: 'must',
    name: 'meta-capabilities',
    section: sections.metaOfRequests,
    what: '_meta has the capabilities of the client.',
    right: `Send _meta with ${capabilitiesKey}; it may be empty.`,
    check: ofStateless((meta) =>
      faultUnless(isObject(meta[capabilitiesKey]), () => shown(meta[capabilitiesKey])),
    ),
  },
  {
    name: 'meta-client',
    level: 'should',
    section: sections.metaOfRequests,
    what: '_meta should name the client.',
    right: `Send _meta with ${clientKey}, which has a name and a version.`,
    check: ofStateless((meta) =>
      faultUnless(isImplementation(meta[clientKey]), () => shown(meta[clientKey])),
    ),
  },
  {
    level: 'must',
    name: 'meta-log-level',
    section: sections.logLevelOfRequest,
    what: 'A log level in _meta is a known one.',
    right: 'Send debug, info, notice, warning, error, critical, alert or emergency.',
    check: ofStateless(({ [levelKey]: level }) =>
      level === undefined ? undefined : faultUnless(isLogLevel(level), () => shown(level)),
    ),
  },
  {
    level: 'must',
    name: 'meta-keys',
    section: sections.meta,
    what: 'Keys of _meta have an optional prefix and a name.',
    right: 'Write keys as com.example/name.',
    check: (observed) =>
      checkEach(observed.requests, (request) =>
        checkEach(Object.keys(metaOf(request)), (key) => faultUnless(metaKey.test(key), key)),
      ),
  },
  {
    level: 'must',
    name: 'progress-token',
    section: sections.progressFlow,
    what: 'A progress token is a string or an integer.',
    right: 'Send progressToken as a string or an integer.',
    check: (observed) =>
      checkEach(observed.requests, (request) => {
        const { progressToken } = metaOf(request);
        return progressToken === undefined
          ? undefined
          : faultUnless(isRpcId(progressToken), () => shown(progressToken));
      }),
  },
];

const text = (value: unknown) => typeof value === 'string';
const texts = (value: unknown) => Array.isArray(value) && value.every(text);

/** A rule about one parameter of some methods. */
interface ParameterRule extends Pick<ClientRule, 'name' | 'level' | 'section' | 'right'> {
  readonly methods: readonly string[];
  readonly parameter: string;
  readonly isRight: (value: unknown) => boolean;
  readonly isOptional?: true;
}

const parameters: readonly ParameterRule[] = [
  {
    level: 'must',
    name: 'initialize-version',
    section: sections.initialization,
    right: 'Send protocolVersion as a date, such as 2025-11-25.',
    methods: ['initialize'],
    parameter: 'protocolVersion',
    isRight: (value) => text(value) && /^\d{4}-\d\d-\d\d$/.test(String(value)),
  },
  {
    level: 'must',
    name: 'initialize-capabilities',
    section: sections.initialization,
    right: 'Send capabilities as an object; it may be empty.',
    methods: ['initialize'],
    parameter: 'capabilities',
    isRight: isObject,
  },
  {
    level: 'must',
    name: 'initialize-client',
    section: sections.initialization,
    right: 'Send clientInfo with a name and a version.',
    methods: ['initialize'],
    parameter: 'clientInfo',
    isRight: isImplementation,
  },
  {
    level: 'must',
    name: 'name-of-call',
    section: sections.callingTools,
    right: 'Send name as a text.',
    methods: ['tools/call', 'prompts/get'],
    parameter: 'name',
    isRight: text,
  },
  {
    level: 'must',
    name: 'arguments-object',
    section: sections.callingTools,
    right: 'Send arguments as an object, or omit them.',
    methods: ['tools/call', 'prompts/get'],
    parameter: 'arguments',
    isRight: isObject,
    isOptional: true,
  },
  {
    level: 'must',
    name: 'prompt-arguments-text',
    section: sections.gettingPrompts,
    right: 'Send each argument of a prompt as a text.',
    methods: ['prompts/get'],
    parameter: 'arguments',
    isRight: (value) => isObject(value) && Object.values(value).every(text),
    isOptional: true,
  },
  {
    level: 'must',
    name: 'resource-uri',
    section: sections.readingResources,
    right: 'Send uri as an absolute URI.',
    methods: ['resources/read', 'resources/subscribe', 'resources/unsubscribe'],
    parameter: 'uri',
    isRight: (value) => text(value) && URL.canParse(String(value)),
  },
  {
    level: 'must',
    name: 'cursor-text',
    section: sections.paginationRequests,
    right: 'Send cursor as the nextCursor of the previous page, unchanged.',
    methods: ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
    parameter: 'cursor',
    isRight: text,
    isOptional: true,
  },
  {
    level: 'must',
    name: 'log-level',
    section: sections.settingLogLevel,
    right: 'Send a level of RFC 5424.',
    methods: ['logging/setLevel'],
    parameter: 'level',
    isRight: isLogLevel,
  },
  {
    level: 'must',
    name: 'completion-reference',
    section: sections.referenceTypes,
    right: 'Send ref with the type ref/prompt or ref/resource.',
    methods: ['completion/complete'],
    parameter: 'ref',
    isRight: (value) =>
      isObject(value) && (value.type === 'ref/prompt' || value.type === 'ref/resource'),
  },
  {
    level: 'must',
    name: 'completion-argument',
    section: sections.requestingCompletions,
    right: 'Send argument with a name and a value, which are texts.',
    methods: ['completion/complete'],
    parameter: 'argument',
    isRight: (value) => isObject(value) && text(value.name) && text(value.value),
  },
  {
    level: 'must',
    name: 'cancelled-id',
    section: sections.cancellationFlow,
    right: 'Send requestId, the id of a request in progress.',
    methods: ['notifications/cancelled'],
    parameter: 'requestId',
    isRight: isRpcId,
  },
  {
    level: 'must',
    name: 'input-responses',
    section: sections.inputResponses,
    right: 'Send inputResponses as an object with the keys of inputRequests.',
    methods: ['tools/call', 'prompts/get', 'resources/read', 'tasks/update'],
    parameter: 'inputResponses',
    isRight: (value) => isObject(value) && Object.values(value).every(isObject),
    isOptional: true,
  },
  {
    level: 'must',
    name: 'request-state-text',
    section: sections.inputClient,
    right: 'Send requestState as the text that the result had.',
    methods: ['tools/call', 'prompts/get', 'resources/read'],
    parameter: 'requestState',
    isRight: text,
    isOptional: true,
  },
  {
    level: 'must',
    name: 'subscription-filter',
    section: sections.notificationFilter,
    right: 'Send notifications with booleans, and resourceSubscriptions with URIs.',
    methods: ['subscriptions/listen'],
    parameter: 'notifications',
    isRight: (value) =>
      isObject(value) &&
      Object.entries(value).every(([name, each]) =>
        ['resourceSubscriptions', 'taskIds'].includes(name)
          ? texts(each)
          : typeof each === 'boolean',
      ),
  },
];

const parameterRules = parameters.map(
  ({ methods, parameter, isRight, isOptional, ...rule }): ClientRule => ({
    ...rule,
    what: `${parameter} of ${methods.join(', ')} has its form.`,
    check: ofMethods(methods, ({ [parameter]: value }) =>
      value === undefined && isOptional
        ? undefined
        : faultUnless(isRight(value), () => `${parameter}: ${shown(value)}`),
    ),
  }),
);

const removed = [
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
];

const others: readonly ClientRule[] = [
  {
    level: 'must',
    name: 'removed-methods',
    section: sections.changes,
    what: 'A request of 2026-07-28 has a method of that revision.',
    right: 'Use server/discover, _meta and subscriptions/listen instead.',
    check: (observed) =>
      observed.isStateless
        ? checkEach(observed.requests, ({ method }) =>
            faultUnless(!removed.includes(method), method),
          )
        : undefined,
  },
  {
    level: 'must',
    name: 'state-only-in-retries',
    section: sections.inputClient,
    what: 'requestState and inputResponses are only in requests that support them.',
    right: 'Send them only with the retry of tools/call, prompts/get or resources/read.',
    check: (observed) =>
      checkEach(observed.requests, ({ method, params }) => {
        const isSent = 'requestState' in params || 'inputResponses' in params;
        if (!isSent || method === 'tasks/update') return undefined;
        return faultUnless(
          ['tools/call', 'prompts/get', 'resources/read'].includes(method),
          method,
        );
      }),
  },
];

export const messageRules: readonly ClientRule[] = [
  ...envelope,
  ...meta,
  ...parameterRules,
  ...others,
];
