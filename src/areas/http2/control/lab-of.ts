/** The lab of a service: its ports, and where it records what clients do. */

import { parseAccountKey } from '#accounts/account-key.js';
import { oncePer } from '#base/once-per.js';
import type { FindPupil, Pupil } from '#http/address/pupil.js';
import { isSandboxName } from '#http/address/sandbox-address.js';
import type { Request } from '#http/exchange.js';
import { newRequestId } from '#http/request-id.js';
import { originOf } from '#kit/base-url.js';
import type { RawPort } from '#kit/offers/entries.js';
import type { Services } from '#kit/services.js';
import { recordObservations } from '#kit/verdict/findings.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import { acceptFor, type Visit } from '../connection/lab.js';
import type { Reading } from '../connection/play.js';
import { listFor } from '../page/list.js';
import { judgeName, observationOf } from './judge.js';
import { beginVisit, changeStep, http2Runs, observe } from './runs.js';

/** Base URLs without a slash at the end; empty if the lab is off. */
export type LabUrls = { readonly [Name in 'url' | 'tlsUrl']?: string };

export class Lab {
  readonly #services: Services;
  #ports: Parameters<RawPort['opened']>[0] | undefined;
  /** `undefined` without classes. */
  findPupil: FindPupil | undefined;
  readonly accept: RawPort['accept'];

  constructor(services: Services) {
    this.#services = services;
    this.accept = acceptFor({
      begin: (visit) => this.#begin(visit),
      list: (accept, authority, isEncrypted) =>
        listFor(
          accept,
          this.urlsAt(`http://${authority}`),
          mainUrl(services, authority, isEncrypted),
        ),
    });
  }

  opened(ports: Parameters<RawPort['opened']>[0]): void {
    this.#ports = ports;
  }

  /** Returns the base URLs for a client of this base URL of the service. */
  urlsAt(baseUrl: string): LabUrls {
    if (this.#ports === undefined) return {};
    const { plain, tls } = this.#ports;
    const host = hostOf(baseUrl);
    return {
      url: originOf(host, plain),
      ...(tls !== undefined && { tlsUrl: originOf(host, tls, 'https') }),
    };
  }

  async #begin(visit: Visit): Promise<((reading: Reading) => Promise<void>) | undefined> {
    const { name, run, sandbox: named } = visit;
    if (run === undefined && named === undefined) return unrecorded;
    if (named !== undefined) {
      const visited = await this.#visited({ ...visit, sandbox: named });
      if (visited === undefined || visited.isFrozen) return visited && unrecorded;
      const { sandbox } = visited;
      return (reading) =>
        ignoringOutages(async () => {
          const observations = observationOf(name, reading);
          await recordObservations(sandbox, judgeName, newRequestId(), observations);
        });
    }
    const at = { run: run ?? '', name };
    const sandbox = await this.#services.sandboxes.sandboxHolding(http2Runs.space, at.run);
    if (sandbox === undefined || !(await beginVisit(sandbox, at))) return undefined;
    return (reading) =>
      ignoringOutages(async () => {
        await changeStep(sandbox, at, (step, nowMs) => observe(step, reading, nowMs));
      });
  }

  /**
   * Returns the sandbox of a path; `undefined` for an unknown secret or an invalid name, and without a valid key where
   * accounts are required.
   */
  async #visited({
    sandbox,
    key = '',
    ip,
  }: Visit & { readonly sandbox: string }): Promise<Omit<Pupil, 'owner'> | undefined> {
    const { sandboxes, runtime, limits } = this.#services;
    const accounts = runtime.config.accounts === 'required' ? limits.accounts : undefined;
    const secret = sandbox.startsWith('~') ? sandbox.slice(1) : undefined;
    const addressed = secret === undefined ? undefined : await accounts?.findAddressed(secret);
    if (secret !== undefined && addressed === undefined) {
      const pupil = await this.findPupil?.(secret);
      const part = pupil && { name: pupil.owner, part: pupil.sandbox.name };
      const counted = part && (await accounts?.countPupil(part));
      return counted?.isAccepted === false ? undefined : pupil;
    }
    const name = addressed?.sandbox ?? sandbox;
    const accountKey = addressed?.key ?? parseAccountKey(key);
    const account = accountKey && (await accounts?.admit(accountKey));
    const isRejected = accounts !== undefined && account?.isAccepted !== true;
    if (isRejected || !isSandboxName(name)) return undefined;
    const raw = { headers: {}, sandboxAddress: { prefix: '', sentTarget: '', sandbox: name } };
    const request = { raw, ip, accountId: account?.accountId };
    return { sandbox: sandboxes.sandboxOf(request as unknown as Request), isFrozen: false };
  }
}

const unrecorded = async (): Promise<void> => {};

export const labOf = oncePer((services: Services) => new Lab(services));

function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return 'localhost';
  }
}

/** Returns the base URL of the service at the host of a request to the lab. */
function mainUrl({ runtime }: Services, authority: string, isEncrypted: boolean): string {
  const scheme = isEncrypted ? 'https' : 'http';
  const { port = 0 } = runtime.listeners().find((each) => each.scheme === scheme) ?? {};
  return runtime.config.baseUrl ?? originOf(hostOf(`http://${authority}`), port, scheme);
}
