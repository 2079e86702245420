export { basicTokenCheck } from './access/basic-tokens.ts'
export type { LocalAccount } from './account/account.ts'
export type { LocalErrorCode, localErrorCodes } from './errors/codes.ts'
export { ListenError, type ListenErrorOptions } from './errors/listen-error.ts'
export { StoreError, type StoreErrorCode, type StoreErrorOptions } from './errors/store-error.ts'
export type { AddedFault, FaultRule, Faults } from './faults/faults.ts'
export type {
  CutPageFault,
  DuplicateDeliveryFault,
  InjectedFault,
  LateResponseFault,
  LostFault,
  PassingCode,
  RejectionFault,
  SlowBodyFault,
  TruncatedBodyFault,
  WrongClockFault,
} from './faults/injected-fault.ts'
export {
  type LocalListener,
  type LocalTableService,
  localTableService,
} from './local-table-service.ts'
export type { ReplicatedWrite, ReplicationOptions } from './replication/replication.ts'
export type { OperationName } from './request/operation-name.ts'
export type {
  FaultKind,
  RequestFacts,
  RequestRecord,
  Requests,
} from './request-log/request-log.ts'
export type { ListenLimits, ListenOptions, ListenTls } from './service/listen-options.ts'
export type {
  BearerCheck,
  BearerRequest,
  LocalTableServiceOptions,
  Pause,
  TableDeletionOptions,
} from './service/local-options.ts'
export { type StartOptions, startLocalService } from './start-local-service.ts'
export type { Controls, LocalSnapshot } from './testing/controls.ts'
export { type ManualClock, manualClock } from './testing/manual-clock.ts'
export { seededIds, seededRandom } from './testing/seeded.ts'
