const secondaryRestMs = 60_000;
// Windows are an hour; more is a wrong clock.
const longestRestMs = 2 * 3_600_000;
/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
export function createRateLimit() {
    let closedUntil = 0;
    let left = Number.POSITIVE_INFINITY;
    let windowEnds = 0;
    function closeUntil(time, now) {
        closedUntil = Math.max(closedUntil, Math.min(time, now.getTime() + longestRestMs));
    }
    return {
        waitSeconds: (now) => Math.max(0, Math.ceil((closedUntil - now.getTime()) / 1000)),
        remaining: (now) => (now.getTime() < windowEnds ? left : Number.POSITIVE_INFINITY),
        windowEnds: (now) => (now.getTime() < windowEnds ? windowEnds : 0),
        note(response, body, now) {
            const window = readWindow(response.headers);
            if (window) {
                left = window.remaining;
                windowEnds = window.resets;
                if (window.remaining === 0)
                    closeUntil(window.resets, now);
            }
            if (!isLimited(response, window, body))
                return false;
            const retryAt = retryTime(response.headers, now);
            if (retryAt !== undefined)
                closeUntil(retryAt, now);
            else if (window?.remaining !== 0)
                closeUntil(now.getTime() + secondaryRestMs, now);
            return true;
        },
    };
}
/** Other 403s concern one repository (too large, blocked). */
function isLimited(response, window, body) {
    if (response.status === 429)
        return true;
    if (response.status !== 403)
        return false;
    return window?.remaining === 0 || response.headers.has('retry-after') || /rate limit|abuse/i.test(body);
}
function readWindow(headers) {
    const remaining = readNumber(headers.get('x-ratelimit-remaining'));
    const seconds = readNumber(headers.get('x-ratelimit-reset'));
    if (remaining === undefined || seconds === undefined)
        return undefined;
    return { remaining, resets: seconds * 1000 };
}
function retryTime(headers, now) {
    const value = headers.get('retry-after');
    if (value === null)
        return undefined;
    const seconds = readNumber(value);
    if (seconds !== undefined)
        return now.getTime() + seconds * 1000;
    const date = Date.parse(value);
    return Number.isNaN(date) ? undefined : date;
}
function readNumber(value) {
    return value !== null && /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}
