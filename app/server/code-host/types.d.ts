import { z } from 'zod';
export declare const repository: z.ZodObject<{
    id: z.ZodNumber;
    name: z.ZodString;
    full_name: z.ZodString;
    html_url: z.ZodURL;
    description: z.ZodDefault<z.ZodNullable<z.ZodString>>;
    stargazers_count: z.ZodDefault<z.ZodNumber>;
    forks_count: z.ZodOptional<z.ZodNumber>;
    open_issues_count: z.ZodOptional<z.ZodNumber>;
    private: z.ZodDefault<z.ZodBoolean>;
    owner: z.ZodObject<{
        login: z.ZodString;
        avatar_url: z.ZodOptional<z.ZodURL>;
        html_url: z.ZodOptional<z.ZodURL>;
    }, z.core.$strip>;
}, z.core.$strip>;
export declare const user: z.ZodObject<{
    login: z.ZodString;
    id: z.ZodNumber;
    node_id: z.ZodOptional<z.ZodString>;
    avatar_url: z.ZodOptional<z.ZodURL>;
    gravatar_id: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    url: z.ZodOptional<z.ZodString>;
    html_url: z.ZodOptional<z.ZodURL>;
    followers_url: z.ZodOptional<z.ZodString>;
    following_url: z.ZodOptional<z.ZodString>;
    gists_url: z.ZodOptional<z.ZodString>;
    starred_url: z.ZodOptional<z.ZodString>;
    subscriptions_url: z.ZodOptional<z.ZodString>;
    organizations_url: z.ZodOptional<z.ZodString>;
    repos_url: z.ZodOptional<z.ZodString>;
    events_url: z.ZodOptional<z.ZodString>;
    received_events_url: z.ZodOptional<z.ZodString>;
    type: z.ZodOptional<z.ZodString>;
    site_admin: z.ZodOptional<z.ZodBoolean>;
    name: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    company: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    blog: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    location: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    email: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    hireable: z.ZodOptional<z.ZodNullable<z.ZodBoolean>>;
    bio: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    twitter_username: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    public_repos: z.ZodOptional<z.ZodNumber>;
    public_gists: z.ZodOptional<z.ZodNumber>;
    followers: z.ZodOptional<z.ZodNumber>;
    following: z.ZodOptional<z.ZodNumber>;
    created_at: z.ZodOptional<z.ZodString>;
    updated_at: z.ZodOptional<z.ZodString>;
}, z.core.$strip>;
export declare const contributor: z.ZodObject<{
    login: z.ZodOptional<z.ZodString>;
    id: z.ZodOptional<z.ZodNumber>;
    avatar_url: z.ZodOptional<z.ZodURL>;
    contributions: z.ZodNumber;
}, z.core.$strip>;
export declare const repositories: z.ZodArray<z.ZodObject<{
    id: z.ZodNumber;
    name: z.ZodString;
    full_name: z.ZodString;
    html_url: z.ZodURL;
    description: z.ZodDefault<z.ZodNullable<z.ZodString>>;
    stargazers_count: z.ZodDefault<z.ZodNumber>;
    forks_count: z.ZodOptional<z.ZodNumber>;
    open_issues_count: z.ZodOptional<z.ZodNumber>;
    private: z.ZodDefault<z.ZodBoolean>;
    owner: z.ZodObject<{
        login: z.ZodString;
        avatar_url: z.ZodOptional<z.ZodURL>;
        html_url: z.ZodOptional<z.ZodURL>;
    }, z.core.$strip>;
}, z.core.$strip>>;
export declare const shownRepository: z.ZodObject<{
    id: z.ZodNumber;
    name: z.ZodString;
    full_name: z.ZodString;
    html_url: z.ZodURL;
    description: z.ZodDefault<z.ZodNullable<z.ZodString>>;
    stargazers_count: z.ZodDefault<z.ZodNumber>;
    forks_count: z.ZodOptional<z.ZodNumber>;
    open_issues_count: z.ZodOptional<z.ZodNumber>;
    owner: z.ZodObject<{
        login: z.ZodString;
        avatar_url: z.ZodOptional<z.ZodURL>;
        html_url: z.ZodOptional<z.ZodURL>;
    }, z.core.$strip>;
}, z.core.$strip>;
export declare const shownRepositories: z.ZodArray<z.ZodObject<{
    id: z.ZodNumber;
    name: z.ZodString;
    full_name: z.ZodString;
    html_url: z.ZodURL;
    description: z.ZodDefault<z.ZodNullable<z.ZodString>>;
    stargazers_count: z.ZodDefault<z.ZodNumber>;
    forks_count: z.ZodOptional<z.ZodNumber>;
    open_issues_count: z.ZodOptional<z.ZodNumber>;
    owner: z.ZodObject<{
        login: z.ZodString;
        avatar_url: z.ZodOptional<z.ZodURL>;
        html_url: z.ZodOptional<z.ZodURL>;
    }, z.core.$strip>;
}, z.core.$strip>>;
export declare const contributors: z.ZodArray<z.ZodObject<{
    login: z.ZodOptional<z.ZodString>;
    id: z.ZodOptional<z.ZodNumber>;
    avatar_url: z.ZodOptional<z.ZodURL>;
    contributions: z.ZodNumber;
}, z.core.$strip>>;
export type WireRepository = z.infer<typeof repository>;
export type Repository = z.infer<typeof shownRepository>;
export type User = z.infer<typeof user>;
export type Contributor = z.infer<typeof contributor>;
/** live: now · cache: within a minute · stale: an older copy after a failure · sample: invented */
export type DataSource = 'live' | 'cache' | 'stale' | 'sample';
export interface Answer<T> {
    readonly data: T;
    readonly source: DataSource;
    /** Seconds since GitHub last confirmed the data. */
    readonly age: number;
    /** GitHub has more than the pages that are read. */
    readonly isTruncated?: boolean;
}
