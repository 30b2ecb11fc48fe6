/** What one area can say about a request that another one has received: whether its signature is right. */

import { Type } from 'typebox';

export interface ReceivedDelivery {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Whether `body` is less than what was sent. */
  readonly isTruncated: boolean;
  readonly nowMs: number;
}

export interface DeliveryVerdict {
  /** Whose way to sign it is. */
  readonly provider: string;
  readonly verified: boolean;
  /** What is wrong. */
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

/** The verdict of the first that knows the signature; `undefined` when none does. */
export function deliveryJudge(judges: readonly JudgeDelivery[]): JudgeDelivery {
  return (delivery) => {
    for (const judge of judges) {
      const verdict = judge(delivery);
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  };
}
