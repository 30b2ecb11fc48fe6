/** The settings of a sandbox's issuer: reading them, and putting others in their place. */

import type { Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import type { App } from '../../../kit/app.js';
import { ownSandbox } from '../../../kit/own-sandbox.js';
import type { Transaction } from '../../../state/state.js';
import { lifetimes } from '../lifetimes.js';
import type { MisbehaviourName } from '../misbehaviour/misbehaviours.js';
import { accessTokens } from '../token/grants.js';
import { checkSettings } from './check-settings.js';
import {
  type KeptSettings,
  noSettings,
  settingsKey,
  settingsOf,
  settingsSpace,
} from './issuer-settings.js';
import { type IssuerSettings, putSettings, readSettings } from './settings-schema.js';

const path = '/api/sandbox/oidc';

export function addSettingsRoutes(app: App): void {
  const sandboxOf = (request: Request) => ownSandbox(request, 'An issuer has settings in');
  app.get(path, { schema: readSettings }, async (request) =>
    told(await settingsOf(sandboxOf(request))),
  );
  app.put(path, { schema: putSettings, config: { maxJsonValues: 5000 } }, async (request) => {
    const sandbox = sandboxOf(request);
    const errors = checkSettings(request.body);
    if (errors.length > 0) {
      const message = errors.map((each) => each.message).join(' ');
      throw new HttpError(400, message, { body: { errors } });
    }
    return told(await sandbox.transact((view) => writeSettings(view, request.body)));
  });
}

function writeSettings(view: Transaction, given: IssuerSettings): KeptSettings {
  const former = view.read(settingsSpace, settingsKey) ?? noSettings;
  const longest = 1000 * Math.max(former.lifetimes.access, former.lifetimes.id);
  // Whatever was signed until now lives as long as it was said to: keys that go must stay for it.
  const hasSigned = view.entries(accessTokens).length > 0;
  const signedBeforeUntilMs = Math.max(
    former.signedBeforeUntilMs ?? 0,
    hasSigned ? view.nowMs + longest : 0,
  );
  const kept: KeptSettings = {
    users: given.users ?? [],
    lifetimes: { ...lifetimes, ...given.lifetimes },
    clients: given.clients ?? [],
    misbehave: (given.misbehave ?? null) as MisbehaviourName | null,
    ...(signedBeforeUntilMs > view.nowMs && { signedBeforeUntilMs }),
  };
  view.write(settingsSpace, settingsKey, kept);
  return kept;
}

/** As they can be put back. */
function told({ users, lifetimes: lives, clients, misbehave }: KeptSettings) {
  return { users: [...users], lifetimes: { ...lives }, clients: [...clients], misbehave };
}
