import type { ApiTools } from '@ostiary/server';
import type { ExtractSchema } from 'hono/types';
/** The calls below `/api/v1` that this product adds, by path and method, for the pages. */
export type OwnApi = ExtractSchema<ReturnType<typeof api>>;
export declare function api(tools: ApiTools): import("hono/hono-base").HonoBase<import("hono/types").BlankEnv, import("hono/types").BlankSchema | import("hono/types").MergeSchemaPath<{
    "/protected_user": {
        $get: {
            output: {
                id: number;
                name: string;
                full_name: string;
                html_url: string;
                description: string | null;
                stargazers_count: number;
                forks_count?: number | undefined;
                open_issues_count?: number | undefined;
                owner: {
                    login: string;
                    avatar_url?: string | undefined;
                    html_url?: string | undefined;
                };
            }[];
            outputFormat: "json";
            status: import("hono/utils/http-status").ContentfulStatusCode;
            input: {};
        } | {
            output: import("@ostiary/server").ErrorBody<"code_host_unavailable">;
            outputFormat: string;
            status: import("hono/utils/http-status").StatusCode;
            input: {};
        };
    };
} & {
    "/protected": {
        $get: {
            output: {
                id: number;
                name: string;
                full_name: string;
                html_url: string;
                description: string | null;
                stargazers_count: number;
                forks_count?: number | undefined;
                open_issues_count?: number | undefined;
                owner: {
                    login: string;
                    avatar_url?: string | undefined;
                    html_url?: string | undefined;
                };
            }[];
            outputFormat: "json";
            status: import("hono/utils/http-status").ContentfulStatusCode;
            input: {};
        } | {
            output: import("@ostiary/server").ErrorBody<"code_host_unavailable">;
            outputFormat: string;
            status: import("hono/utils/http-status").StatusCode;
            input: {};
        };
    };
}, "/cash"> | import("hono/types").MergeSchemaPath<{
    "/users/:username/repos": {
        $get: {
            output: {
                id: number;
                name: string;
                full_name: string;
                html_url: string;
                description: string | null;
                stargazers_count: number;
                forks_count?: number | undefined;
                open_issues_count?: number | undefined;
                owner: {
                    login: string;
                    avatar_url?: string | undefined;
                    html_url?: string | undefined;
                };
            }[];
            outputFormat: "json";
            status: import("hono/utils/http-status").ContentfulStatusCode;
            input: {
                param: {
                    username: string;
                };
            };
        } | {
            output: import("@ostiary/server").ErrorBody<"code_host_unavailable">;
            outputFormat: string;
            status: import("hono/utils/http-status").StatusCode;
            input: {
                param: {
                    username: string;
                };
            };
        };
    };
} & {
    "/users/:username": {
        $get: {
            output: import("@ostiary/server").ErrorBody<"code_host_unavailable">;
            outputFormat: string;
            status: import("hono/utils/http-status").StatusCode;
            input: {
                param: {
                    username: string;
                };
            };
        } | {
            output: {
                login: string;
                id: number;
                node_id?: string | undefined;
                avatar_url?: string | undefined;
                gravatar_id?: string | null | undefined;
                url?: string | undefined;
                html_url?: string | undefined;
                followers_url?: string | undefined;
                following_url?: string | undefined;
                gists_url?: string | undefined;
                starred_url?: string | undefined;
                subscriptions_url?: string | undefined;
                organizations_url?: string | undefined;
                repos_url?: string | undefined;
                events_url?: string | undefined;
                received_events_url?: string | undefined;
                type?: string | undefined;
                site_admin?: boolean | undefined;
                name?: string | null | undefined;
                company?: string | null | undefined;
                blog?: string | null | undefined;
                location?: string | null | undefined;
                email?: string | null | undefined;
                hireable?: boolean | null | undefined;
                bio?: string | null | undefined;
                twitter_username?: string | null | undefined;
                public_repos?: number | undefined;
                public_gists?: number | undefined;
                followers?: number | undefined;
                following?: number | undefined;
                created_at?: string | undefined;
                updated_at?: string | undefined;
            };
            outputFormat: "json";
            status: import("hono/utils/http-status").ContentfulStatusCode;
            input: {
                param: {
                    username: string;
                };
            };
        };
    };
} & {
    "/repos/:owner/:repo": {
        $get: {
            output: import("@ostiary/server").ErrorBody<"code_host_unavailable">;
            outputFormat: string;
            status: import("hono/utils/http-status").StatusCode;
            input: {
                param: {
                    owner: string;
                } & {
                    repo: string;
                };
            };
        } | {
            output: {
                id: number;
                name: string;
                full_name: string;
                html_url: string;
                description: string | null;
                stargazers_count: number;
                forks_count?: number | undefined;
                open_issues_count?: number | undefined;
                owner: {
                    login: string;
                    avatar_url?: string | undefined;
                    html_url?: string | undefined;
                };
            };
            outputFormat: "json";
            status: import("hono/utils/http-status").ContentfulStatusCode;
            input: {
                param: {
                    owner: string;
                } & {
                    repo: string;
                };
            };
        };
    };
} & {
    "/repos/:owner/:repo/contributors": {
        $get: {
            output: {
                login?: string | undefined;
                id?: number | undefined;
                avatar_url?: string | undefined;
                contributions: number;
            }[];
            outputFormat: "json";
            status: import("hono/utils/http-status").ContentfulStatusCode;
            input: {
                param: {
                    owner: string;
                } & {
                    repo: string;
                };
            };
        } | {
            output: import("@ostiary/server").ErrorBody<"code_host_unavailable">;
            outputFormat: string;
            status: import("hono/utils/http-status").StatusCode;
            input: {
                param: {
                    owner: string;
                } & {
                    repo: string;
                };
            };
        };
    };
} & {
    "/orgs/:org/repos": {
        $get: {
            output: {
                id: number;
                name: string;
                full_name: string;
                html_url: string;
                description: string | null;
                stargazers_count: number;
                forks_count?: number | undefined;
                open_issues_count?: number | undefined;
                owner: {
                    login: string;
                    avatar_url?: string | undefined;
                    html_url?: string | undefined;
                };
            }[];
            outputFormat: "json";
            status: import("hono/utils/http-status").ContentfulStatusCode;
            input: {
                param: {
                    org: string;
                };
            };
        } | {
            output: import("@ostiary/server").ErrorBody<"code_host_unavailable">;
            outputFormat: string;
            status: import("hono/utils/http-status").StatusCode;
            input: {
                param: {
                    org: string;
                };
            };
        };
    };
}, "/code-host">, "/", "/">;
