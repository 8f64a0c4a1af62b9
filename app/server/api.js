import { Hono } from 'hono';
import { cashRoutes } from './cash/routes.js';
import { openCodeHost } from './code-host/open.js';
import { codeHostRoutes } from './code-host/routes.js';
export function api(tools) {
    const codeHost = openCodeHost(tools);
    return new Hono()
        .route('/cash', cashRoutes(tools.session, codeHost, tools.settings.DASHBOARD_USER))
        .route('/code-host', codeHostRoutes(codeHost, tools.session));
}
