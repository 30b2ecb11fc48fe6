/** Lets one area verify the signature of a request that another area receives. */

import { Type } from 'typebox';
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
}

/** Returns `undefined` if the headers have no known signature. */
export type JudgeDelivery = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
) => DeliveryJudge | undefined;

export const judgeDeliveryToken = new OfferToken<JudgeDelivery>('signatures of deliveries');

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
