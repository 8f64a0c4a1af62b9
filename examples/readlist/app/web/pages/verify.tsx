import { VerifyForm } from '@ostiary/ui'

export default function Verify() {
  return <VerifyForm />
}
