/** Verdicts of one area on the signature of a request that another area received. */

import { Type } from 'typebox';

export interface ReceivedDelivery {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly isTruncated: boolean;
  readonly nowMs: number;
}

export interface DeliveryVerdict {
  readonly provider: string;
  readonly verified: boolean;
  readonly part?: string;
  readonly message: string;
}

export type JudgeDelivery = (delivery: ReceivedDelivery) => DeliveryVerdict | undefined;

export const deliveryVerdictFields = {
  provider: Type.String(),
  verified: Type.Boolean(),
  part: Type.Optional(Type.String({ description: 'What is wrong.' })),
  message: Type.String(),
};

export function deliveryJudge(judges: readonly JudgeDelivery[]): JudgeDelivery {
  return (delivery) => {
    for (const judge of judges) {
      const verdict = judge(delivery);
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  };
}
