// A classic script in the head: it runs before the first paint, so that a page never flashes the other theme.
;(() => {
  function chosen() {
    try {
      const theme = localStorage.getItem('theme')
      return theme === 'light' || theme === 'dark' ? theme : undefined
    } catch {
      // A browser may forbid it; then the system's theme holds.
      return undefined
    }
  }

  function apply() {
    const theme = chosen()
    if (theme) document.documentElement.dataset.theme = theme
    else delete document.documentElement.dataset.theme
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.dataset.media ??= meta.media
      const own = meta.dataset.media
      if (theme) meta.media = own.includes(theme) ? 'all' : 'not all'
      else meta.media = own
    }
  }
  apply()
  // Another tab has chosen, or this one.
  addEventListener('storage', apply)
  addEventListener('theme', apply)
})()
// The server has redirected an anonymous visitor: `/?after=/dashboard`.
if (/[?&]after=/.test(location.search)) document.documentElement.dataset.redirected = ''
// Without a logout here, a session has ended.
try {
  if (localStorage.getItem('signed-in')) document.documentElement.dataset.ended = ''
} catch {
  // A browser may forbid it.
}
// The user has requested the deletion of the account. The login page announces the date.
try {
  if (sessionStorage.getItem('deletes-on')) document.documentElement.dataset.deleting = ''
} catch {
  // A browser may forbid it.
}
// The server expects a session. Pages show what a signed-in user needs until the session is known.
if (/(^|; )session_hint=/.test(document.cookie)) document.documentElement.dataset.session = ''
// In demo mode, a late script opens the panel. Keeps its space from the first paint.
try {
  const { hash, pathname } = location
  const opened = hash + (sessionStorage.getItem('demo-panel') ?? (pathname === '/demo' ? '#demo=' : ''))
  if (innerWidth >= 1100 && opened.includes('#demo=') && !/^\/demo\/(inbox|emails)/.test(pathname)) {
    const { style } = document.documentElement
    style.paddingRight = `${sessionStorage.getItem('demo-panel-width') ?? 400}px`
    const freeIfUnused = () => {
      if (!document.querySelector('body > script[src]')) style.paddingRight = ''
    }
    document.addEventListener('readystatechange', freeIfUnused, { once: true })
  }
} catch {
  // A browser may forbid it.
}
