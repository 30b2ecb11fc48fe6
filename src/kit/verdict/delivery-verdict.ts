/** Lets one area verify the signature of a request that another area receives. */

import { Type } from 'typebox';
import type { Awaitable } from '#base/awaitable.js';
import type { Sandbox } from '#state/state.js';
import { OfferToken } from '../offers/offers.js';

export interface DeliveryVerdict {
  readonly provider: string;
  readonly verified: boolean;
  readonly part?: string;
  readonly message: string;
  readonly warning?: string;
}

/** Verifies a delivery while its body arrives. */
export interface DeliveryJudge {
  update(chunk: Buffer): void;
  /** Call once, after the whole body has arrived. */
  conclude(nowMs: number): DeliveryVerdict;
  /** Records the conclusion among the verdicts of the sandbox. */
  record(verdict: DeliveryVerdict, sandbox: Sandbox, requestId: string): Promise<void>;
}

/** Returns `undefined` if the headers have no known signature. */
export type JudgeDelivery = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
) => DeliveryJudge | undefined;

export const judgeDeliveryToken = new OfferToken<Awaitable<JudgeDelivery>>(
  'signatures of deliveries',
);

export const deliveryVerdictFields = {
  provider: Type.String(),
  verified: Type.Boolean(),
  part: Type.Optional(Type.String({ description: 'The fault.' })),
  message: Type.String(),
  warning: Type.Optional(
    Type.String({
      description: "The provider's own libraries that reject it although others accept it.",
    }),
  ),
};
