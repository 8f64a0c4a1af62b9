import type { SessionCheck } from '@ostiary/server';
import type { CodeHost } from '../code-host/client.ts';
export declare function cashRoutes(session: SessionCheck, codeHost: CodeHost, dashboardUser: string): import("hono/hono-base").HonoBase<import("hono/types").BlankEnv, {
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
}, "/", "/protected">;
