import { describe } from '@ostiary/server';
import { Hono } from 'hono';
import { answered } from '../code-host/routes.js';
import { shownRepositories } from '../code-host/types.js';
export function cashRoutes(session, codeHost, dashboardUser) {
    const described = (credential) => describe({
        summary: `The repositories of the fixed user, by ${credential}`,
        answer: shownRepositories,
        errors: [401, 403, 429],
        codes: { code_host_unavailable: 502 },
    });
    return new Hono()
        .get('/protected_user', described('session'), async (c) => {
        await session.assertLiveSession(c.req.raw.headers);
        return answered(c, await codeHost.listUserRepositories(dashboardUser));
    })
        .get('/protected', described('user_jwt'), async (c) => {
        await session.assertUserJwt(c.req.raw.headers);
        return answered(c, await codeHost.listUserRepositories(dashboardUser));
    });
}
