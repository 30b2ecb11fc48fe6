/** The settings of a sandbox's issuer: endpoints that read and replace them. */

import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import type { Transaction } from '#state/state.js';
import { accessTokens } from '../model/grants.js';
import {
  defaultLifetimes,
  type IssuerSettings,
  type KeptSettings,
  settingsIn,
  settingsOf,
  settingsSchema,
  writeSettings,
} from '../model/issuer-settings.js';
import { checkSettings } from './check-settings.js';
import { type Fetches, fetchesOf } from './count-fetches.js';

const path = '/api/sandbox/oidc';

const inOwnSandbox = 'Requires a named sandbox; the shared one gets 403.';

export function settingsEndpoints(): readonly Endpoint[] {
  const sandboxOf = (request: Request) => ownSandbox(request, 'Settings of an issuer need');
  return [
    endpoint('GET', path, {
      summary: 'Get the issuer settings of the sandbox',
      description: inOwnSandbox,
      responses: { 200: settingsSchema, ...failures(403) },
      async handle(request) {
        const sandbox = sandboxOf(request);
        return describe(await settingsOf(sandbox), await fetchesOf(sandbox));
      },
    }),
    endpoint('PUT', path, {
      summary: 'Set users, clients, scopes, lifetimes and a misbehaviour',
      description: `Users and clients are added to the default ones; one with the same name replaces it. Omitted members get their defaults. ${inOwnSandbox}`,
      maxJsonValues: 5000,
      before: (request) => void sandboxOf(request),
      body: settingsSchema,
      responses: { 200: settingsSchema, ...failures(400, 403, 413, 415) },
      async handle(request) {
        const sandbox = sandboxOf(request);
        const { body } = request;
        const errors = checkSettings(body);
        if (errors.length > 0) {
          const message = errors.map((each) => each.message).join(' ');
          throw new HttpError(400, message, { body: { errors } });
        }
        const kept = await sandbox.transact((view) => replaceSettings(view, body));
        return describe(kept, await fetchesOf(sandbox));
      },
    }),
  ];
}

function replaceSettings(view: Transaction, given: IssuerSettings): KeptSettings {
  const former = settingsIn(view);
  const longest = 1000 * Math.max(former.lifetimes.access, former.lifetimes.id);
  // Removed keys must remain for everything they signed until now.
  const hasSigned = view.entries(accessTokens).length > 0;
  const signedBeforeUntilMs = Math.max(
    former.signedBeforeUntilMs ?? 0,
    hasSigned ? view.nowMs + longest : 0,
  );
  const kept: KeptSettings = {
    users: given.users ?? [],
    lifetimes: { ...defaultLifetimes, ...given.lifetimes },
    clients: given.clients ?? [],
    misbehave: given.misbehave ?? null,
    scopes: given.scopes ?? [],
    unregisteredScopes: given.unregisteredScopes ?? 'narrow',
    resources: given.resources ?? [],
    clientDocuments: given.clientDocuments,
    jwksMaxAge: given.jwksMaxAge,
    discoveryMaxAge: given.discoveryMaxAge,
    ...(signedBeforeUntilMs > view.nowMs && { signedBeforeUntilMs }),
  };
  writeSettings(view, kept);
  return kept;
}

/** Describes the settings in the form that PUT accepts. */
function describe({ signedBeforeUntilMs: _, ...settings }: KeptSettings, fetches: Fetches) {
  return { ...settings, fetches };
}
