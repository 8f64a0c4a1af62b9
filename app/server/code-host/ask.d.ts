import type { Tracing } from '@ostiary/identity/serving';
import type { Log } from '@ostiary/identity-server/process';
import type { OwnMetrics } from '@ostiary/server';
import type { z } from 'zod';
import type { Copy } from './copies.ts';
import type { CodeHostRequestOptions } from './request.ts';
export interface CodeHostParts extends Partial<CodeHostRequestOptions> {
    readonly base: string;
    readonly token?: string | undefined;
    /** GitHub's last calls are reserved for this user's list. */
    readonly dashboardUser: string;
    readonly now: () => Date;
    readonly log: Log;
    readonly metrics: OwnMetrics;
    readonly tracing?: Tracing | undefined;
}
/** The call counts towards the share of `userId`, if set. */
export interface Asked {
    readonly path: string;
    readonly schema: z.ZodType;
    readonly copy: Copy | undefined;
    readonly userId: string | undefined;
}
export type Ask = (asked: Asked) => Promise<Copy>;
export declare function createAsk(parts: CodeHostParts): Ask;
