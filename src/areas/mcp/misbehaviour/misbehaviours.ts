/** The misbehaviours of the server, and what a right client does. */

/** A later request that shows that a client has accepted a misbehaviour. */
export type AcceptedBy =
  /** Only the report of the client tells. */
  | 'report'
  /** A call of the invalid tool. */
  | 'bad-tool'
  /** A request to the canary URL. */
  | 'canary'
  /** Many further pages. */
  | 'many-pages'
  /** A request with Last-Event-ID. */
  | 'resumption'
  /** A request before the time in Retry-After. */
  | 'too-early'
  /** A request of the session that is gone. */
  | 'same-session'
  /** Any further request. */
  | 'further-request'
  /** A third request after two errors. */
  | 'third-request'
  /** A further request of the same list while it is fresh. */
  | 'fresh-list'
  | 'tool-of-other'
  /** The login continues. */
  | 'login';

export interface MisbehaviourRule {
  readonly what: string;
  readonly rightClient: string;
  readonly section: string;
  readonly acceptedBy: AcceptedBy;
  /** Methods whose responses are wrong. */
  readonly methods: readonly string[];
  /** Absent if it is about clients of each revision. */
  readonly only?: 'sessions' | 'stateless';
  /** The misbehaviour of the issuer that it is. */
  readonly issuer?: string;
}

export const countsAsAccepted: Readonly<Record<AcceptedBy, string>> = {
  report: "the client's own report",
  'bad-tool': 'a call of the tool',
  canary: 'a request to the URL',
  'many-pages': 'a request for the twentieth page',
  resumption: 'a request with Last-Event-ID',
  'too-early': 'a request before the time in Retry-After',
  'same-session': 'a request with the same Mcp-Session-Id',
  'further-request': 'a further request other than server/discover',
  'third-request': 'a third request of the same kind',
  'fresh-list': 'a request for the list within ttlMs',
  'tool-of-other': 'a call of the tool with another token',
  login: 'the login continues at the issuer',
};

const calls = ['tools/call'];
const lists = ['tools/list'];
const responses = 'Overview, Responses';
const http = 'Streamable HTTP, Sending Messages';
const mirrored = '2026-07-28, Streamable HTTP, Custom Headers from Tool Parameters';

const ofCall = { methods: calls, acceptedBy: 'report' } as const;
const leavesOut = 'Leaves the tool out, and keeps the others.';
const ofHeader = {
  methods: lists,
  acceptedBy: 'bad-tool',
  section: mirrored,
  rightClient: leavesOut,
} as const;
const ofVersion = { acceptedBy: 'further-request', section: 'Versioning' } as const;
const ofLogin = { methods: [], acceptedBy: 'login' } as const;

const table = {
  'unknown-id': {
    ...ofCall,
    what: 'The result of a call has the id of no request.',
    rightClient: 'Ignores the result, and reports a timeout or an error.',
    section: responses,
  },
  'response-twice': {
    ...ofCall,
    what: 'A call gets two results.',
    rightClient: 'Uses the first result, and ignores the second.',
    section: responses,
  },
  'unexpected-batch': {
    ...ofCall,
    what: 'The response is a batch, also in revisions without batches.',
    rightClient: 'Reports an invalid message. Accepts it only in revision 2025-03-26.',
    section: '2025-06-18, Changelog',
  },
  'unknown-result-type': {
    ...ofCall,
    what: 'The resultType is unknown.',
    rightClient: 'Reports an error instead of a result.',
    section: '2026-07-28, Overview, Result Types',
  },
  'network-ref': {
    methods: lists,
    what: 'The schema of a tool has a $ref to a URL.',
    rightClient: 'Does not fetch it.',
    section: '2026-07-28, Tools, Security Considerations',
    acceptedBy: 'canary',
  },
  'illegal-tool-name': {
    methods: lists,
    what: 'The name of a tool has a space and a bracket.',
    rightClient: leavesOut,
    section: '2025-11-25, Tools, Tool Names',
    acceptedBy: 'bad-tool',
  },
  'header-empty': { ...ofHeader, what: 'x-mcp-header is empty.' },
  'header-space': { ...ofHeader, what: 'x-mcp-header has a space.' },
  'header-colon': { ...ofHeader, what: 'x-mcp-header has a colon.' },
  'header-control': { ...ofHeader, what: 'x-mcp-header has a line break.' },
  'header-non-ascii': { ...ofHeader, what: 'x-mcp-header has a letter beyond ASCII.' },
  'header-duplicate': { ...ofHeader, what: 'Two x-mcp-header differ only in case.' },
  'header-on-object': { ...ofHeader, what: 'x-mcp-header is on an object.' },
  'header-on-number': { ...ofHeader, what: 'x-mcp-header is on a number.' },
  'header-in-items': { ...ofHeader, what: 'x-mcp-header is below items.' },
  'header-in-any-of': { ...ofHeader, what: 'x-mcp-header is below anyOf.' },
  'endless-cursor': {
    methods: lists,
    what: 'Each page of the tools has a nextCursor.',
    rightClient: 'Stops after a limit of pages.',
    section: 'Pagination, Response Format',
    acceptedBy: 'many-pages',
  },
  'cut-stream': {
    methods: calls,
    what: 'The stream ends in the middle of the result.',
    rightClient: 'Reports an error, or sends the request again with a new id.',
    section: http,
    acceptedBy: 'resumption',
  },
  'endless-stream': {
    ...ofCall,
    what: 'The stream has comments, but never a result.',
    rightClient: 'Closes the stream after a timeout.',
    section: 'Lifecycle, Timeouts',
  },
  'foreign-endpoint': {
    methods: [],
    what: 'The event endpoint of /mcp/sse names another origin.',
    rightClient: 'Rejects the stream.',
    section: '2024-11-05, Transports, HTTP with SSE',
    acceptedBy: 'canary',
  },
  'session-gone': {
    methods: calls,
    only: 'sessions',
    what: 'The session is unknown from the first call on: 404.',
    rightClient: 'Begins a new session.',
    section: '2025-11-25, Transports, Session Management',
    acceptedBy: 'same-session',
  },
  'unsubscribed-update': {
    ...ofCall,
    what: 'There is a notification about a resource without a subscription.',
    rightClient: 'Ignores it.',
    section: 'Resources, Subscriptions',
  },
  'decreasing-progress': {
    ...ofCall,
    what: 'The progress decreases from 50 to 20.',
    rightClient: 'Ignores the second notification.',
    section: 'Progress, Progress Flow',
  },
  'icon-script': {
    methods: lists,
    what: 'The icon of a tool is a javascript: URL.',
    rightClient: 'Shows the tool without the icon.',
    section: '2025-11-25, Overview, Icons',
    acceptedBy: 'report',
  },
  'url-elicitation': {
    methods: calls,
    what: 'A call requests that the user opens a URL.',
    rightClient: 'Shows the whole URL, and fetches nothing.',
    section: '2025-11-25, Elicitation, Safe URL Handling',
    acceptedBy: 'canary',
  },
  'changing-list': {
    methods: lists,
    only: 'stateless',
    what: 'The list of tools changes with each request, but is fresh for a minute.',
    rightClient: 'Uses the list that it has until ttlMs is over.',
    section: '2026-07-28, Caching, Time-to-Live (TTL) Field',
    acceptedBy: 'fresh-list',
  },
  'private-list': {
    methods: lists,
    only: 'stateless',
    what: 'The list of tools is fresh for a minute, but private: each token gets its own tool.',
    rightClient: 'Keeps a private list only for the token that it was sent to.',
    section: '2026-07-28, Caching, Cache Scope Field',
    acceptedBy: 'tool-of-other',
  },
  'html-response': {
    ...ofCall,
    what: 'The response is a page with status 200.',
    rightClient: 'Reports an unexpected Content-Type.',
    section: http,
  },
  'too-many-requests': {
    methods: calls,
    what: 'The first call gets 429 with Retry-After, the next one succeeds.',
    rightClient: 'Waits, then sends the request again.',
    section: 'RFC 6585, section 4',
    acceptedBy: 'too-early',
  },
  'header-mismatch': {
    methods: calls,
    only: 'stateless',
    what: 'Each call gets the error -32020.',
    rightClient: 'Sends the request once more, then reports the error.',
    section: '2026-07-28, Streamable HTTP, Server Validation',
    acceptedBy: 'third-request',
  },
  'version-error-2026-07-28': {
    ...ofVersion,
    methods: ['server/discover', 'tools/list', 'tools/call', 'initialize'],
    what: 'Each request gets the error -32022, which lists only the unknown revision 2099-01-01.',
    rightClient: 'Reports that there is no common revision.',
  },
  'version-unknown': {
    ...ofVersion,
    methods: ['initialize'],
    what: 'The result of initialize has the unknown revision 2099-01-01.',
    rightClient: 'Ends the session.',
  },
  'version-error-2025-11-25': {
    ...ofVersion,
    methods: ['initialize'],
    what: 'initialize gets the error -32602, which lists only the revision 2024-10-07.',
    rightClient: 'Reports that there is no common revision.',
  },
  'version-error-2025-06-18': {
    methods: calls,
    only: 'sessions',
    what: 'A call gets 400, because MCP-Protocol-Version is unsupported.',
    rightClient: 'Reports the error.',
    section: '2025-06-18, Transports, Protocol Version Header',
    acceptedBy: 'third-request',
  },
  'version-error-2025-03-26': {
    ...ofVersion,
    methods: ['initialize'],
    what: 'The result of initialize has the old revision 2024-10-07.',
    rightClient: 'Ends the session.',
  },
  'version-error-2024-11-05': {
    ...ofVersion,
    methods: ['initialize'],
    what: 'initialize gets the error -32602 with the text "Unsupported protocol version", without data.',
    rightClient: 'Reports the error.',
  },
  'foreign-resource': {
    ...ofLogin,
    what: 'The metadata of the protected resource names another resource.',
    rightClient: 'Rejects the metadata.',
    section: 'RFC 9728, section 3.3',
  },
  'issuer-differs': {
    ...ofLogin,
    issuer: 'discovery-other-issuer',
    what: 'The metadata of the issuer names another issuer.',
    rightClient: 'Rejects the metadata.',
    section: 'RFC 8414, section 3.3',
  },
  'iss-wrong': {
    ...ofLogin,
    issuer: 'wrong-response-iss',
    what: 'The response to the browser has the iss of another issuer.',
    rightClient: 'Does not redeem the code.',
    section: 'RFC 9207, section 2.4',
  },
  'iss-missing': {
    ...ofLogin,
    issuer: 'missing-response-iss',
    what: 'The response to the browser has no iss, which the metadata promises.',
    rightClient: 'Does not redeem the code.',
    section: 'RFC 9207, section 2.4',
  },
  'iss-repeated': {
    ...ofLogin,
    issuer: 'repeated-response-iss',
    what: 'The response to the browser has iss twice.',
    rightClient: 'Does not redeem the code.',
    section: 'RFC 6749, section 3.1',
  },
} as const satisfies Readonly<Record<string, MisbehaviourRule>>;

export type MisbehaviourName = keyof typeof table;

export const misbehaviourNames = Object.keys(table) as MisbehaviourName[];

export const ruleOf = (name: MisbehaviourName): MisbehaviourRule => table[name];

export function isMisbehaviour(name: unknown): name is MisbehaviourName {
  return typeof name === 'string' && Object.hasOwn(table, name);
}

export function isOfLogin(name: MisbehaviourName): boolean {
  return ruleOf(name).acceptedBy === 'login';
}

export function isOneOf(
  names: readonly MisbehaviourName[],
  name: string,
): name is MisbehaviourName {
  return (names as readonly string[]).includes(name);
}

/** Misbehaviours of the login need a run, or the settings. */
export const queryNames = misbehaviourNames.filter((name) => !isOfLogin(name));

/** Returns the possible misbehaviours: misbehaviours of the login need an issuer. */
export function namesWith(issuer: object | undefined): readonly MisbehaviourName[] {
  return issuer === undefined ? queryNames : misbehaviourNames;
}
