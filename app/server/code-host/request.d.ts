import { ProductError } from '@ostiary/server';
export interface CodeHostRequestOptions {
    readonly base: string;
    readonly fetch: typeof fetch;
    readonly maxBodyBytes: number;
    /** Time to the first byte, including DNS and connection. */
    readonly answerTimeoutMs: number;
    readonly totalTimeoutMs: number;
}
export interface CodeHostReply {
    readonly response: Response;
    readonly body: string;
}
/** Bounded in time and size. A renamed repository redirects to its number. */
export declare function requestCodeHost(options: CodeHostRequestOptions, path: string, headers: Record<string, string>): Promise<CodeHostReply>;
export declare function isRedirect(status: number): boolean;
/** Undefined on another host, which must not get the token (FLT-10). */
export declare function pathBelow(base: string, target: string): string | undefined;
export declare function unknownName(): ProductError;
export declare function unavailable(message: string, cause?: unknown): ProductError;
