/** Metadata of protected addresses whose login misbehaves (RFC 9728). */

import { Type } from 'typebox';
import { rejectOtherSpelling } from '#http/address/exact-url.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import type { IssuerSteering } from '#kit/offers/issuer.js';
import { addressesPath, protectedPath } from '../exchange/protect.js';
import { caseOf, isMisbehaviour, isOfLogin } from '../misbehaviour/misbehaviours.js';
import { looseRun, mcpRuns, meetStep } from '../misbehaviour/runs.js';

const text = Type.String();

/** The issuer of a login that is right but for the resource. */
export const rightStep = 'unknown-members';

export const metadataEndpoint = ({ issuerAt }: IssuerSteering) =>
  endpoint('GET', `/.well-known/oauth-protected-resource${addressesPath}/:run/:name`, {
    // The test plan has its URL.
    hide: true,
    params: { run: text, name: text },
    before: rejectOtherSpelling,
    responses: {
      200: Type.Object(
        {
          resource: text,
          authorization_servers: Type.Array(text),
          scopes_supported: Type.Array(text),
        },
        { title: 'McpResource' },
      ),
      ...failures(404),
    },
    async handle(request) {
      const { params, sandbox, baseUrl } = request;
      const { run, name } = params;
      const stored = run === looseRun ? undefined : await sandbox.read(mcpRuns.space, run);
      if (!isMisbehaviour(name) || !isOfLogin(name) || (run !== looseRun && !stored)) {
        throw new HttpError(404, 'Unknown run. Start one with POST /mcp/test-plan/runs.');
      }
      await meetStep(request, { run, name }, (step, nowMs) => ({ ...step, metAtMs: nowMs }));
      const path = run === looseRun ? protectedPath : `${addressesPath}/${run}/${name}`;
      const { issuer = rightStep, resource } = caseOf(name);
      return {
        resource: resource?.(baseUrl) ?? `${baseUrl}${path}`,
        authorization_servers: [issuerAt(baseUrl, stored?.issuerRun, issuer)],
        scopes_supported: ['mcp:read', 'mcp:write'],
      };
    },
  });
