interface Call {
    /** Undefined for calls of the product itself. */
    readonly userId: string | undefined;
    /** Calls left for all users until `windowEnds`. */
    readonly left: number;
    readonly windowEnds: number;
    readonly now: number;
}
/**
 * Divides GitHub's calls and our queue between users, so that no user can spend what all share (SEC-105). Of 50
 * calls, the first user gets ten.
 */
export declare function createShares(): <T>({ userId, ...limit }: Call, call: () => Promise<T>) => Promise<T>;
export {};
