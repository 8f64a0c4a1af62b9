import { Icon } from './icons.tsx'

const drawings = {
  phone: 'M7 2.8h6a1 1 0 0 1 1 1v12.4a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V3.800a1 1 0 0 1 1-1M9.2 14.600h1.6',
  tablet: 'M5 2.800h10a1 1 0 0 1 1 1v12.400a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V3.800a1 1 0 0 1 1-1M9.2 14.600h1.6',
  computer: 'M3.8 4.200h12.400v8.600H3.800zM1.8 15.800h16.4',
  app: 'M3 4.500h14v11H3zM6 8.200l2 1.9-2 1.900M10.5 12.200H14',
} as const

/** What the device is, beside its name. */
export function DeviceIcon({ kind }: { kind: keyof typeof drawings }) {
  return (
    <Icon className="size-6" strokeWidth={1.4}>
      <path d={drawings[kind]} />
    </Icon>
  )
}
