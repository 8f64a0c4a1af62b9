import { readCapped } from '@ostiary/identity/serving';
import { ProductError } from '@ostiary/server';
/** Bounded in time and size. A renamed repository redirects to its number. */
export async function requestCodeHost(options, path, headers) {
    const giveUp = new AbortController();
    const answerTimer = setTimeout(() => giveUp.abort(), options.answerTimeoutMs);
    const signal = AbortSignal.any([giveUp.signal, AbortSignal.timeout(options.totalTimeoutMs)]);
    const send = (path) => options.fetch(options.base + path, { headers, redirect: 'manual', signal });
    try {
        let response = await send(path);
        for (let hops = 0; hops < MAX_REDIRECTS; hops += 1) {
            const next = redirectTarget(options.base, response);
            if (next === undefined)
                break;
            await response.body?.cancel();
            response = await send(next);
        }
        clearTimeout(answerTimer);
        const body = await readCapped(response.body, options.maxBodyBytes);
        return { response, body: body.toString('utf8') };
    }
    catch (error) {
        const what = error instanceof RangeError ? 'sent more than was expected' : 'could not be reached';
        throw unavailable(`GitHub ${what}.`, error);
    }
    finally {
        clearTimeout(answerTimer);
    }
}
const MAX_REDIRECTS = 3;
function redirectTarget(base, { status, headers }) {
    return isRedirect(status) ? pathBelow(base, headers.get('location') ?? '') : undefined;
}
export function isRedirect(status) {
    return status >= 301 && status <= 308 && status !== 304;
}
/** Undefined on another host, which must not get the token (FLT-10). */
export function pathBelow(base, target) {
    const url = URL.parse(target, `${base}/`);
    return url?.href.startsWith(`${base}/`) ? url.href.slice(base.length) : undefined;
}
export function unknownName() {
    return new ProductError('not_found', 404, 'GitHub does not know this name');
}
export function unavailable(message, cause) {
    return new ProductError('code_host_unavailable', 502, message, { cause });
}
