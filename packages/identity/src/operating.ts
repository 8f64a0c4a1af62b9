// For servers around the library: its database, metrics and devices.

export { DELETION_DAYS } from './account/deletion.ts'
export { checkMailServer } from './courier/senders/smtp.ts'
export { addressOf } from './devices/device-address.ts'
export { deviceName } from './devices/device-name.ts'
export { METRICS } from './metrics/catalogue.ts'
export { createMetrics } from './metrics/metrics.ts'
export type { ProductDatabase } from './service/open-database.ts'
export {
  AnotherDatabase,
  diagnoseDatabase,
  forgetSecrets,
  migrateProductDatabase,
  openProductDatabase,
} from './service/open-database.ts'
export { canRead, LostSecrets } from './service/replica.ts'
export type { DatabaseReport } from './storage/migrations/inspect.ts'
export { PendingMigrations } from './storage/migrations/migrate.ts'
