// A classic script in the head: it runs before the first paint, so that a page never flashes the other theme.
;(() => {
  function recall(memory, key) {
    try {
      return window[memory].getItem(key)
    } catch {
      // A browser may forbid it.
      return null
    }
  }

  function apply() {
    const stored = recall('localStorage', 'theme')
    const theme = ['light', 'dark'].find((one) => one === stored)
    if (theme) document.documentElement.dataset.theme = theme
    else delete document.documentElement.dataset.theme
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.dataset.media ??= meta.media
      const media = meta.dataset.media
      if (theme) meta.media = media.includes(theme) ? 'all' : 'not all'
      else meta.media = media
    }
  }
  apply()
  // Another tab has chosen, or this one.
  addEventListener('storage', apply)
  addEventListener('theme', apply)

  const { dataset, style } = document.documentElement
  // The server has redirected an anonymous visitor: `/?after=/dashboard`.
  if (/[?&]after=/.test(location.search)) dataset.redirected = ''
  // Without a logout here, a session has ended.
  if (recall('localStorage', 'signed-in')) dataset.ended = ''
  // The user has requested the deletion of the account. The login page announces the date.
  if (recall('sessionStorage', 'deletes-on')) dataset.deleting = ''
  // The server expects a session. Pages show what a signed-in user needs until the session is known.
  if (/(^|; )session_hint=/.test(document.cookie)) dataset.session = ''

  // Which step the prerendered form should show, only the scripts know.
  if (/[?&]flow=/.test(location.search)) dataset.flow = ''

  // In demo mode, a late script opens the panel. Keeps its space from the first paint.
  const { hash, pathname } = location
  const opened = hash + (recall('sessionStorage', 'demo-panel') ?? (pathname === '/demo' ? '#demo=' : ''))
  if (innerWidth >= 1100 && opened.includes('#demo=') && !/^\/demo\/(inbox|emails)/.test(pathname)) {
    style.paddingRight = '400px'
    const freeIfUnused = () => {
      if (!document.querySelector('body > script[src]')) style.paddingRight = ''
    }
    document.addEventListener('readystatechange', freeIfUnused, { once: true })
  }
})()

// Repeats a press once its button is hydrated. Without scripts, buttons stay disabled.
;(() => {
  const waiting = 'button[data-waiting]'
  const setDisabled = (hasFailed) => {
    for (const button of document.querySelectorAll(waiting)) {
      button.disabled = hasFailed
      if (hasFailed) button.removeAttribute('data-waiting')
    }
  }
  document.addEventListener('readystatechange', () => setDisabled(false), { once: true })
  const onError = ({ target, filename = '' }) => {
    // A script that does not load, or that ends with an error. Those of browser extensions don't count.
    if (target.type !== 'module' && !filename.startsWith(location.origin)) return
    setDisabled(true)
    delete document.documentElement.dataset.flow
  }
  addEventListener('error', onError, true)
  const keepPress = (event) => {
    // A password manager may submit without a press.
    const button =
      event.type === 'submit' ? event.target.querySelector(waiting) : event.target.closest(waiting)
    if (!button) return
    event.preventDefault()
    event.stopPropagation()
    if (document.querySelector(`${waiting}[aria-busy]`)) return
    button.ariaBusy = 'true'
    new MutationObserver((_, observer) => {
      observer.disconnect()
      button.ariaBusy = null
      button.click()
    }).observe(button, { attributeFilter: ['data-waiting'] })
  }
  addEventListener('click', keepPress, true)
  addEventListener('submit', keepPress, true)
})()
