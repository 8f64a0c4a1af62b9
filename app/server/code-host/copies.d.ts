/** GitHub's last responses, which save calls and survive failures. */
export interface Copy {
    readonly data: unknown;
    readonly etag: string | undefined;
    /** The path of a list's next page. */
    readonly next: string | undefined;
    readonly size: number;
    readonly confirmed_at: number;
}
export interface Copies {
    find(path: string): Copy | undefined;
    put(path: string, copy: Copy): void;
}
export declare function createCopies(maxEntries: number, maxBytes: number): Copies;
