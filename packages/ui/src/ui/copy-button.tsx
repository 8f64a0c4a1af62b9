import { type ReactNode, useEffect, useState } from 'react'
import { layoutTexts } from '../texts/layout.ts'
import { Button } from './button.tsx'

const SAID_FOR = 3000

const texts = layoutTexts.copying

interface CopyButtonProps {
  text: string
  onCopied?(): void
  children: ReactNode
}

export function CopyButton({ text, onCopied, children }: CopyButtonProps) {
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
      onCopied?.()
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
