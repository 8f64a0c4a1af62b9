import { type ReactNode, useEffect, useState } from 'react'
import { layoutTexts } from '../texts/layout.ts'
import { Button } from './button.tsx'

const SAID_FOR = 3000

const texts = layoutTexts.copying

export function CopyButton({ text, children }: { text: string; children: ReactNode }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SAID_FOR)
    return () => clearTimeout(timer)
  }, [state])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('failed')
    }
  }

  return (
    <>
      <Button look="neutral" small onClick={() => void copy()}>
        {state === 'copied' ? texts.copied : children}
      </Button>
      <span role="status" className={state === 'failed' ? 'text-14 text-danger' : 'sr-only'}>
        {state === 'idle' ? undefined : state === 'copied' ? texts.done : texts.failed}
      </span>
    </>
  )
}
