import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useState } from 'react'
import { panelTexts } from '../texts.ts'

const MIN = 320
const MAX = 560
const STEP = 16
const KEY = 'demo-panel-width'

/** The edge between panel and page: dragged, or moved with the arrow keys. */
export function WidthHandle() {
  const [width, setWidth] = useState(() => Number(sessionStorage.getItem(KEY)) || 400)
  useLayoutEffect(() => {
    sessionStorage.setItem(KEY, String(width))
    document.documentElement.style.setProperty('--demo-width', `${width}px`)
    // `theme.js` has kept this space.
    document.documentElement.style.paddingRight = ''
  }, [width])
  const resize = (to: number) => setWidth(Math.round(Math.min(MAX, Math.max(MIN, to))))
  const drag = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
    if (currentTarget.hasPointerCapture(pointerId)) resize(innerWidth - clientX)
  }
  function press(event: KeyboardEvent) {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key]
    if (by !== undefined) resize(width + by)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> is not a widget
    <div
      role="separator"
      aria-label={panelTexts.width}
      aria-orientation="vertical"
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      aria-valuenow={width}
      tabIndex={0}
      className="demo-handle"
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    />
  )
}
