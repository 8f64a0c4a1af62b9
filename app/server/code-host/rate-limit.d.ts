export interface RateLimit {
    /** Seconds until the next call is allowed. */
    waitSeconds(now: Date): number;
    /** Infinite without a window. */
    remaining(now: Date): number;
    /** In milliseconds since 1970; 0 without a window. */
    windowEnds(now: Date): number;
    /** Returns whether the response was rejected because of the limits. */
    note(response: Response, body: string, now: Date): boolean;
}
/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
export declare function createRateLimit(): RateLimit;
