/** Limits of GraphQL, of language models, of MCP, of OpenID Connect, and of SOAP. */

import { SignJWT } from 'jose';
import { expect } from 'vitest';
import { subscriptions } from '../../../src/areas/graphql/execution/subscriptions.js';
import { readBodyParameters } from '../../../src/areas/graphql/request/read-parameters.js';
import { cut } from '../../../src/areas/graphql/streams/close-reasons.js';
import { generateValue, NoValue } from '../../../src/areas/llm/model/generate-value.js';
import { readEmbeddings } from '../../../src/areas/llm/openai/embeddings/read-embeddings.js';
import { strictFault } from '../../../src/areas/llm/openai/read/strict-schemas.js';
import {
  findResponse,
  storeResponse,
  turnsUntil,
} from '../../../src/areas/llm/openai/responses/stored-responses.js';
import { dataTools } from '../../../src/areas/mcp/tools/data-tools.js';
import { taskTools } from '../../../src/areas/mcp/tools/task-tools.js';
import { timeTools } from '../../../src/areas/mcp/tools/time-tools.js';
import type { Tool } from '../../../src/areas/mcp/tools/tool.js';
import { Browser } from '../../../src/areas/oidc/authorize/browser.js';
import { verifyClientJwt } from '../../../src/areas/oidc/clients/client-jwt.js';
import { readProof } from '../../../src/areas/oidc/clients/dpop.js';
import { isDocumentUrl } from '../../../src/areas/oidc/model/client-documents.js';
import { rotateRing } from '../../../src/areas/oidc/model/key-ring.js';
import { MessageFields } from '../../../src/areas/signatures/messages/message-fields.js';
import { checkFreshness } from '../../../src/areas/soap/security/check-times.js';
import { decodeXml } from '../../../src/http/xml/decode-xml.js';
import { CheckBudget } from '../../../src/json-schema/budget.js';
import { findFaults } from '../../../src/json-schema/find-faults.js';
import { createMemoryState } from '../../../src/state/memory/memory-state.js';
import { issuerAt, usualRequest } from '../../support/oidc.js';
import type { TestService } from '../../support/service.js';
import { isWithout, type Rule } from './rule.js';

const embeddings = 'areas/llm/openai/embeddings/read-embeddings.ts';
const countdown = (args: object) =>
  subscriptions.countdown?.(args as never, { signal: AbortSignal.abort() } as never);

/** Whether the schema of a tool accepts arguments, as each call of it is checked. */
function acceptsArguments(tools: readonly Tool[], name: string, args: object): boolean {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return findFaults(tool.inputSchema, args, new CheckBudget()).isValid === true;
}

const embed = (more: object) => readEmbeddings({ model: 'practice-embed', ...more } as never);

/** Whether the issuer shows the login page, instead of a redirect with an error. */
async function isAuthorized(
  service: TestService,
  fields: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { authorize } = issuerAt(service, '/s/bounds-of-issuer');
  const { status, headers } = await authorize(usualRequest(fields));
  if (status === 303 && /[?&]error=/.test(headers.location ?? '')) return false;
  expect(status).toBe(200);
  return true;
}

/** Inputs of 8,192 tokens, the largest, and one with the rest. */
const inputsOf = (tokens: number) => [
  ...Array(Math.floor(tokens / 8192)).fill(Array(8192).fill(1)),
  Array(tokens % 8192).fill(1),
];

/** Returns a strict schema with a fault at this depth. */
function faultyAt(depth: number): object {
  let schema: object = { type: 'object' };
  for (let level = 0; level < depth; level++) schema = { type: 'array', items: schema };
  return schema;
}

export const protocolRules: readonly Rule[] = [
  {
    limit: 'areas/graphql/execution/subscriptions.ts#maxFrom',
    value: 1000,
    accepts: (size) => isWithout(/from/, () => countdown({ from: size })),
  },
  {
    limit: 'areas/graphql/execution/subscriptions.ts#maxIntervalSeconds',
    value: 60,
    accepts: (size) => isWithout(/interval/, () => countdown({ from: 1, interval: size })),
  },
  {
    limit: 'areas/graphql/request/read-parameters.ts#maxOperationId',
    value: 200,
    accepts(size) {
      const operationId = 'x'.repeat(size);
      const body = { query: '{books{title}}', extensions: { operationId } };
      return readBodyParameters(body).operationId === operationId;
    },
  },
  {
    limit: 'areas/graphql/streams/close-reasons.ts#maxReasonBytes',
    value: 123,
    accepts: (size) => cut('x'.repeat(size)).length === size,
  },
  {
    limit: 'areas/llm/model/generate-value.ts#maxMembers',
    value: 50_000,
    accepts(size) {
      // The schema itself counts as one.
      const members = Array.from({ length: size - 2 }, (_, place) => [`x${place}`, 1]);
      try {
        generateValue({ type: 'null', ...Object.fromEntries(members) });
        return true;
      } catch (error) {
        if (error instanceof NoValue) return false;
        throw error;
      }
    },
  },
  {
    limit: `${embeddings}#maxAllTokens`,
    value: 300_000,
    accepts: (size) => isWithout(/300000/, () => embed({ input: inputsOf(size), dimensions: 1 })),
  },
  {
    limit: `${embeddings}#maxNumbers`,
    value: 65_536,
    // The next number is a prime; 65,540 is the next that callers can request.
    accepts: (size) =>
      isWithout(/at most 65536 numbers/, () =>
        size === 65_536
          ? embed({ input: Array(64).fill('a'), dimensions: 1024 })
          : embed({ input: Array(113).fill('a'), dimensions: 580 }),
      ),
  },
  {
    limit: 'areas/llm/openai/read/strict-schemas.ts#maxDepth',
    value: 100,
    accepts: (size) => strictFault(faultyAt(size)) !== undefined,
  },
  {
    limit: 'areas/llm/openai/responses/item-turns.ts#maxCharacters',
    value: 1024 * 1024,
    async accepts(size) {
      const sandbox = createMemoryState({ clock: Date.now }).sandbox('s');
      const turn = (length: number) => ({ role: 'user', text: 'x'.repeat(length) });
      const stored = { response: { id: 'resp_a' }, items: [], turns: [turn(1000)] };
      await storeResponse(sandbox, stored as never);
      return isWithout(/at most 1048576 characters in a conversation/, () =>
        turnsUntil(sandbox, 'resp_a', [turn(size - 1000)] as never),
      );
    },
  },
  {
    limit: 'areas/llm/openai/responses/stored-responses.ts#maxResponses',
    value: 100,
    async accepts(size) {
      const sandbox = createMemoryState({ clock: Date.now }).sandbox('s');
      for (let number = 0; number < size; number++) {
        const response = { id: `resp_${number}` };
        await storeResponse(sandbox, { response, items: [], turns: [] } as never);
      }
      return findResponse(sandbox, 'resp_0').then(
        () => true,
        () => false,
      );
    },
  },
  {
    limit: 'areas/mcp/tools/data-tools.ts#maxListed',
    value: 100,
    accepts: (size) =>
      acceptsArguments(dataTools, 'list_records', { collection: 'books', limit: size }),
  },
  {
    limit: 'areas/mcp/tools/task-tools.ts#maxSeconds',
    value: 300,
    accepts: (size) => acceptsArguments(taskTools, 'slow_compute', { seconds: size }),
  },
  {
    limit: 'areas/mcp/tools/time-tools.ts#maxOffsetSeconds',
    value: 10 * 366 * 86_400,
    accepts: (size) => acceptsArguments(timeTools, 'move_clock', { offsetSeconds: size }),
  },
  {
    limit: 'areas/mcp/tools/time-tools.ts#maxOffsetSeconds',
    of: 'into the past',
    value: 10 * 366 * 86_400,
    accepts: (size) => acceptsArguments(timeTools, 'move_clock', { offsetSeconds: -size }),
  },
  {
    limit: 'areas/mcp/tools/time-tools.ts#maxSeconds',
    value: 60,
    accepts: (size) => acceptsArguments(timeTools, 'countdown', { seconds: size }),
  },
  {
    limit: 'areas/oidc/authorize/authorization-request.ts#maxClaimsLength',
    value: 2048,
    accepts: (size, service) => isAuthorized(service, { claims: '{}'.padEnd(size) }),
  },
  {
    limit: 'areas/oidc/authorize/authorization-request.ts#maxLength',
    value: 8192,
    accepts(size, service) {
      const rest = Object.entries(usualRequest({ nonce: '' }))
        .flat()
        .join('').length;
      return isAuthorized(service, { nonce: 'x'.repeat(size - rest) });
    },
  },
  {
    limit: 'areas/oidc/authorize/browser.ts#maxCookieLength',
    value: 100,
    accepts(size) {
      const headers = { cookie: `oidc_session=${'x'.repeat(size)}` };
      return new Browser({ request: { headers } } as never).sessionKey !== undefined;
    },
  },
  {
    limit: 'areas/oidc/clients/client-jwt.ts#maxLifeSeconds',
    value: 3600,
    async accepts(size) {
      const secret = 'x'.repeat(32);
      const jwt = await new SignJWT({ iss: 'a', exp: 1000 + size })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(secret));
      const client = { clientId: 'a', jwks: undefined, secret };
      return typeof (await verifyClientJwt(jwt, client, 1_000_000, {})) !== 'string';
    },
  },
  {
    limit: 'areas/oidc/clients/dpop.ts#maxLength',
    value: 4096,
    accepts: async (size) =>
      (await readProof('x'.repeat(size), {} as never)) !==
      'The DPoP proof has more than 4096 characters',
  },
  {
    limit: 'areas/oidc/model/key-ring.ts#maxRetired',
    value: 30,
    accepts(size) {
      const retired = Array.from({ length: size }, () => ({ publicJwk: {}, untilMs: 10 }));
      const { result } = rotateRing({ current: [], retired }, [], 0, 10, 0);
      return result.ring.retired.length === size;
    },
  },
  {
    limit: 'areas/oidc/model/client-documents.ts#maxUrlLength',
    value: 500,
    accepts: (size) => isDocumentUrl(`https://a.example/${'x'.repeat(size - 18)}`),
  },
  {
    limit: 'areas/signatures/messages/message-fields.ts#maxParsedLength',
    value: 16_384,
    accepts(size) {
      const fields = new MessageFields([
        ['a', 'a=1'],
        ['b', 'x'.repeat(size - 'a=1'.length)],
      ]);
      fields.dictionaryOf('a');
      return isWithout(/at most 16384 characters/, () => fields.dictionaryOf('b'));
    },
  },
  {
    limit: 'areas/soap/security/check-times.ts#maxTimeLength',
    // The longest time that is valid; no longer one is, whatever the limit.
    value: '2027-03-12T18:00:00.123456789+00:00'.length,
    accepts(size) {
      const text = `2027-03-12T18:00:00.${'1'.repeat(size - 26)}+00:00`;
      const created = { name: 'Created', namespace: '', attributes: [], children: [], text };
      return isWithout(/must be a time/, () =>
        checkFreshness(created as never, Date.parse('2027-03-12T18:00:00Z')),
      );
    },
  },
  {
    limit: 'http/xml/decode-xml.ts#maxDeclarationBytes',
    value: 256,
    accepts(size) {
      const start = '<?xml version="1.0"';
      const end = ' encoding="iso-8859-1"';
      const declaration = `${start}${end.padStart(size - start.length)}`;
      const xml = Buffer.from(`${declaration}?><a>é</a>`, 'latin1');
      return isWithout(/UTF-8/, () => decodeXml(xml, undefined));
    },
  },
];
