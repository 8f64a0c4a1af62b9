import { FlowError } from '@ostiary/ui'

export default function ErrorPage() {
  return <FlowError />
}
