import type { Ref } from 'react'

interface CheckboxProps {
  name: string
  label: string
  ref?: Ref<HTMLInputElement>
}

/** Unchecked at first; its whole line is clickable. */
export function Checkbox({ name, label, ref }: CheckboxProps) {
  return (
    <label className="flex min-h-6 cursor-pointer items-center gap-2.5 justify-self-start text-14 pointer-coarse:min-h-11">
      <input ref={ref} type="checkbox" name={name} className="size-4.5 shrink-0 cursor-pointer" />
      {label}
    </label>
  )
}
