import { RecoveryForm } from '@ostiary/ui'

export default function Recovery() {
  return <RecoveryForm />
}
