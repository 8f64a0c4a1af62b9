import { Component, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import type { PageFrame } from '../routes.ts'
import { messagePageTexts } from '../texts/message-pages.ts'
import { listen } from '../ui/browser.ts'
import { Button } from '../ui/button.tsx'
import { FormError } from '../ui/form/form-error.tsx'
import { BrokenDrawing, MessagePage, OfflineDrawing } from '../ui/message-page.tsx'

interface Props {
  /** Another path is tried again. */
  path: string
  load(path: string): Promise<unknown>
  /** Stays around the message. */
  Frame?: PageFrame | undefined
  children: ReactNode
}

/** Prevents a blank page when a screen fails or cannot be loaded. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidUpdate({ path }: Props) {
    if (this.state.failed && path !== this.props.path) void this.retry()
  }

  retry = async (): Promise<boolean> => {
    const { path, load } = this.props
    const isLoaded = await load(path).then(
      () => true,
      () => false,
    )
    if (isLoaded && path === this.props.path) this.setState({ failed: false })
    return isLoaded
  }

  override render() {
    const { children, Frame, ...props } = this.props
    if (!this.state.failed) return children
    const failure = <Failure retry={this.retry} Frame={Frame} />
    // The frame may be what failed.
    return Frame ? <ErrorBoundary {...props}>{failure}</ErrorBoundary> : failure
  }
}

/** Milliseconds between attempts after the browser is online again. */
const PAUSE = 2000

function Failure({ retry, Frame }: { retry: () => Promise<boolean>; Frame: PageFrame | undefined }) {
  const isOnline = useIsOnline()
  const wasOffline = useRef(false)
  useEffect(() => {
    if (!isOnline) wasOffline.current = true
    // Only after being offline, because a broken screen would fail in a loop. Uses rendered state: the event
    // may fire before this effect listens.
    if (!isOnline || !wasOffline.current) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const untilLoaded = async () => {
      if (await retry()) return
      // Browsers cache a failed import until the page is reloaded.
      const isBack = await isReachable()
      if (isOver) return
      if (isBack) location.reload()
      else timer = setTimeout(() => void untilLoaded(), PAUSE)
    }
    void untilLoaded()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isOnline, retry])
  const texts = isOnline ? messagePageTexts.failure : messagePageTexts.offline
  const again = () => (isOnline ? location.reload() : void retry())
  if (Frame)
    return (
      <Frame>
        <FormError retry={again}>{`${texts.heading}. ${texts.text}`}</FormError>
      </Frame>
    )
  return (
    <MessagePage
      drawing={isOnline ? <BrokenDrawing /> : <OfflineDrawing />}
      heading={texts.heading}
      isError
      actions={<Button onClick={again}>{texts.again}</Button>}
    >
      {texts.text}
    </MessagePage>
  )
}

async function isReachable(): Promise<boolean> {
  return await fetch(location.href, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => listen(['online', 'offline'], listener),
    () => navigator.onLine,
    () => true,
  )
}
