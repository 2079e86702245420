export { AccountError } from './errors/account-error.ts'
export { ListenError, type ListenErrorOptions } from './errors/listen-error.ts'
export {
  type LocalListener,
  type LocalTableService,
  localTableService,
} from './local-table-service.ts'
export type { LocalAccount } from './service/account.ts'
export type {
  ListenOptions,
  LocalTableServiceOptions,
  TableDeletionOptions,
} from './service/local-options.ts'
export { type StartOptions, startLocalService } from './start-local-service.ts'
